internal import Identity
internal import WireProtocol

/// Notes on items beyond the registry: nodes that cannot identify them, and unsuitable devices, with the reasons.
///
/// Made of the retained messages of nodes that are online and of the fuser.
struct ItemNotes {
    private var notes: [String: [String]] = [:]

    /// Consumes the broker's retained messages on ``filters(_:)``.
    init(_ messages: [Message], topics: Topics, items: [Item]) {
        var online: Set<String> = []
        for message in messages {
            guard case .nodeStatus(let node)? = topics.kind(of: message.topic) else { continue }
            if String(decoding: message.payload, as: UTF8.self) == "online" { online.insert(node) }
        }
        var heard: Set<String> = []
        let keyed = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
        for message in messages {
            let kind = topics.kind(of: message.topic)
            if case .nodeInfo(let node) = kind, online.contains(node),
                let info = try? NodeInfo(payload: message.payload.span)
            {
                addNotes(info, of: node, keyed)
            } else if case .region(let region, let node) = kind, online.contains(node),
                let report = try? RegionReport(payload: message.payload.span), report.problem == .cadenceTooSlow
            {
                for item in report.beacons where keyed[item] != nil {
                    addNote(item, "speaks too seldom for region '\(region)' of \(node): its exit is told late")
                }
            } else if case .location(let item) = kind, let key = keyed[item]?.key,
                let location = try? Location(payload: message.payload.span)
            {
                // An item that has left was received before.
                if location.room != nil || location.previous != nil { heard.insert(item) }
                if key == .irk, location.state == .quiet { addNote(item, Self.quiet) }
            }
        }
        guard !online.isEmpty else { return }
        for item in items where item.key != nil && item.key != .bthome {
            if !heard.contains(item.id), notes[item.id] == nil { addNote(item.id, Self.unheard) }
        }
    }

    private static let unheard =
        "was not heard yet, as far as a fuser tells: if it is near, is its key right, in the right order of bytes?"

    private static let quiet =
        "is quiet: phones and watches say little while they are locked; it is away after 5 min of silence"

    /// The filters of the messages that it needs.
    static func filters(_ topics: Topics) -> [String] {
        [
            topics.allNodes("status"), topics.allNodes("info"), topics.region("+", node: "+"),
            topics.allItems("location"),
        ]
    }

    /// The notes of an item, printed behind its id.
    subscript(item: String) -> [String] { (notes[item] ?? []).sorted() }

    private mutating func addNotes(_ info: NodeInfo, of node: String, _ items: [String: Item]) {
        for item in info.missingKeys {
            guard let kind = items[item]?.key else { continue }
            addNote(
                item, "isn't known on \(node), which lacks its key: \(item).\(kind.rawValue) in the folder of 'keys'")
        }
        for problem in info.problems {
            // A problem of an item, as a node publishes it: 'cat' is heard with …
            guard problem.hasPrefix("'"), let end = problem.dropFirst().firstIndex(of: "'") else { continue }
            let item = String(problem[problem.index(after: problem.startIndex)..<end])
            guard items[item] != nil else { continue }
            addNote(item, "\(problem[end...].dropFirst(2)) (\(node))")
        }
    }

    private mutating func addNote(_ item: String, _ note: String) {
        if notes[item, default: []].count < Self.bound { notes[item, default: []].append(note) }
    }

    /// Notes of an item at most.
    private static let bound = 20
}
