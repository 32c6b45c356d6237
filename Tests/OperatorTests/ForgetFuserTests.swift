import Foundation
import MQTT
import WireProtocol
import Support
import Testing

/// The topics that `whereabouts forget fuser` clears at a real broker.
@Suite(.inTurn, .enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing))) struct ForgetFuserTests {
    private static let topics = Topics()

    private static func publish(_ messages: [Message], _ broker: Broker) throws {
        let client = try MQTTClient(MQTTConfiguration(address: try BrokerAddress(url: broker.url), clientID: "leaver"))
        try client.start()
        defer { client.stop(timeout: 1) }
        #expect(waitUntil(10) { client.isConnected })
        for message in messages { client.publish(message) }
        #expect(client.waitUntilUnsent(below: 1, timeout: 10))
    }

    /// The topics that the broker retains.
    private static func retained(_ broker: Broker) throws -> Set<String> {
        let client = try MQTTClient(MQTTConfiguration(address: try BrokerAddress(url: broker.url), clientID: "reader"))
        try client.subscribe([Subscription("whereabouts/#", qos: .atLeastOnce)])
        try client.start()
        defer { client.stop(timeout: 1) }
        #expect(waitUntil(10) { client.isConnected })
        // Retained messages arrive before those published after the subscription.
        client.publish(Message(topic: "whereabouts/fence", text: "", qos: .atLeastOnce))
        var topics: Set<String> = []
        var taken: [MQTTEvent] = []
        let isWhole = waitUntil(10) {
            client.takeEvents(into: &taken)
            for case .message(let message) in taken { topics.insert(message.topic) }
            return topics.contains("whereabouts/fence")
        }
        #expect(isWhole)
        return topics.subtracting(["whereabouts/fence"])
    }

    /// The exit status of forgetting a fuser.
    private static func forget(_ fuser: String, _ broker: Broker) throws -> Int32 {
        try Execution.run(Execution.path(of: "whereabouts"), ["forget", "fuser", fuser, "--broker", broker.url]).status
    }

    private static func left(_ status: [String: String]) -> [Message] {
        let texts = [
            topics.occupancy("kitchen"): #"{"v":1,"count":1,"items":["keys"]}"#,
            topics.occupancy("hall"): #"{"v":1,"count":0,"items":[]}"#,
            topics.itemTelemetry("keys"): #"{"v":1}"#,
            topics.itemConfig("keys"): #"{"v":1,"address":"a4:c1:38:00:11:22"}"#, topics.nodeInfo("hall"): "{}",
        ]
        let statuses = status.map { (topics.fuserStatus($0), $1) }
        return (texts.map { ($0, $1) } + statuses).map {
            Message(topic: $0, text: $1, qos: .atLeastOnce, retained: true)
        }
    }

    @Test("Clear a fuser's rooms and readings without another one online, and nothing that is not a fuser's")
    func alone() throws {
        let broker = try Broker()
        try Self.publish(Self.left(["old": "offline", "second": "offline"]), broker)
        // A misspelt name clears nothing.
        #expect(try Self.forget("odl", broker) == 1)
        #expect(try Self.retained(broker).count == 7)
        #expect(try Self.forget("old", broker) == 0)
        #expect(
            try Self.retained(broker)
                == [Self.topics.fuserStatus("second"), Self.topics.itemConfig("keys"), Self.topics.nodeInfo("hall")])
    }

    @Test("Leave rooms while another fuser is online, since they may be its own")
    func beside() throws {
        let broker = try Broker()
        try Self.publish(Self.left(["old": "offline", "second": "online"]), broker)
        #expect(try Self.forget("old", broker) == 0)
        let retained = try Self.retained(broker)
        #expect(!retained.contains(Self.topics.fuserStatus("old")))
        #expect(retained.contains(Self.topics.occupancy("kitchen")) && retained.contains(Self.topics.occupancy("hall")))
    }
}
