internal import BeaconFrames
internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import Identity
internal import System
internal import WireProtocol

/// Requests the beacons near a node, and asks the user to choose one.
struct NearestSearch {
    /// The most beacons that are shown.
    private static let shown = 5
    /// Seconds beyond its listening within which a node should answer.
    private static let grace = 5.0

    let node: String
    /// The time for which the node listens.
    let time: Duration
    /// True if the strongest is chosen without a question.
    let takesFirst: Bool

    /// The beacon to register; nil if the user declined.
    func choose(for item: String, at desk: ItemsDesk) throws -> NearbyBeacon? {
        try refuseAbsentNode(desk)
        var errors = StandardOutput(descriptor: 2)
        errors.line("\(node) listens for \(DurationText.text(time)): hold the tag close to it")
        errors.flush()
        let owners = desk.owners
        // A node whose registry is stale may report a registered beacon as a stranger.
        let (heard, others) = try requestNearby(desk)
        let beacons = heard.filter { beacon in !beacon.ids.contains { owners[$0] != nil } }
        for line in Self.notes(on: others, loudest: beacons.first?.mean) { errors.line(line) }
        guard !beacons.isEmpty else {
            errors.flush()
            throw ProgramFault("\(node) heard no unregistered beacon that can be registered: is the tag awake?")
        }
        for line in Self.table(Array(beacons.prefix(Self.shown))) { errors.line(line) }
        errors.flush()
        if takesFirst { return beacons[0] }
        let count = min(beacons.count, Self.shown)
        errors.write(
            count == 1
                ? "Register it as '\(item)'? [y/N] " : "Which one is '\(item)'? [1-\(count), or Enter for none] ")
        errors.flush()
        let choice = try desk.exchange.line()?.lowercased().filter { !$0.isWhitespace } ?? ""
        if let number = Int(choice), (1...count).contains(number) { return beacons[number - 1] }
        if count == 1, choice == "y" || choice == "yes" { return beacons[0] }
        errors.line("nothing was registered")
        errors.flush()
        return nil
    }

    private func requestNearby(_ desk: ItemsDesk) throws -> (beacons: [NearbyBeacon], others: [NearbyStranger]) {
        let command = NodeCommand(id: SystemRandom.epoch(), action: .nearby(for: time))
        let question = try Question(to: .node(node), desk.topics, desk.exchange, by: desk.author)
        let answer = try question.ask(command.payload, .operate, within: time.seconds + Self.grace) { payload in
            (try? CommandResult(payload: payload.span)).flatMap { $0.id == command.id ? $0 : nil }
        }
        switch answer?.answer {
        case .nearby(let beacons, let others): return (beacons, others)
        case .failed(let reason): throw ProgramFault("\(node) can't tell: \(reason)")
        case .done, .replayed, nil: throw ProgramFault("\(node) did not answer: does its agent know the nearby action?")
        }
    }

    private func refuseAbsentNode(_ desk: ItemsDesk) throws {
        var online: [String] = []
        for message in try desk.exchange.retained([desk.topics.allNodes("status")], isWhole: true) {
            guard case .nodeStatus(let name) = desk.topics.kind(of: message.topic) else { continue }
            if message.payload == Array("online".utf8) { online.append(name) }
        }
        guard !online.contains(node) else { return }
        let hint =
            online.isEmpty ? "no node is" : "online are \(online.sorted().joined(separator: ", "))"
        throw ProgramFault("node '\(node)' is not online; \(hint)")
    }

    static func table(_ beacons: [NearbyBeacon]) -> [String] {
        Columns.lines(
            [["", "LEVEL", "HEARD", "NAME", "CLASS", "IDENTITY", "URL"]]
                + beacons.enumerated().map { index, beacon in
                    [
                        "\(index + 1)", "\(Int(beacon.mean.rounded(.toNearestOrEven))) dBm", "\(beacon.count)",
                        plainText(beacon.name ?? ""), beacon.transmitterClass?.title ?? "",
                        beacon.ids.map(\.text).joined(separator: " "),
                        plainText(beacon.url ?? ""),
                    ]
                })
    }

    /// Lines on transmitters that cannot be registered: each class with its number of addresses and its loudest level,
    /// and a warning if one of them is nearer than all that can be.
    static func notes(on others: [NearbyStranger], loudest: Double?) -> [String] {
        guard let nearest = others.first else { return [] }
        let list = others.prefix(Self.shown).map { other in
            let title = other.transmitterClass?.title ?? "changing address, as of a phone"
            return "\(title) (\(other.addresses), \(Int(other.mean.rounded(.toNearestOrEven))) dBm)"
        }
        var lines = ["heard as well, and not to be registered: \(list.joined(separator: "; "))"]
        if let loudest, nearest.mean > loudest {
            let title = nearest.transmitterClass?.title ?? "a changing address"
            lines.append("the loudest of all is among those: \(title)")
        }
        return lines
    }

    /// A text from a stranger's tag, without characters that could move a terminal's cursor.
    private static func plainText(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(64).map(Character.init))
    }
}
