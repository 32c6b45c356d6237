internal import BeaconFrames
internal import Bytes
internal import Identity
internal import System
internal import WireProtocol

/// Nodes that are asked for the unregistered beacons near them, again and again for a minute, while a person holds a tag to one.
///
/// Each request is the action `nearby` of a node, as `whereabouts items add --nearest` sends it. Costs nothing while none is open.
struct Enrolments {
    /// The most nodes at once; further ones are refused.
    static let bound = 4
    /// The time for which a node is asked.
    static let length: Duration = .seconds(60)
    /// The time for which a node listens at a time.
    static let listening: Duration = .seconds(2)
    /// The most beacons, and classes of others, that are shown of a node.
    static let shown = 12
    /// The time beyond its listening within which a node answers, after which it is asked anew.
    private static let grace: Duration = .seconds(3)
    /// A beacon that was not heard for so long is left out.
    private static let memory: Duration = .seconds(6)

    private struct Enrolment {
        var end: MonotonicTime
        /// The same on the clock of the house.
        var until: Timestamp
        /// The id of the open request, and the time until which its answer is awaited.
        var request: (id: String, until: MonotonicTime)?
        var heard: [BeaconID: (beacon: NearbyBeacon, at: MonotonicTime)] = [:]
        var others: [NearbyStranger] = []
        /// The reason why the node could not tell.
        var fault: String?
    }

    private let topics: Topics
    private let replyTopic: String
    private var open: [String: Enrolment] = [:]
    /// The nodes of which something has changed.
    private var changed: Set<String> = []

    /// - Parameter replyTopic: the topic on which nodes answer over MQTT 5; the others answer on their own.
    init(topics: Topics, replyTopic: String) {
        self.topics = topics
        self.replyTopic = replyTopic
    }

    /// True if `takeChanges` gives something.
    var hasChanges: Bool { !changed.isEmpty }
    /// The time by which `advance` must be called; nil if no node is asked.
    var nextDeadline: MonotonicTime? {
        open.values.map { min($0.end, $0.request?.until ?? .start) }.min()
    }

    /// Begins to ask a node, or asks it for longer; false if too many are asked.
    mutating func begin(_ node: String, at now: MonotonicTime, house time: Timestamp) -> Bool {
        guard open[node] != nil || open.count < Self.bound else { return false }
        var enrolment = open[node] ?? Enrolment(end: now, until: time)
        (enrolment.end, enrolment.until) = (now + Self.length, time.advanced(by: Self.length))
        open[node] = enrolment
        changed.insert(node)
        return true
    }

    /// Ends to ask a node; false if it is not asked.
    mutating func end(_ node: String) -> Bool {
        guard open.removeValue(forKey: node) != nil else { return false }
        changed.insert(node)
        return true
    }

    /// Receives a message, which may be the answer of a node.
    mutating func receive(_ message: Message, at now: MonotonicTime) {
        guard !open.isEmpty, isAnswer(message.topic) else { return }
        guard let result = try? CommandResult(payload: message.payload.span), let id = result.id,
            let node = open.first(where: { $0.value.request?.id == id })?.key
        else { return }
        open[node]?.request = nil
        open[node]?.fault = result.answer.failure
        if case .nearby(let beacons, let others) = result.answer {
            for beacon in beacons { open[node]?.heard[beacon.id] = (beacon, now) }
            open[node]?.others = Array(others.prefix(Self.shown))
        } else {
            // It is asked anew after a pause, not at once.
            open[node]?.request = (id: "", until: now + Self.grace)
        }
        changed.insert(node)
    }

    private func isAnswer(_ topic: String) -> Bool {
        let kind = topics.kind(of: topic)
        if case .commandResult = kind { return true }
        if case .replies = kind { return true }
        return false
    }

    /// Ends what is over, and asks the nodes whose answer has come, or does not come.
    mutating func advance(to now: MonotonicTime, _ outbox: inout [Message]) {
        for (node, enrolment) in open {
            guard now < enrolment.end else {
                _ = end(node)
                continue
            }
            guard enrolment.request.map({ now >= $0.until }) ?? true else { continue }
            let id = SystemRandom.epoch()
            var message = Message(
                topic: topics.nodeCommand(node),
                payload: NodeCommand(id: id, action: .nearby(for: Self.listening)).payload, qos: .atLeastOnce)
            message.responseTopic = replyTopic
            outbox.append(message)
            open[node]?.request = (id, now + Self.listening + Self.grace)
            open[node]?.heard = enrolment.heard.filter { now - $0.value.at < Self.memory }
        }
    }

    /// The changes since the last call, as the topic `enrolment/<node>` shows them; nil for nodes that are not asked any more.
    ///
    /// - Parameter isRegistered: true for the identity of a registered item, which a node may not know yet.
    mutating func takeChanges(
        isRegistered: (BeaconID) -> Bool
    ) -> [(node: String, value: [UInt8]?)] {
        defer { changed.removeAll() }
        return changed.sorted().map { node in
            (node, open[node].map { Self.value($0, of: node, isRegistered) })
        }
    }

    private static func value(
        _ enrolment: Enrolment, of node: String, _ isRegistered: (BeaconID) -> Bool
    ) -> [UInt8] {
        let beacons = enrolment.heard.values.map(\.beacon)
            .filter { !$0.ids.contains(where: isRegistered) }
            .sorted { ($0.mean, $1.id.text) > ($1.mean, $0.id.text) }
        var json = JSONWriter()
        json.beginObject()
        json.field("node", node)
        json.field("until", enrolment.until)
        json.field("fault", enrolment.fault)
        json.beginArray("beacons")
        for beacon in beacons.prefix(shown) { write(beacon, to: &json) }
        json.endArray()
        json.beginArray("others")
        for other in enrolment.others {
            json.beginObject()
            json.field("class", other.transmitterClass?.rawValue)
            json.field("title", other.transmitterClass?.title)
            json.field("addresses", other.addresses)
            json.field("level", other.mean, decimals: 1)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    private static func write(_ beacon: NearbyBeacon, to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", beacon.id.text)
        json.field("name", beacon.name)
        json.field("url", beacon.url)
        json.field("class", beacon.transmitterClass?.rawValue)
        json.field("title", beacon.transmitterClass?.title)
        json.field("level", beacon.mean, decimals: 1)
        json.field("count", beacon.count)
        let item = Item(id: "new", identities: [beacon.id])
        json.field("entry", json: ItemChange(id: item.id, content: .item(item), at: nil).payload)
        json.endObject()
    }
}
