import Bytes
@testable import RoomEstimation
import Support
import Testing

@Suite("A house that is drawn")
struct FloorPlanTests {
    /// Kitchen, pantry and hall in a row, and a loft above the kitchen; pantry and loft have no node.
    ///
    ///     0   4   7   11
    ///     | k | p | h |   4 m deep
    struct Flat {
        var house = House()
        var nodes: [(room: Int, x: Double, y: Double)] = [(0, 0.5, 1), (0, 2, 3.5), (2, 10, 2), (2, 8, 0.5)]
        private var generator: SeededGenerator

        init(isDrawn: Bool = true, loft: Bool = false, seed: UInt64 = 1) {
            generator = SeededGenerator(seed: seed)
            for (name, west, east) in [("kitchen", 0.0, 4.0), ("pantry", 4, 7), ("hall", 7, 11)] {
                let room = house.addRoom(name, floor: "ground")
                if isDrawn { house.draw(room, outline: Self.rectangle(west, east)) }
            }
            if loft { house.draw(house.addRoom("loft", floor: "attic"), outline: Self.rectangle(0, 7)) }
            for (index, node) in nodes.enumerated() {
                house.addNode("node-\(index)", room: node.room, position: .init(x: node.x, y: node.y, z: 1))
            }
        }

        static func rectangle(_ west: Double, _ east: Double) -> [House.Corner] {
            [.init(x: west, y: 0), .init(x: east, y: 0), .init(x: east, y: 4), .init(x: west, y: 4)]
        }

        /// A second at a place; walls of 5 dB, a floor of 10, fading of 3 dB.
        mutating func hop(_ x: Double, _ y: Double, isAbove: Bool = false, second: Int) -> Hop {
            let room = x < 4 ? 0 : x < 7 ? 1 : 2
            let readings = nodes.enumerated().map { index, node in
                let up = isAbove ? 9.0 : 0
                let distance = ((node.x - x) * (node.x - x) + (node.y - y) * (node.y - y) + 1 + up).squareRoot()
                let walls = 5 * Double(abs(node.room - room)) + (isAbove ? 10 : 0)
                let level = -52 - 20 * Mathematics.log10(distance) - walls + 3 * generator.normal()
                return Hop.Reading(node: index, level: level, count: 3)
            }
            return Hop(end: Timestamp(microseconds: Int64(second) * 1_000_000), readings: readings)
        }
    }

    /// The share of the seconds in each stay for which its room was answered, except for the first ten.
    private func settled(_ stays: [(x: Double, room: Int)], _ flat: inout Flat, _ locator: inout Locator) -> [Double] {
        var second = 0
        return stays.map { stay in
            var right = 0.0
            for age in 0..<40 {
                second += 1
                let answer = locator.weigh(flat.hop(stay.x, 2, second: second))
                if age >= 10, answer.room == stay.room { right += 1 }
            }
            return right / 30
        }
    }

    @Test("Answer a room without a node, and its neighbours", arguments: [1, 2, 3] as [UInt64])
    func nodeless(seed: UInt64) {
        var flat = Flat(seed: seed)
        var locator = Locator(house: flat.house)
        let shares = settled([(1, 0), (5.5, 1), (9.5, 2), (5.5, 1), (2, 0)], &flat, &locator)
        #expect(shares.allSatisfy { $0 > 0.8 }, "\(shares)")
    }

    @Test("Count a listening node's silence against places near it, and ignore a deaf one's")
    func silence() {
        // West, hall, east, porch: the nodes of the hall receive west and east alike, the porch's receives of them the
        // east.
        var house = House()
        for (index, name) in ["west", "hall", "east", "porch"].enumerated() {
            house.draw(house.addRoom(name), outline: Flat.rectangle(4 * Double(index), 4 * Double(index + 1)))
        }
        for (index, y) in [0.5, 2, 3.5].enumerated() {
            house.addNode("hall-\(index)", room: 1, position: .init(x: 6, y: y, z: 1))
        }
        house.addNode("porch", room: 3, position: .init(x: 14, y: 2, z: 1))
        func west(_ nodes: [Int], porch: Double? = nil) -> Double {
            var locator = Locator(house: house)
            for second in 1...60 {
                let isLate = second > 30
                let levels = [-78, -76, -78] + (isLate ? [porch] : [-78]).compactMap { $0 }
                let readings = levels.enumerated().map { Hop.Reading(node: $0, level: $1, count: 1) }
                let end = Timestamp(microseconds: Int64(second) * 1_000_000)
                locator.weigh(Hop(end: end, readings: readings, listening: NodeSet(isLate ? nodes : [0, 1, 2, 3])))
            }
            return locator.probabilities[0]
        }
        let (silent, deaf, heard) = (west([0, 1, 2, 3]), west([0, 1, 2]), west([0, 1, 2, 3], porch: -78))
        #expect(silent > 2 * deaf, "\(silent), \(deaf)")
        #expect(deaf > heard, "\(deaf), \(heard)")
    }

    @Test("Derive a node's vote for a room against another from its level, or its silence")
    func votes() throws {
        let flat = Flat()
        let plan = try #require(FloorPlan(flat.house, parameters: Parameters.Positions()))
        var filter = PositionFilter(parameters: Parameters.Positions())
        func weigh(_ levels: [Double?]) -> [Int: Double] {
            let readings = levels.enumerated().compactMap { node, level in
                level.map { Hop.Reading(node: node, level: $0, count: 1) }
            }
            filter.weigh(Hop(end: Timestamp(microseconds: 0), readings: readings), plan)
            let votes = filter.votes(for: 0, against: 2, on: plan)
            return Dictionary(uniqueKeysWithValues: votes.map { ($0.node, $0.nats) })
        }
        #expect(filter.votes(for: 0, against: 2, on: plan).isEmpty, "nothing was heard")
        let loud = weigh([-60, -60, -82, -80])
        #expect((0...3).allSatisfy { loud[$0] ?? 0 > 0 }, "the kitchen's are loud and the hall's faint: \(loud)")
        let silent = weigh([-60, -60, nil, nil])
        #expect(silent[2] ?? 0 > 0 && silent[3] ?? 0 > 0, "\(silent)")
        #expect(filter.votes(for: 2, against: 0, on: plan).allSatisfy { $0.nats < 0 })
    }

    @Test("Answer a neighbour for a room without an outline")
    func notDrawn() {
        var flat = Flat(isDrawn: false)
        var locator = Locator(house: flat.house)
        #expect(settled([(1, 0), (5.5, 1)], &flat, &locator)[1] == 0)
        #expect(locator.probabilities[1] < 1e-9)
    }

    @Test("Separate a floor without a node from the one below")
    func above() {
        var flat = Flat(loft: true, seed: 2)
        var locator = Locator(house: flat.house)
        var right = 0
        for second in 1...40 { locator.weigh(flat.hop(2, 2, second: second)) }
        #expect(locator.answer.room == 0)
        for second in 41...100 where locator.weigh(flat.hop(5.5, 2, isAbove: true, second: second)).room == 3 {
            right += 1
        }
        #expect(right > 30)
    }

    @Test("Make no plan of an incomplete drawing")
    func noPlan() throws {
        let parameters = Parameters.Positions()
        var flat = Flat()
        #expect(try #require(FloorPlan(flat.house, parameters: parameters)).share == parameters.search.share)
        var undrawn = flat.house
        undrawn.addRoom("shed")
        #expect(FloorPlan(undrawn, parameters: parameters) == nil)
        undrawn.draw(3, outline: Flat.rectangle(11, 14))
        #expect(FloorPlan(undrawn, parameters: parameters) != nil)
        undrawn.vacate(room: 3)
        #expect(FloorPlan(undrawn, parameters: parameters) != nil)
        flat.house.addNode("fifth", room: 1)
        #expect(FloorPlan(flat.house, parameters: parameters) == nil, "no room is looked for, and two have a place")
        flat.house.addNode("fifth", position: .init(x: 5.5, y: 1, z: 1))
        #expect(try #require(FloorPlan(flat.house, parameters: parameters)).share == parameters.support.share)
        let few = Flat(isDrawn: true).house
        var two = House()
        for room in few.rooms { two.draw(two.addRoom(room.id), outline: room.outline) }
        for node in few.nodes.prefix(2) { two.addNode(node.id, room: node.room, position: node.position) }
        #expect(FloorPlan(two, parameters: parameters) == nil)
        for far in [1e5, 1e308, .infinity, .nan] {
            var vast = few
            vast.addNode("node-0", position: .init(x: far, y: 0, z: 0))
            #expect(FloorPlan(vast, parameters: parameters) == nil, "\(far)")
            vast = few
            vast.draw(0, outline: [.init(x: -far, y: 0), .init(x: far, y: 0), .init(x: 0, y: far)])
            #expect(FloorPlan(vast, parameters: parameters) == nil, "\(far)")
        }
    }

    @Test("Keep an item in a room without a node over a kill and restart")
    func restart() throws {
        var flat = Flat(seed: 4)
        var locator = Locator(house: flat.house)
        for second in 1...60 { locator.weigh(flat.hop(5.5, 2, second: second)) }
        #expect(locator.answer.room == 1)
        var later = Locator(house: flat.house)
        later.resume(try #require(locator.record))
        #expect(later.answer.room == 1)
        for second in 65...125 { #expect(later.weigh(flat.hop(5.5, 2, second: second)).room == 1, "\(second)") }
    }

    @Test("Decide for any shape of outline if a place is inside")
    func outlines() {
        let angle: [House.Corner] = [(0, 0), (4, 0), (4, 2), (2, 2), (2, 4), (0, 4)].map { .init(x: $0.0, y: $0.1) }
        for inside in [(1.0, 1.0), (3, 1), (1, 3)] { #expect(angle.surround(.init(x: inside.0, y: inside.1))) }
        for outside in [(3.0, 3.0), (-1, 1), (5, 1), (1, 5)] {
            #expect(!angle.surround(.init(x: outside.0, y: outside.1)))
        }
        // A line is no room: no place is in it, and nothing traps.
        let line: [House.Corner] = [(0, 0), (4, 0), (2, 0)].map { .init(x: $0.0, y: $0.1) }
        #expect(!line.surround(.init(x: 2, y: 0)))
        var house = House()
        for name in ["one", "two"] { house.draw(house.addRoom(name), outline: line) }
        for node in 0..<3 { house.addNode("n\(node)", room: 0, position: .init(x: Double(node), y: 0, z: 0)) }
        #expect(FloorPlan(house, parameters: Parameters.Positions()) == nil)
    }

    @Test("Ignore levels that no radio reports, and nodes without a place")
    func hostile() {
        var flat = Flat(seed: 5)
        flat.house.addNode("loose")
        flat.house.addNode("unplaced", room: 0)
        var locator = Locator(house: flat.house)
        for second in 1...30 {
            var hop = flat.hop(5.5, 2, second: second)
            hop.insert(.init(node: 4, level: -40, count: 1))
            hop.insert(.init(node: 5, level: 20, count: 1))
            hop.insert(.init(node: 900, level: -127, count: 1))
            locator.weigh(hop)
        }
        #expect(abs(locator.probabilities.reduce(0, +) - 1) < 1e-9)
        #expect(locator.probabilities.allSatisfy { $0.isFinite && $0 >= 0 })
        #expect(locator.probabilities[1] > 0.3)
    }
}
