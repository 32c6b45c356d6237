@testable import RoomEstimation
import Support
import Testing

@Suite("An item that walks or rests")
struct WalkTests {
    @Test("Follow a walk between two rooms within a few seconds")
    func walk() {
        let lines = Lines(
            """
            kitchen -52 -55 -51 -54 -66 -74 -78 -80 -79 -81
            hall    -80 -78 -81 -79 -68 -56 -53 -52 -54 -51
            """)
        #expect(lines.answers() == "kkkkkhhhhh")
    }

    @Test("Follow a walk there and back, the second move after a doubt")
    func thereAndBack() {
        let lines = Lines(
            """
            kitchen -52 -55 -51 -76 -78 -80 -79 -52 -51 -55 -50 -51 -50 -52
            hall    -80 -78 -81 -54 -53 -52 -54 -79 -80 -82 -80 -79 -80 -81
            """)
        let answers = lines.answers()
        #expect(answers.hasPrefix("kkkhhhh"))
        #expect(answers.hasSuffix("kkkk"))
    }

    @Test("Avoid flaps of an item at rest, for any noise", arguments: [1, 2, 3] as [UInt64])
    func rest(seed: UInt64) {
        var toy = ToyHouse(rooms: 3, nodesIn: [0, 1, 2], seed: seed)
        var locator = Locator(house: toy.house)
        var moves = 0
        for second in 1...3_600 {
            let answer = locator.weigh(toy.hop(at: 6, second: second))
            if answer.moved, second > 10 { moves += 1 }
        }
        #expect(moves == 0, "seed \(seed)")
        #expect(locator.answer.room == 1)
    }

    @Test("Move nothing by one level that is 20 dB off")
    func outlier() {
        let lines = Lines(
            """
            kitchen -52 -55 -51 -54 -53 -72 -54 -52
            hall    -70 -68 -71 -69 -70 -64 -70 -71
            """)
        #expect(lines.answers() == "kkkkkkkk")
    }

    @Test("Answer unknown before the first packet, and retain the room in silence, with less confidence")
    func gaps() {
        let lines = Lines(
            """
            kitchen . . . -55 -54 -52 -53 . . . . . . . . . . . .
            hall    . . . -70 -72 -74 -73 . . . . . . . . . . . .
            study   . . .  .   .   .  -80 . . . . . . . . . . . .
            """)
        #expect(lines.answers() == "???kkkkkkkkkkkkkkkk")
        var locator = Locator(house: lines.house)
        var confidences: [Double] = []
        for hop in lines.hops { confidences.append(locator.weigh(hop).confidence) }
        #expect(confidences[0] == 0)
        #expect(confidences[6] > 0.9)
        #expect(confidences[18] < 0.7)
        #expect(locator.answer.since == lines.hops[3].end)
    }

    @Test("Treat missing seconds like empty ones")
    func leftOut() {
        let lines = Lines(
            """
            kitchen -55 -54 -52 -53 . . . . . -60
            hall    -70 -72 -74 -73 . . . . . -61
            """)
        var whole = Locator(house: lines.house)
        for hop in lines.hops { whole.weigh(hop) }
        var sparse = Locator(house: lines.house)
        for hop in lines.hops where !hop.readings.isEmpty { sparse.weigh(hop) }
        #expect(whole.probabilities == sparse.probabilities)
    }

    @Test("Treat a packet lost in the item's own room as no silence")
    func missedPacket() {
        let lines = Lines(
            """
            kitchen -62 -61 -63 -60 . -62 -61
            hall    -70 -71 -69 -70 -70 -71 -69
            """)
        #expect(lines.answers() == "kkkkkkk")
    }

    @Test("Search an item behind doors first, and on other floors last")
    func doors() {
        var house = House()
        for (room, floor) in [("a", "ground"), ("b", "ground"), ("c", "ground"), ("d", "upper")] {
            house.addRoom(room, floor: floor)
        }
        house.join(0, 1)
        let motion = Motion(house: house, stay: 0.8, parameters: Parameters.Motion())
        let chances = motion.chances[0..<4]
        #expect(abs(chances.reduce(0, +) - 1) < 1e-12)
        #expect(chances[0] == 0.8)
        #expect(chances[1] > 5 * chances[2])
        #expect(chances[2] > 2 * chances[3])
    }
}
