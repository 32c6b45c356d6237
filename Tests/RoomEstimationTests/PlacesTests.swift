import Bytes
@testable import RoomEstimation
import Support
import Testing

@Suite("A house whose nodes have a place, and whose rooms are not drawn")
struct PlacesTests {
    /// Six rooms of a flat in two rows, a node somewhere in each; levels fall with the distance, and by walls and
    /// bodies.
    private struct Flat {
        private static let rooms: [(west: Double, south: Double, east: Double, north: Double)] = [
            (0, 0, 5, 4), (5, 0, 9, 4), (9, 0, 12, 4), (0, 4, 3, 8), (3, 4, 8, 8), (8, 4, 12, 8),
        ]

        var house = House()
        private var nodes: [(x: Double, y: Double)] = []
        private var louder: [Double] = []
        private var generator: SeededGenerator

        init(seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            for (index, room) in Self.rooms.enumerated() {
                let place = place(in: room)
                nodes.append(place)
                louder.append(3 * generator.normal())
                house.addNode("node-\(index)", room: house.addRoom("room-\(index)"))
            }
        }

        /// The same house with the places of its nodes.
        var placed: House {
            var house = house
            for (index, place) in nodes.enumerated() {
                house.addNode("node-\(index)", position: .init(x: place.x, y: place.y, z: 1))
            }
            return house
        }

        private mutating func place(
            in room: (west: Double, south: Double, east: Double, north: Double)
        ) -> (x: Double, y: Double) {
            (
                Double.random(in: room.west + 0.5...room.east - 0.5, using: &generator),
                Double.random(in: room.south + 0.5...room.north - 0.5, using: &generator)
            )
        }

        /// Forty stays of twenty seconds, each at one place of a room: its room and its hops.
        mutating func stays() -> [(room: Int, hops: [Hop])] {
            var second = 0
            return (0..<40).map { _ in
                let room = Int.random(in: 0..<Self.rooms.count, using: &generator)
                let place = place(in: Self.rooms[room])
                let shadows = nodes.map { _ in 4 * generator.normal() }
                return (
                    room,
                    (0..<20).map { _ in
                        second += 1
                        return hop(place, room, shadows, second)
                    }
                )
            }
        }

        private mutating func hop(
            _ place: (x: Double, y: Double), _ room: Int, _ shadows: [Double], _ second: Int
        ) -> Hop {
            let readings = nodes.indices.map { node in
                let (x, y) = (nodes[node].x - place.x, nodes[node].y - place.y)
                let loss = 20 * Mathematics.log10((x * x + y * y + 1).squareRoot()) + (node == room ? 0 : 4)
                let level = -55 + louder[node] - loss + shadows[node] + 3 * generator.normal()
                return Hop.Reading(node: node, level: level, count: 2)
            }
            return Hop(end: Timestamp(microseconds: Int64(second) * 1_000_000), readings: readings)
        }
    }

    /// The seconds that were answered right, except for the first five of each stay.
    private func right(_ stays: [(room: Int, hops: [Hop])], in house: House) -> Int {
        var locator = Locator(house: house)
        return stays.reduce(0) { sum, stay in
            sum + stay.hops.enumerated().count { locator.weigh($1).room == stay.room && $0 >= 5 }
        }
    }

    @Test("Answer better than by the nearest node alone, most times")
    func better() {
        var (plain, placed, worse) = (0, 0, 0)
        for seed in 1...20 as ClosedRange<UInt64> {
            var flat = Flat(seed: seed)
            let stays = flat.stays()
            let (one, other) = (right(stays, in: flat.house), right(stays, in: flat.placed))
            plain += one
            placed += other
            if other < one { worse += 1 }
        }
        print("places of nodes: \(placed) seconds of 12,000 right, \(plain) without, \(worse) of 20 flats worse")
        #expect(placed > plain)
        #expect(worse < 10)
    }

    @Test("Assign a place to the room of the nearest node on its floor")
    func cells() throws {
        var house = House()
        for (name, floor, x) in [("kitchen", "ground", 0.0), ("hall", "ground", 8), ("loft", "attic", 4)] {
            house.addNode(name, room: house.addRoom(name, floor: floor), position: .init(x: x, y: 0, z: 1))
        }
        house.addRoom("pantry", floor: "cellar")
        let layout = try #require(Layout(house, parameters: Parameters.Positions()))
        #expect(layout.floors == ["ground", "attic"], "nobody can be told to be where no node stands")
        #expect(layout.room(at: .init(x: 3.9, y: 5), floor: 0) == 0)
        #expect(layout.room(at: .init(x: 4.1, y: 5), floor: 0) == 1)
        #expect(layout.room(at: .init(x: 8, y: 0), floor: 1) == 2)
        let plan = try #require(FloorPlan(house, parameters: Parameters.Positions()))
        #expect(plan.inside == plan.cells && plan.floors == 2)
    }

    @Test("Make no plan of fewer than three rooms, nor of rooms above one another without floors")
    func noPlan() {
        func isPlanned(_ house: House) -> Bool { FloorPlan(house, parameters: Parameters.Positions()) != nil }
        var house = House()
        for (name, room, x) in [("stove", "kitchen", 0.0), ("window", "kitchen", 3), ("hall", "hall", 6)] {
            house.addNode(name, room: house.addRoom(room), position: .init(x: x, y: 0, z: 1))
        }
        #expect(!isPlanned(house), "two rooms")
        house.addNode("den", room: house.addRoom("den"), position: .init(x: 9, y: 0, z: 2.5))
        #expect(isPlanned(house))
        var tall = house
        tall.addNode("den", position: .init(x: 9, y: 0, z: 4.2))
        #expect(!isPlanned(tall), "on one floor none hangs so high")
        tall.addRoom("den", floor: "upper")
        #expect(!isPlanned(tall), "the others' floor isn't known, and one room alone tells nothing")
        for room in ["kitchen", "hall"] { tall.addRoom(room, floor: "ground") }
        #expect(isPlanned(tall))
        house.addNode("new", room: house.addRoom("loft"))
        #expect(isPlanned(house), "of the loft it knows nothing")
    }

    /// A house of rooms in a row with a node in each, so many metres along if it has a place, and a locator in it.
    private func row(of places: [Double?]) -> Locator {
        var house = House()
        for (index, x) in places.enumerated() {
            house.addNode(
                "\(index)", room: house.addRoom("\(index)"), position: x.map { House.Position(x: $0, y: 0, z: 1) })
        }
        return Locator(house: house)
    }

    private func hear(_ levels: [Double?], _ seconds: ClosedRange<Int>, by locator: inout Locator) {
        for second in seconds {
            let readings = levels.enumerated().compactMap { node, level in
                level.map { Hop.Reading(node: node, level: $0, count: 1) }
            }
            locator.weigh(Hop(end: Timestamp(microseconds: Int64(second) * 1_000_000), readings: readings))
        }
    }

    @Test("Leave rooms off the plan whose node has no place, or never received the item")
    func unknownRooms() {
        var locator = row(of: [0, 4, 8, nil])
        hear([-80, nil, nil, -60], 1...60, by: &locator)
        #expect(locator.answer.room == 3)
        #expect(locator.probabilities[3] > 0.9, "\(locator.probabilities)")
        #expect(locator.probabilities[1...2].allSatisfy { $0 < 1e-9 }, "they never heard it: \(locator.probabilities)")
        #expect(abs(locator.probabilities.reduce(0, +) - 1) < 1e-9)
    }

    @Test("Sum to one if two nodes hang on one wall, so that the plan shows one of their rooms")
    func oneWall() {
        var locator = row(of: [4, 8, 12, 4])
        hear([-60, -70, -75, -62], 1...60, by: &locator)
        #expect(abs(locator.probabilities.reduce(0, +) - 1) < 1e-9)
        #expect(locator.answer.room == 0)
        hear([-66, -70, -75, -58], 61...120, by: &locator)
        #expect(locator.answer.room == 3, "\(locator.probabilities)")
    }

    @Test("Ignore the plan while only nodes without a place receive, and for drawn rooms of such nodes")
    func unplacedAlone() {
        for isDrawn in [false, true] {
            var house = row(of: [0, 4, 8, nil]).house
            for room in 0...3 where isDrawn {
                let (west, east) = (Double(4 * room - 2), Double(4 * room + 2))
                let corners = [(west, -2.0), (east, -2), (east, 2), (west, 2)]
                house.draw(room, outline: corners.map { House.Corner(x: $0.0, y: $0.1) })
            }
            var locator = Locator(house: house)
            hear([-85, -75, -58, -75], 1...60, by: &locator)
            #expect(locator.answer.room == 2)
            #expect(locator.shareOfPlan == Parameters().positions.support.share, "drawn: \(isDrawn)")
            hear([nil, nil, nil, -58], 61...90, by: &locator)
            #expect(locator.answer.room == 3, "drawn: \(isDrawn): \(locator.probabilities)")
            #expect(locator.shareOfPlan == nil)
            hear([-85, nil, nil, -58], 91...120, by: &locator)
            #expect(locator.answer.room == 3 && locator.probabilities[3] > 0.9, "\(locator.probabilities)")
            #expect(locator.reason().votes.first { $0.node == 0 }.map { $0.nats < 0 } ?? true, "\(locator.reason())")
        }
    }

    @Test("Begin anew in the answered room if places change, and continue without a plan if there are none")
    func changed() {
        var locator = row(of: [0, 4, 8, 12])
        hear([-60, -75, -80, -85], 1...60, by: &locator)
        #expect(locator.shareOfPlan == Parameters().positions.support.share)
        let house = locator.house
        var moved = house
        for (index, x) in [12.0, 8, 4, 0].enumerated() {
            moved.addNode("\(index)", position: .init(x: x, y: 0, z: 1))
        }
        locator.update(moved)
        // The last room's cells are in the place of the kitchen's: the belief in those must not count for it.
        hear([-70, -70, -70, -70], 61...61, by: &locator)
        #expect(locator.probabilities[3] < 0.1, "\(locator.probabilities)")
        hear([-60, -75, -80, -85], 62...120, by: &locator)
        #expect(locator.answer.room == 0)
        var plain = House()
        for index in 0...3 { plain.addNode("\(index)", room: plain.addRoom("\(index)")) }
        locator.update(plain)
        #expect(locator.shareOfPlan == nil)
        hear([-85, -80, -75, -60], 121...180, by: &locator)
        #expect(locator.answer.room == 3)
        locator.update(house)
        #expect(locator.shareOfPlan == Parameters().positions.support.share, "it begins in the room that is answered")
        hear([-70, -70, -70, -70], 181...181, by: &locator)
        #expect(locator.probabilities[0] < 0.1, "\(locator.probabilities)")
    }
}
