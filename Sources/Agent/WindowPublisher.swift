internal import Bytes
internal import Presence
internal import WireProtocol

/// Windows as messages: their topics made once, their payloads in one buffer.
struct WindowPublisher: Sendable {
    let topics: Topics
    let node: String
    private var topicOfBeacon: [String: String] = [:]
    private var json = JSONWriter()

    init(topics: Topics, node: String) {
        self.topics = topics
        self.node = node
    }

    mutating func makeMessage(_ window: Window) -> Message {
        let payload = makePayload { window.write(to: &$0) }
        return Message(topic: topic(of: window.item ?? window.id), payload: payload)
    }

    mutating func makeMessage(_ scan: Scan) -> Message {
        Message(topic: topics.scan(node), payload: makePayload { scan.write(to: &$0) })
    }

    func makeMessage(_ health: NodeHealth) -> Message {
        var json = JSONWriter()
        health.write(to: &json)
        return Message(topic: topics.nodeHealth(node), payload: json.bytes, qos: .atLeastOnce, retained: true)
    }

    func makeMessage(_ info: NodeInfo) -> Message {
        var json = JSONWriter()
        info.write(to: &json)
        return Message(topic: topics.nodeInfo(node), payload: json.bytes, qos: .atLeastOnce, retained: true)
    }

    func makeMessage(_ report: RegionReport, of region: String) -> Message {
        var json = JSONWriter()
        report.write(to: &json)
        return Message(
            topic: topics.region(region, node: node), payload: json.bytes, qos: .atLeastOnce, retained: true)
    }

    mutating func makeMessage(_ report: ProximityReport, of beacon: String) -> Message {
        let payload = makePayload { report.write(to: &$0) }
        return Message(
            topic: topics.proximity(beacon: beacon, node: node), payload: payload, qos: .atLeastOnce, retained: true)
    }

    /// The message that clears a beacon's retained proximity.
    func withdrawal(of beacon: String) -> Message {
        Message.clearing(topics.proximity(beacon: beacon, node: node))
    }

    private mutating func makePayload(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        json.removeAll()
        write(&json)
        return json.bytes
    }

    /// A window's topic, cached since its shard is a digest.
    private mutating func topic(of beacon: String) -> String {
        if let topic = topicOfBeacon[beacon] { return topic }
        if topicOfBeacon.count >= WindowTable.beaconCapacity { topicOfBeacon.removeAll(keepingCapacity: true) }
        let topic = topics.window(beacon: beacon, node: node)
        topicOfBeacon[beacon] = topic
        return topic
    }
}
