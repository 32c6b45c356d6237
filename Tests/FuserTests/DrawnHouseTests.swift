import Configuration
import Testing

@testable import Fuser
import HouseTracking
import RoomEstimation
import WireProtocol

@Suite("A house that a fuser's file draws")
struct DrawnHouseTests {
    @Test("has its rooms' outlines and its nodes' places")
    func drawn() throws {
        let configuration = try FuserConfiguration.load(
            text: """
                mqtt: {url: 'mqtt://h'}
                rooms:
                  - {id: kitchen, floor: ground, polygon: [[0, 0], [4, 0], [4, 3.5]]}
                  - {id: hall}
                nodes: {stove: {room: kitchen, x: 1.5, y: 2}, door: {room: hall}}
                """, file: "f")
        let house = Household.Settings(configuration, epoch: "e").house
        #expect(house.rooms.map(\.outline.count) == [3, 0])
        #expect(house.rooms[0].outline[2] == House.Corner(x: 4, y: 3.5) && house.rooms[0].floor == "ground")
        #expect(house.nodes.map(\.position) == [House.Position(x: 1.5, y: 2, z: 0), nil])
    }

    /// A kitchen with three nodes and a pantry beside it, both drawn.
    private static func drawnHouse() -> Household.Settings {
        var settings = Household.Settings(fuser: "main", epoch: "00000001")
        for (index, room) in ["kitchen", "pantry"].enumerated() {
            let (west, east) = (Double(4 * index), Double(4 * index + 4))
            let outline = [(west, 0.0), (east, 0), (east, 4), (west, 4)].map { House.Corner(x: $0.0, y: $0.1) }
            settings.house.draw(settings.house.addRoom(room), outline: outline)
        }
        for node in 0...2 {
            let place = House.Position(x: 0.5 + Double(node), y: Double(node), z: 1)
            settings.house.addNode("kitchen\(node)", room: 0, position: place)
        }
        return settings
    }

    @Test("A node in a room that isn't drawn is told of once: outlines have no effect meanwhile")
    func undrawn() {
        var fused = Fused(settings: Self.drawnHouse())
        fused.info("kitchen")
        #expect(fused.pipeline.takeNotes().isEmpty)
        for _ in 1...2 { fused.info("shed") }
        let note = """
            node shed stands in shed, which has no polygon: those of the other rooms have no effect meanwhile (give 'rooms' its \
            polygon, or the node its room: nodes: {shed: {room: …}})
            """
        #expect(fused.pipeline.takeNotes() == [note])
        #expect(fused.pipeline.takeNotes().isEmpty)
        var plain = Fused()
        plain.info("shed")
        #expect(plain.pipeline.takeNotes().isEmpty)
    }

    @Test("Why an item is where it is says that the plan decides with the nearest node, and what each node says by it")
    func why() throws {
        var fused = Fused(settings: Self.drawnHouse())
        let nodes = ["kitchen0", "kitchen1", "kitchen2"]
        for node in nodes { fused.info(node, room: "kitchen") }
        for second in 1...9 {
            for node in nodes { fused.interval(node, Double(second), ["keys"]) }
        }
        let why = try fused.pipeline.explain("keys", at: Fused.time(9))
        #expect(why.plan == Parameters().positions.search.share && why.runnerUp == "pantry")
        #expect(why.nodes.count == 3 && why.nodes.allSatisfy { $0.weight != nil })
    }
}
