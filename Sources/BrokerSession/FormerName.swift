internal import Integrations
internal import WireProtocol

/// A name and prefix under which a publisher stood before, and what the broker retains there.
struct FormerName: Hashable {
    /// Nanoseconds without news after which all that is retained has come; a fuser that is alive speaks every three
    /// seconds.
    static let settling: Int64 = 8_000_000_000
    /// Nanoseconds in which what was cleared must come back empty.
    static let clearing: Int64 = 10_000_000_000
    /// Topics that are cleared for it at most; those beyond come with the next connection.
    static let capacity = 100_000

    /// How far it is.
    enum State: Hashable {
        case idle
        case listening(until: Int64)
        case clearing(until: Int64)
    }

    /// Whose topics these are.
    let place: Place
    var state = State.idle
    /// What is retained there and was this publisher's.
    var topics: Set<String> = []
    /// Others that are there.
    var others: Set<String> = []
    /// Whether another publisher has the name.
    var isTaken = false

    init(_ place: Place) { self.place = place }

    /// A publisher's place among topics, with the epoch of its state.
    struct Place: Hashable {
        var prefix: String
        var name: String
        var epoch: String

        /// Whether it has the same topics as another one.
        func isSame(as other: Place) -> Bool { prefix == other.prefix && name == other.name }
    }

    /// Takes a message under one of its filters.
    mutating func receive(_ message: Message, isNode: Bool) {
        if message.payload.isEmpty {
            topics.remove(message.topic)
            return
        }
        let kind = Topics(prefix: place.prefix).kind(of: message.topic)
        switch kind {
        case .nodeInfo where isNode:
            // Who has the name now has another state database, and so another epoch.
            guard let info = try? NodeInfo(payload: message.payload.span) else { break }
            isTaken = info.epoch != place.epoch
        case .fuserClaim(let fuser):
            guard !message.retained else { return }
            if fuser == place.name { isTaken = true } else { others.insert(fuser) }
            return
        case .fuserStatus(let fuser) where fuser != place.name: return
        // A fuser's are the devices of items and rooms, and its own.
        case nil where !isNode && Self.isOthers(message.topic, fuser: place.name): return
        default: break
        }
        if message.retained, topics.count < Self.capacity { topics.insert(message.topic) }
    }

    /// Whether a discovery topic is of a node, or of another fuser.
    private static func isOthers(_ topic: String, fuser: String) -> Bool {
        let object = topic.split(separator: "/").dropLast().last.map(String.init) ?? ""
        return object.hasPrefix(DiscoveryPlace.node(""))
            || object.hasPrefix(DiscoveryPlace.fuser("")) && object != DiscoveryPlace.fuser(fuser)
    }

    /// What is to be cleared of it: where others serve the house, its status alone.
    var leavings: [String] {
        guard !others.isEmpty else { return topics.sorted() }
        return [Topics(prefix: place.prefix).fuserStatus(place.name)].filter(topics.contains)
    }
}
