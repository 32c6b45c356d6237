import Daemon
import Fusion
import Testing

@testable import Fuser

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
}
