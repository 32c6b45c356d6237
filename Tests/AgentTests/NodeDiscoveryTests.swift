import Daemon
import Neighbours
import Sightings
import Testing

@testable import Agent

@Suite("What Home Assistant is told of a node")
struct NodeDiscoveryTests {
    static let second: Int64 = 1_000_000_000
    static let place = DiscoveryPlace(prefix: "homeassistant", topicPrefix: "whereabouts")

    /// A node's discovery, and the broker's retained documents: as a broker does, it gives what is subscribed to alone.
    struct Gateway {
        var discovery: NodeDiscovery
        var broker: [String: [UInt8]]
        var regions: [String] = []
        var now: Int64 = 0
        var log: [Message] = []

        init(_ node: String, former: Set<String> = [], broker: [String: [UInt8]] = [:], _ text: String = "") throws {
            let configuration = try AgentConfiguration.load(
                text: "node: \(node)\nmqtt: {url: 'mqtt://h'}\noutputs: {home_assistant: true}\n\(text)", file: "f")
            discovery = NodeDiscovery(configuration, hasRadio: true, keeping: nil)
            discovery.former = former
            self.broker = broker
        }

        mutating func connect() {
            discovery.connected(at: now)
            for (topic, payload) in broker.sorted(by: { $0.key < $1.key }) { deliver(topic, payload) }
        }

        mutating func deliver(_ topic: String, _ payload: [UInt8]) {
            guard discovery.subscriptions.contains(where: { TopicFilter.matches($0, topic) }) else { return }
            _ = discovery.receive(Message(topic: topic, payload: payload, retained: true), at: now)
        }

        mutating func run(_ seconds: Int64) {
            let end = now + seconds * second
            while now < end {
                now += second / 5
                for message in discovery.turn(regions: { [regions] in regions }, version: "1", at: now).messages {
                    log.append(message)
                    if message.retained { broker[message.topic] = message.payload.isEmpty ? nil : message.payload }
                    var echo = message
                    echo.retained = false
                    guard discovery.subscriptions.contains(where: { TopicFilter.matches($0, message.topic) }) else {
                        continue
                    }
                    _ = discovery.receive(echo, at: now)
                }
            }
        }

        func text(_ node: String) -> String? {
            broker[place.device(DiscoveryPlace.node(node))].map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// What a node of this name has told.
    static func told(_ node: String) throws -> [String: [UInt8]] {
        var gateway = try Gateway(node)
        gateway.connect()
        gateway.run(10)
        return gateway.broker
    }

    @Test("a node and its regions appear, and a region that is new is told")
    func appears() throws {
        var gateway = try Gateway("kitchen")
        gateway.connect()
        gateway.run(10)
        #expect(gateway.text("kitchen")?.contains(#""name":"Node Kitchen""#) == true)
        gateway.regions = ["office"]
        gateway.run(3)
        #expect(gateway.text("kitchen")?.contains("region_office") == true)
    }

    @Test("another gateway that has the former name by now keeps its device, also where that name begins like ours")
    func formerNameOfAnother() throws {
        var gateway = try Gateway("living", former: ["living_room"], broker: Self.told("living_room"))
        gateway.connect()
        gateway.run(60)
        #expect(gateway.text("living_room") != nil && gateway.text("living") != nil)
        #expect(!gateway.log.contains { $0.payload.isEmpty })
    }

    @Test(
        "a device stays whose name is another node's and ends like one of our entities", arguments: ["status", "gap"])
    func namedLikeAnEntity(_ key: String) throws {
        var gateway = try Gateway("hall", broker: Self.told("hall_\(key)"))
        gateway.connect()
        gateway.run(60)
        #expect(gateway.text("hall_\(key)") != nil && !gateway.log.contains { $0.payload.isEmpty })
    }

    @Test("what stands under a former name goes when nobody else has that")
    func formerName() throws {
        var gateway = try Gateway("living", former: ["living_room"], broker: Self.told("living_room"))
        gateway.connect()
        gateway.run(8)
        gateway.discovery.release(Topics().nodeStatus("living_room"))
        gateway.run(5)
        #expect(gateway.text("living_room") == nil && gateway.text("living") != nil)
    }

    @Test("entities of the older form hand over to the node, and are cleared")
    func migrates() throws {
        let single = Self.place.single("binary_sensor", "node_hall", "status")
        var gateway = try Gateway("hall", broker: [single: Array("{}".utf8)])
        gateway.connect()
        gateway.run(20)
        #expect(Array(gateway.broker.keys) == [Self.place.device("node_hall")])
        let words = gateway.log.filter { $0.topic == single }.map { String(decoding: $0.payload, as: UTF8.self) }
        #expect(words == [#"{"migrate_discovery":true}"#, ""])
    }
}
