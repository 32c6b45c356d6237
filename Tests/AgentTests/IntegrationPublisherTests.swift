@testable import Agent
import Foundation
import Identity
import Integrations
import WireProtocol
import Testing

@Suite("The messages of a node for other systems")
struct IntegrationPublisherTests {
    private func node(espresense: String? = "espresense", mqttRoom: String? = nil, publishesAll: Bool = true) -> Node {
        var settings = NodeSettings(node: "kitchen", room: "cellar", version: "0.1.0", adapter: "replay")
        settings.publishesAll = publishesAll
        settings.offset = 2
        (settings.espresense, settings.mqttRoom) = (espresense, mqttRoom)
        var node = Node()
        let items = [
            Item(id: "keys", name: "Keys", identities: [.iBeacon(uuid: Node.uuid, major: 100, minor: 1)]),
            Item(id: "lamp", identities: [.address(0x0A0A)]),
        ]
        node.pipeline = NodePipeline(
            settings: settings, registry: Registry(items: items), epoch: "5f1c09aa", started: Node.time(0))
        return node
    }

    private func told(_ node: Node, _ root: String) -> [Message] { node.outbox.filter { $0.topic.hasPrefix(root) } }

    private func object(_ message: Message) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any])
    }

    @Test("Publish each field that Companion reads, with its meaning")
    func companion() throws {
        var node = node()
        for (second, level) in [(10.1, Int8(-70)), (10.4, -72), (10.7, -74)] {
            node.hear(second, 1, Node.iBeacon(1), rssi: level)
        }
        node.advance(to: 11.5)
        let message = try #require(told(node, "espresense/devices/").first)
        #expect(message.topic == "espresense/devices/iBeacon:\(Node.uuid)-100-1/kitchen")
        #expect(message.qos == .atMostOnce && !message.retained)
        let fields = try object(message)
        #expect(fields["rssi"] as? Double == -70 && fields["rxAdj"] as? Double == -2)
        #expect(fields["rssiVar"] as? Double == 4 && fields["rssi@1m"] as? Double == -59)
        #expect(fields["name"] as? String == "Keys")
        // 10^((-59 + 70) / 27), as an ESPresense node reckons it.
        #expect(fields["distance"] as? Double == 2.56)
        let slope = 2.555 * 2.302585 / 27
        #expect(abs((fields["var"] as? Double ?? 0) - slope * slope * 4) < 0.01)
        #expect(fields["id"] as? String == "iBeacon:\(Node.uuid)-100-1" && fields["int"] as? Int == 333)
        #expect(fields["mac"] == nil)
    }

    @Test("Clear an earlier run's messages for ESPresense that this run doesn't publish")
    func leavings() {
        let node = node(espresense: nil)
        func left(_ info: String) -> [String] {
            node.pipeline.leavings(of: Message(topic: "whereabouts/nodes/kitchen/info", text: info, retained: true))
        }
        let rest =
            #""version":"1","room":"cellar","adapter":"replay","started":1,"epoch":"5f1c09aa","#
            + #""settings":{"window":1,"publish":"all"},"registry":"""#
        let info = #"{"v":1,"espresense":"espresense",\#(rest)}"#
        #expect(left(info) == ["espresense/rooms/kitchen/status"])
        #expect(left("{\"v\":1,\(rest)}").isEmpty && left("").isEmpty && left("{").isEmpty)
        let told = Message(topic: "whereabouts/nodes/kitchen/info", text: info, retained: true)
        #expect(self.node().pipeline.leavings(of: told).isEmpty, "it stands there now")
        #expect(self.node(espresense: "esp").pipeline.leavings(of: told) == ["espresense/rooms/kitchen/status"])
    }

    @Test("Publish every field for a single packet without a known power")
    func least() throws {
        var node = node()
        node.hear(10.1, 0x0A0A, [0x02, 0x01, 0x06])
        node.advance(to: 11.5)
        let message = try #require(told(node, "espresense/devices/").first)
        #expect(message.topic == "espresense/devices/000000000a0a/kitchen")
        let fields = try object(message)
        #expect(fields["mac"] as? String == "000000000a0a" && fields["rssi@1m"] as? Double == -71)
        for key in ["distance", "var", "rssi", "rxAdj"] { #expect(fields[key] is Double, "\(key)") }
    }

    @Test("Publish an Eddystone beacon on ESPresense's own topic, with its telemetry")
    func eddystone() throws {
        var node = node()
        let frame: [UInt8] = [
            3, 3, 0xAA, 0xFE, 23, 0x16, 0xAA, 0xFE, 0, 0xEE, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 0, 0,
        ]
        node.hear(10.1, 5, frame)
        node.hear(10.2, 5, Node.telemetry)
        node.advance(to: 11.5)
        let message = try #require(told(node, "espresense/devices/").first)
        #expect(message.topic == "espresense/devices/eddy:0001020304040506070809-010203040506/kitchen")
        let fields = try object(message)
        #expect(fields["mV"] as? Int == 2950 && fields["temp"] as? Double == 21.5)
    }

    @Test("Publish rooms for mqtt_room under the item's id, and retain no sample")
    func room() throws {
        var node = node(espresense: nil, mqttRoom: "room_presence", publishesAll: false)
        node.hear(10.1, 1, Node.iBeacon(1))
        node.advance(to: 11.5)
        let message = try #require(told(node, "room_presence/").first)
        #expect(message.topic == "room_presence/cellar" && !message.retained && message.qos == .atMostOnce)
        let fields = try object(message)
        #expect(fields["id"] as? String == "keys" && fields["name"] as? String == "Keys")
        #expect(fields["distance"] is Double)
        #expect(told(node, "espresense/").isEmpty)
    }

    @Test("Publish telemetry every fifteen seconds, and nothing for a disabled output")
    func telemetry() throws {
        var node = node()
        node.hear(10.1, 1, Node.iBeacon(1))
        node.advance(to: 60)
        let telemetry = told(node, "espresense/rooms/kitchen/telemetry")
        #expect(telemetry.count == 4)
        let payload = try #require(telemetry.last).payload
        let last = try ESPresenseTelemetry(payload: payload.span)
        #expect(last.adverts == 1 && last.reported == 1 && last.version == "0.1.0" && last.firmware == "whereabouts")
        var silent = self.node(espresense: nil)
        silent.hear(10.1, 1, Node.iBeacon(1))
        silent.advance(to: 60)
        #expect(silent.outbox.allSatisfy { $0.topic.hasPrefix("whereabouts/") })
    }
}
