import Bytes
import Integrations
import BrokerSession
import Support
import WireProtocol
import Testing

@testable import Agent
import Configuration

@Suite("The discovery documents of a node")
struct NodeDiscoveryTests {
    static let place = DiscoveryPlace(prefix: "homeassistant", topicPrefix: "whereabouts")

    /// A node's discovery, and the broker's retained documents: as a broker does, it gives what is subscribed to alone.
    struct Gateway {
        var discovery: NodeDiscovery
        var broker: [String: [UInt8]]
        var regions: [String] = []
        var now = MonotonicTime.start
        var log: [Message] = []

        init(_ node: String, former: [String] = [], broker: [String: [UInt8]] = [:], _ text: String = "") throws {
            let configuration = try AgentConfiguration.load(
                text: "node: \(node)\nmqtt: {url: 'mqtt://h'}\noutputs: {home_assistant: true}\n\(text)", file: "f")
            let desk = DiscoveryClient(
                .node, name: node, prefix: "whereabouts", discoveryPrefix: configuration.discoveryPrefix, epoch: "e",
                names: former.isEmpty ? nil : former.joined(separator: "\n"))
            discovery = NodeDiscovery(desk, configuration, hasRadio: true)
            self.broker = broker
        }

        mutating func connect() {
            discovery.desk.connected(at: now)
            for (topic, payload) in broker.sorted(by: { $0.key < $1.key }) { deliver(topic, payload) }
        }

        mutating func deliver(_ topic: String, _ payload: [UInt8]) {
            guard discovery.subscriptions.contains(where: { TopicFilter.matches($0, topic) }) else { return }
            _ = discovery.desk.receive(Message(topic: topic, payload: payload, retained: true), at: now)
        }

        mutating func run(_ seconds: Int) {
            let end = now + .seconds(seconds)
            while now < end {
                now = now + .milliseconds(200)
                for message in discovery.performDueSteps(regions: { [regions] in regions }, version: "1", at: now)
                    .messages
                {
                    log.append(message)
                    if message.retained { broker[message.topic] = message.payload.isEmpty ? nil : message.payload }
                    var echo = message
                    echo.retained = false
                    guard discovery.subscriptions.contains(where: { TopicFilter.matches($0, message.topic) }) else {
                        continue
                    }
                    _ = discovery.desk.receive(echo, at: now)
                }
            }
        }

        func text(_ node: String) -> String? {
            broker[place.device(DiscoveryPlace.node(node))].map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The messages of a node with this name.
    static func told(_ node: String) throws -> [String: [UInt8]] {
        var gateway = try Gateway(node)
        gateway.connect()
        gateway.run(10)
        return gateway.broker
    }

    static func info(epoch: String) -> [UInt8] {
        var json = JSONWriter()
        NodeInfo(
            version: "1", room: "hall", adapter: "hci0", started: Timestamp(microseconds: 0), epoch: epoch, window: 1,
            publishesAll: false, registry: ""
        )
        .write(to: &json)
        return json.bytes
    }

    @Test("Publish a node and its regions, and a new region")
    func appears() throws {
        var gateway = try Gateway("kitchen")
        gateway.connect()
        gateway.run(10)
        #expect(gateway.text("kitchen")?.contains(#""name":"Node Kitchen""#) == true)
        gateway.regions = ["office"]
        gateway.run(3)
        #expect(gateway.text("kitchen")?.contains("region_office") == true)
    }

    @Test(
        "Publish the area of a node's file in its info, and none without the output",
        arguments: [true, false])
    func area(isTold: Bool) throws {
        let configuration = try AgentConfiguration.load(
            text: """
                node: hall
                mqtt: {url: 'mqtt://h'}
                outputs: {home_assistant: \(isTold)}
                home_assistant: {area: Foyer}
                """, file: "f")
        var node = Node()
        var settings = NodeSettings(node: "hall", version: "1", adapter: "replay")
        settings.announce(by: configuration)
        node.pipeline.settings = settings
        let info = try NodeInfo(payload: node.pipeline.info().payload.span)
        #expect(info.area == (isTold ? "Foyer" : nil))
    }

    @Test("Leave the device of another gateway that has the former name, even with a name that begins like ours")
    func formerNameOfAnother() throws {
        var gateway = try Gateway("living", former: ["whereabouts living_room e"], broker: Self.told("living_room"))
        gateway.broker[Topics().nodeInfo("living_room")] = Self.info(epoch: "other")
        gateway.connect()
        gateway.run(60)
        #expect(gateway.text("living_room") != nil && gateway.text("living") != nil)
        #expect(!gateway.log.contains { $0.payload.isEmpty })
    }

    @Test(
        "Leave another node's device with a name that ends like one of our entities", arguments: ["status", "gap"])
    func namedLikeAnEntity(_ key: String) throws {
        var gateway = try Gateway("hall", broker: Self.told("hall_\(key)"))
        gateway.connect()
        gateway.run(60)
        #expect(gateway.text("hall_\(key)") != nil && !gateway.log.contains { $0.payload.isEmpty })
    }

    @Test("Clear the documents under a former name that nobody else has")
    func formerName() throws {
        var gateway = try Gateway("living", former: ["whereabouts living_room e"], broker: Self.told("living_room"))
        gateway.broker[Topics().nodeInfo("living_room")] = Self.info(epoch: "e")
        gateway.connect()
        gateway.run(7)
        #expect(gateway.text("living_room") != nil, "it may be another's")
        gateway.run(8)
        #expect(gateway.text("living_room") == nil && gateway.text("living") != nil)
    }

    @Test("Release no name here by documents under another prefix")
    func formerPrefix() throws {
        var gateway = try Gateway("living", former: ["old attic e"], broker: Self.told("attic"))
        gateway.broker[Topics(prefix: "old").nodeInfo("attic")] = Self.info(epoch: "e")
        gateway.connect()
        gateway.run(20)
        #expect(gateway.text("attic") != nil && gateway.broker["old/nodes/attic/info"] == nil)
    }

    @Test("Migrate entities of the older form to the node, and clear them", arguments: ["status", "region_office"])
    func migrates(_ key: String) throws {
        let single = Self.place.single("binary_sensor", "node_hall", key)
        let office = "regions: [{id: office, ibeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0}}]"
        var gateway = try Gateway("hall", broker: [single: Array("{}".utf8)], office)
        gateway.connect()
        gateway.run(20)
        #expect(Array(gateway.broker.keys) == [Self.place.device("node_hall")])
        let words = gateway.log.filter { $0.topic == single }.map { String(decoding: $0.payload, as: UTF8.self) }
        #expect(words == [#"{"migrate_discovery":true}"#, ""])
    }
}
