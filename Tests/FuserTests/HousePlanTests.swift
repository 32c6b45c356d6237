import Bytes
import HouseTracking
import RoomEstimation
import Testing
import WireProtocol

@testable import Fuser

/// A flat of a kitchen, a bath and a hall between them without a node; its file draws nothing.
@Suite("A plan that was drawn while the fuser runs")
struct HousePlanTests {
    private static let topic = "whereabouts/house/plan"
    /// Each node with its room and its place.
    private static let nodes = [
        ("stove", "kitchen", 0.5, 1.0), ("window", "kitchen", 2.0, 3.5), ("mirror", "bath", 10.0, 2.0),
    ]

    private static func plan(_ revision: UInt64, rooms: [String] = ["kitchen", "hall", "bath"]) -> HousePlan {
        var plan = HousePlan(revision: revision, at: Fused.time(0), by: "anna")
        plan.floors = [HousePlan.Floor(id: "ground")]
        for (index, id) in ["kitchen", "hall", "bath"].enumerated() where rooms.contains(id) {
            let (west, east) = (Double(index) * 4, Double(index) * 4 + 4)
            let corners = [(west, 0.0), (east, 0), (east, 4), (west, 4)].map { HousePlan.Corner(x: $0.0, y: $0.1) }
            plan.rooms.append(HousePlan.Room(id: id, floor: "ground", polygon: corners))
        }
        plan.nodes = nodes.map { HousePlan.Node(id: $0.0, x: $0.2, y: $0.3, z: 1) }
        plan.doors = [HousePlan.Door("kitchen", "hall"), HousePlan.Door("hall", "bath")]
        return plan
    }

    private static func message(_ plan: HousePlan) -> Message {
        Message(topic: topic, payload: plan.payload, qos: .atLeastOnce, retained: true)
    }

    /// Lets the nodes hear the keys at a place of the flat, by a level that falls with the distance.
    private static func stand(_ fused: inout Fused, at x: Double, _ y: Double, _ seconds: ClosedRange<Int>) {
        for second in seconds {
            for (node, _, nodeX, nodeY) in nodes {
                let squared = (x - nodeX) * (x - nodeX) + (y - nodeY) * (y - nodeY)
                let level = -59 - 12.5 * Mathematics.log10(max(0.25, squared)) - (abs(x - nodeX) > 3 ? 4 : 0)
                fused.interval(node, Double(second), ["keys"], level: level)
            }
        }
    }

    private static func flat(_ settings: Household.Settings? = nil, plan: HousePlan? = nil) -> Fused {
        var fused = Fused(settings: settings, plan: plan)
        for (node, room, _, _) in nodes { fused.info(node, room: room) }
        return fused
    }

    private static func room(_ fused: Fused, _ second: Int) throws -> String? {
        try fused.pipeline.explain("keys", at: Fused.time(Double(second))).room
    }

    @Test("answers a hall without a node, which nothing could name before")
    func hall() throws {
        var fused = Self.flat()
        Self.stand(&fused, at: 6, 2, 1...60)
        #expect(try Self.room(fused, 60) != "hall")
        fused.receive(Self.message(Self.plan(1)), at: 60.5)
        Self.stand(&fused, at: 6, 2, 61...240)
        #expect(try Self.room(fused, 240) == "hall")
        // And a room that nothing names can be taught.
        #expect(fused.pipeline.rooms.contains("hall"))
    }

    @Test("is there after a restart, from the first interval")
    func restart() throws {
        var fused = Self.flat()
        fused.receive(Self.message(Self.plan(3)), at: 0.5)
        let stored = try #require(fused.pipeline.takeEffects(at: Fused.time(1)).plan)
        let plan = try HousePlan(payload: Array(stored.utf8).span)
        #expect(plan == Self.plan(3))
        #expect(fused.pipeline.takeEffects(at: Fused.time(2)).plan == nil)
        var later = Self.flat(plan: plan)
        Self.stand(&later, at: 6, 2, 1...180)
        #expect(try Self.room(later, 180) == "hall")
        #expect(later.pipeline.plans.plan?.revision == 3)
    }

    @Test("is ignored if another one has a higher revision, which the broker gets back")
    func older() throws {
        var fused = Self.flat()
        fused.receive(Self.message(Self.plan(5)), at: 0.5)
        #expect(fused.texts(Self.topic).isEmpty)
        fused.receive(Self.message(Self.plan(4, rooms: ["kitchen"])), at: 1)
        #expect(fused.pipeline.plans.plan == Self.plan(5))
        #expect(fused.texts(Self.topic) == [String(decoding: Self.plan(5).payload, as: UTF8.self)])
    }

    @Test("loses a room that another plan has no more: neither is it drawn, nor does it keep the others from use")
    func removed() throws {
        var fused = Self.flat()
        fused.receive(Self.message(Self.plan(1)), at: 0.5)
        #expect(
            fused.pipeline.rooms == ["bath", "hall", "kitchen"]
                || fused.pipeline.rooms.sorted() == ["bath", "hall", "kitchen"])
        fused.receive(Self.message(Self.plan(2, rooms: ["kitchen", "bath"])), at: 1)
        #expect(fused.pipeline.rooms.sorted() == ["bath", "kitchen"])
        Self.stand(&fused, at: 6, 2, 2...100)
        #expect(try Self.room(fused, 100) != "hall")
        // And it may come back.
        fused.receive(Self.message(Self.plan(3)), at: 100.5)
        Self.stand(&fused, at: 6, 2, 101...300)
        #expect(try Self.room(fused, 300) == "hall")
    }

    @Test("doesn't overwrite what the configuration file draws")
    func file() {
        var settings = Household.Settings(fuser: "main", epoch: "00000001")
        let outline = [(0.0, 0.0), (9, 0), (9, 9)].map { House.Corner(x: $0.0, y: $0.1) }
        settings.house.draw(settings.house.addRoom("kitchen", floor: "first"), outline: outline)
        settings.house.addNode("stove", room: 0, position: House.Position(x: 7, y: 7, z: 0))
        settings.house.addNode("window", room: 0)
        var household = Household(settings: settings)
        household.draw(Self.plan(1))
        let house = household.drawnHouse
        #expect(house.rooms[0].outline == outline && house.rooms[0].floor == "first")
        #expect(house.nodes[0].position == House.Position(x: 7, y: 7, z: 0))
        #expect(house.nodes[1].position == House.Position(x: 2, y: 3.5, z: 1))
        #expect(house.room("hall").map { house.rooms[$0].nextTo.count } == 2)
        household.draw(HousePlan(revision: 2, at: Fused.time(0), by: "anna"))
        #expect(household.drawnHouse.rooms[0].outline == outline)
        #expect(household.drawnHouse.nodes[1].position == nil && household.drawnHouse.room("hall") == nil)
    }

    @Test("is rejected where it can't be read, and stays where the broker loses it")
    func hostile() {
        var fused = Self.flat()
        fused.receive(Self.message(Self.plan(2)), at: 0.5)
        fused.receive(Message(topic: Self.topic, payload: Array("{\"rev\":9,\"rooms\":[{}]}".utf8)), at: 1)
        #expect(fused.pipeline.refused == 1 && fused.pipeline.plans.plan == Self.plan(2))
        fused.receive(Message(topic: Self.topic, payload: []), at: 2)
        #expect(fused.pipeline.plans.plan == Self.plan(2))
        // Ten seconds after a connection without it the broker gets it again.
        fused.connect(at: 3)
        fused.pipeline.expectRetained(at: Fused.time(3))
        fused.advance(to: 14)
        #expect(fused.texts(Self.topic).count == 1)
    }

    @Test("A second fuser takes it over from the broker, and both keep the change that one of them makes")
    func second() throws {
        var (one, two) = (Self.flat(), Self.flat())
        var outbox: [Message] = []
        let new = one.pipeline.perform(at: Fused.time(1), &outbox) { turn in
            one.pipeline.plans.replacePlan(by: Self.plan(0), user: "ben", turn)
        }
        #expect(new.revision == 1 && new.by == "ben")
        let message = try #require(outbox.first { $0.topic == Self.topic })
        #expect(message.retained)
        two.receive(message, at: 1)
        one.receive(message, at: 1)
        #expect(two.pipeline.plans.plan == new && one.pipeline.plans.plan == new)
        #expect(one.texts(Self.topic).isEmpty && two.texts(Self.topic).isEmpty)
        Self.stand(&two, at: 6, 2, 2...180)
        #expect(try Self.room(two, 180) == "hall")
    }
}
