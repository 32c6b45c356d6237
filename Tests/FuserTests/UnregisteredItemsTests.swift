import Bytes
import HouseTracking
import Identity
import Testing
import WireProtocol

@testable import Fuser

@Suite("Items that nobody registered")
struct UnregisteredItemsTests {
    @Test("They leave places to registered items, also after a restart")
    func places() {
        let rows = (0..<50_000).map { number in
            HouseholdRecord.Item(
                id: "item-\(number)", at: Fused.time(0), state: .unknown, room: nil, since: Fused.time(0),
                previous: nil, heard: Fused.time(0), silence: .zero, events: 0, belief: [])
        }
        var fused = Fused(remembering: HouseholdRecord(items: rows))
        fused.info("kitchen")
        fused.connect(at: 0.5)
        for second in 1...3 { fused.interval("kitchen", Double(second), ["stranger"]) }
        #expect(fused.texts(fused.topics.room("stranger")).isEmpty && fused.pipeline.counters.overfull == 3)
        let change = ItemChange(ItemEntry(Item(id: "keys", identities: [.address(0x0A0A)]), at: Fused.time(3.5)))
        fused.receive(
            Message(topic: fused.topics.itemConfig("keys"), payload: change.payload, retained: true), at: 3.5)
        for second in 4...8 { fused.interval("kitchen", Double(second), ["keys"]) }
        #expect(fused.texts(fused.topics.room("keys")).last == "kitchen")
    }
}
