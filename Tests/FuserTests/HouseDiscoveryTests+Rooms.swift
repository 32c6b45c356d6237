import Testing

@testable import Fuser
import WireProtocol

extension HouseDiscoveryTests {
    @Test("a room whose node is heard of late stays, and one that nobody names goes when all has come")
    func lateRoom() throws {
        var house = try House()
        house.fused.info("kitchen")
        house.fused.info("attic")
        house.connect()
        house.run(10)
        #expect(house.text("room_kitchen") != nil && house.text("room_attic") != nil)
        var next = try House()
        next.broker = house.broker
        next.connect()
        next.run(20)
        // What the broker had retained comes slowly.
        next.discovery.noteRetained(at: next.now)
        next.run(2)
        next.fused.info("kitchen")
        next.run(7)
        #expect(next.text("room_kitchen") != nil && next.text("room_attic") != nil)
        #expect(!next.log.contains { $0.payload.isEmpty })
        next.discovery.noteRetained(at: next.now)
        next.run(8)
        #expect(next.text("room_attic") != nil, "for ten seconds after the last of it")
        next.run(5)
        #expect(next.text("room_attic") == nil && next.text("room_kitchen") != nil)
        // With the next connection what is known is known.
        next.connect()
        next.run(60)
        #expect(next.text("room_kitchen") != nil)
    }
}
