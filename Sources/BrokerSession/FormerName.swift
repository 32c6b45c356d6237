internal import Bytes
internal import Integrations
internal import WireProtocol

/// A former name and prefix of a publisher, with the messages that the broker retains there.
struct FormerName: Hashable {
    /// The time without news after which all retained messages have arrived; a running fuser publishes every three
    /// seconds.
    static let settling: Duration = .seconds(8)
    /// The time within which cleared topics must return empty.
    static let clearing: Duration = .seconds(10)
    /// The most topics that are cleared for it; those beyond follow with the next connection.
    static let capacity = 100_000

    /// The progress of the removal.
    enum State: Hashable {
        case idle
        case listening(until: MonotonicTime)
        case clearing(until: MonotonicTime)
    }

    /// The place of the topics.
    let place: Place
    /// The filters of the topics retained there.
    let filters: [String]
    var state = State.idle
    /// The topics retained there that belonged to this publisher.
    var topics: Set<String> = []
    /// The other topics there.
    var others: Set<String> = []
    /// True if another publisher has the name.
    var isTaken = false

    init(_ place: Place, filters: [String]) { (self.place, self.filters) = (place, filters) }

    /// A publisher's place among topics, with the epoch of its state.
    struct Place: Hashable {
        var prefix: String
        var name: String
        var epoch: String

        /// True if it has the same topics as another one.
        func isSame(as other: Place) -> Bool { prefix == other.prefix && name == other.name }
    }

    /// Receives a message under one of its filters.
    mutating func receive(_ message: Message, isNode: Bool) {
        if message.payload.isEmpty {
            topics.remove(message.topic)
            return
        }
        let kind = Topics(prefix: place.prefix).kind(of: message.topic)
        switch kind {
        case .nodeInfo where isNode:
            // A new owner of the name has another state database, and so another epoch.
            guard let info = try? NodeInfo(payload: message.payload.span) else { break }
            isTaken = info.epoch != place.epoch
        case .fuserClaim(let fuser):
            guard !message.retained else { return }
            if fuser == place.name { isTaken = true } else { others.insert(fuser) }
            return
        case .fuserStatus(let fuser) where fuser != place.name: return
        // A fuser owns the devices of items and rooms, and its own.
        case nil where !isNode && Self.isOthers(message.topic, fuser: place.name): return
        case .nodeStatus, .nodeInfo, .scan, .nodeHealth, .region, .nodeEvents, .proximity, .window, .fuserStatus,
            .location, .room, .itemEvents, .itemAlert, .itemTelemetry, .itemBattery, .occupancy, .itemConfig, .lesson,
            .housePlan,
            .floorPicture, .rollout, .nodeCommand,
            .commandResult, .fuserCommand, .fuserCommandResult, .replies, nil:
            break
        }
        if message.retained, topics.count < Self.capacity { topics.insert(message.topic) }
    }

    /// True if a discovery topic belongs to a node, or to another fuser.
    private static func isOthers(_ topic: String, fuser: String) -> Bool {
        let object = topic.split(separator: "/").dropLast().last.map(String.init) ?? ""
        return object.hasPrefix(DiscoveryPlace.node(""))
            || object.hasPrefix(DiscoveryPlace.fuser("")) && object != DiscoveryPlace.fuser(fuser)
    }

    /// The topics to clear: if others serve the house, its status alone.
    var leavings: [String] {
        guard !others.isEmpty else { return topics.sorted() }
        return [Topics(prefix: place.prefix).fuserStatus(place.name)].filter(topics.contains)
    }
}
