import Bytes
import Integrations
import Support
import WireProtocol
import Testing

@Suite("Discovery over changes of the configuration")
struct DiscoveryTests {
    @Test("clear the documents of a disabled output, and then publish nothing")
    func off() {
        let on = Discovery(
            prefix: "homeassistant", topicPrefix: "whereabouts", kinds: ["item_"], name: "main", keeping: nil)
        #expect(on.row == "at homeassistant")
        var off = Discovery(prefix: nil, topicPrefix: "whereabouts", kinds: ["item_"], name: "main", keeping: on.row)
        #expect(off.subscriptions() == ["homeassistant/+/whereabouts/+/config", "homeassistant/status"])
        off.connected(at: .start)
        let topic = DiscoveryBookTests.place.device("item_keys")
        let isTaken = off.receive(Message(topic: topic, text: "{}", retained: true), at: .start)
        #expect(isTaken)
        var cleared: [Message] = []
        for time in 1...20 {
            let steps = off.advance(to: .second(time), owns: { _ in true }, describe: { _ in nil })
            cleared += steps.messages
        }
        #expect(cleared == [.clearing(topic)] && off.row == "" && off.subscriptions().isEmpty)
        let never = Discovery(prefix: nil, topicPrefix: "whereabouts", kinds: ["item_"], name: "main", keeping: nil)
        #expect(never.subscriptions().isEmpty && never.row == "")
    }

    @Test("remove the devices of an output disabled while Home Assistant was off, at its next start")
    func offWhileAway() {
        var off = Discovery(
            prefix: nil, topicPrefix: "whereabouts", kinds: ["item_"], name: "main", keeping: "at homeassistant")
        var told: [Message] = []
        func run(_ off: inout Discovery, _ seconds: ClosedRange<Int>) {
            for time in seconds {
                told += off.advance(to: .second(time), owns: { _ in true }, describe: { _ in nil }).messages
            }
        }
        off.connected(at: .start)
        let topic = DiscoveryBookTests.place.device("item_keys")
        let payload = DiscoveryBookTests.document("keys", ["room"]).payload(at: DiscoveryBookTests.place, "item_keys")
        _ = off.receive(Message(topic: topic, payload: payload, retained: true), at: .start)
        run(&off, 1...20)
        #expect(told == [.clearing(topic)] && off.row == "at homeassistant\nitem_keys room:sensor")
        var next = Discovery(prefix: nil, topicPrefix: "whereabouts", kinds: ["item_"], name: "main", keeping: off.row)
        next.connected(at: .start)
        run(&next, 1...20)
        _ = next.receive(DiscoveryBookTests.birth, at: .second(20))
        run(&next, 21...40)
        #expect(told.count == 3 && told.last?.payload.isEmpty == true && told.last?.retained == false)
        #expect(next.row == "" && next.subscriptions().isEmpty)
        let isTaken = next.receive(.clearing(topic), at: .second(41))
        #expect(isTaken, "what still comes is no stranger's")
    }

    @Test("leave nothing under a former discovery prefix")
    func moved() {
        var moved = Discovery(
            prefix: "ha", topicPrefix: "whereabouts", kinds: ["item_"], name: "main",
            keeping: "at homeassistant\nitem_gone room:sensor")
        #expect(moved.row == "at ha\nat homeassistant")
        moved.markWanted("item_keys")
        moved.connected(at: .start)
        let old = DiscoveryBookTests.place.device("item_keys")
        _ = moved.receive(Message(topic: old, text: "{}", retained: true), at: .start)
        var told: [Message] = []
        for time in 1...20 {
            told +=
                moved.advance(
                    to: .second(time), owns: { _ in true },
                    describe: { DiscoveryBookTests.document($0, ["room"]) }
                ).messages
        }
        #expect(Set(told.map(\.topic)) == ["ha/device/whereabouts/item_keys/config", old])
        #expect(told.first { $0.topic == old }?.payload.isEmpty == true)
        #expect(moved.prefixes == ["ha"])
    }
}
