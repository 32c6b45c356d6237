import Daemon
import Neighbours
import Sightings
import Testing

@testable import Agent

@Suite("A node among others, as Home Assistant is told") struct NodeDiscoveryTests {
    @Test("A node leaves the device of another one alone whose name begins with its own")
    func neighbour() throws {
        let configuration = try AgentConfiguration.load(
            text: "node: kitchen\nmqtt: {url: 'mqtt://h'}\noutputs: {home_assistant: true}\n", file: "f")
        var discovery = NodeDiscovery(configuration, hasRadio: true, keeping: nil)
        let place = DiscoveryPlace(topicPrefix: "whereabouts")
        // It reads its own entities of the older form, and they are called so.
        let other = place.device("node_kitchen_gap")
        let single = place.single("sensor", "node_kitchen", "gap")
        discovery.connected(at: 0)
        for topic in [other, single] where discovery.subscriptions.contains(where: { TopicFilter.matches($0, topic) }) {
            _ = discovery.receive(Message(topic: topic, text: "{}", retained: true), at: 1)
        }
        var told: [Message] = []
        for second in 1...30 {
            let steps = discovery.turn(regions: { [] }, version: "1", at: Int64(second) * 1_000_000_000)
            told += steps.messages
        }
        #expect(told.contains { $0.topic == place.device("node_kitchen") })
        #expect(told.contains { $0.topic == single && $0.payload.isEmpty })
        #expect(!told.contains { $0.topic == other }, "it is node kitchen_gap's")
    }
}
