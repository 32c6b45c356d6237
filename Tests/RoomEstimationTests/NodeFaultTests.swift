import Bytes
@testable import RoomEstimation
import Testing

@Suite("Nodes that are silent, dead, new or moved")
struct NodeFaultTests {
    @Test("Lose nothing by a node that never receives")
    func silentNode() {
        let lines = Lines(
            """
            kitchen -52 -55 -51 -54 -66 -74 -78 -80 -79 -81
            hall    -80 -78 -81 -79 -68 -56 -53 -52 -54 -51
            study    .   .   .   .   .   .   .   .   .   .
            """)
        #expect(lines.answers() == "kkkkkhhhhh")
    }

    @Test("Let an item leave the room of a node that dies without notice")
    func deadNode() {
        let lines = Lines(
            """
            kitchen -50 -51 -50 -52  .   .   .   .   .   .   .   .
            hall    -80 -82 -81 -79 -60 -55 -54 -53 -54 -55 -53 -54
            """)
        #expect(lines.answers().hasSuffix("hhhhhh"))
    }

    @Test("Neither hold nor move an item by a node that reports that it does not listen")
    func absentNode() {
        let away = Lines(
            """
            kitchen -50 -51 -50 -52  x   x   x   x   x   x   x   x
            hall    -80 -82 -81 -79 -60 -55 -54 -53 -54 -55 -53 -54
            """, knowsListening: true)
        #expect(away.answers().hasSuffix("hhhhhh"))
        let home = Lines(
            """
            kitchen -50 -51 -50 -52  x   x   x   x   x   x   x   x
            hall    -89 -88 -90 -91 -88 -89 -90 -88 -91 -89 -88 -90
            """, knowsListening: true)
        #expect(home.answers() == "kkkkkkkkkkkk")
    }

    @Test("Follow an item away from a dead node by faint levels at the others")
    func goneNode() {
        let lines = Lines(
            """
            kitchen -70 -71 -70 -72  x   x   x   x   x   x   x   x   x   x   x   x   x   x
            hall     .   .   .   .  -99 -97 -94 -90 -91 -90 -92 -89 -91 -90 -92 -91 -90 -91
            den     -98 -97 -99 -98  .   .   .   .   .   .   .   .   .   .   .   .   .   .
            """, knowsListening: true)
        #expect(lines.answers().hasSuffix("hhhh"))
    }

    @Test("Combine two nodes of a room as evidence for one room")
    func twoNodes() {
        let lines = Lines(
            """
            living   -60 -62 -61 -60 -63 -61
            living/2 -66 -65 -67 -64 -66 -65
            bath     -68 -67 -69 -70 -68 -69
            """)
        #expect(lines.answers() == "llllll")
    }

    @Test("Ignore the readings of a node without a room")
    func placelessNode() {
        var house = House()
        let kitchen = house.addRoom("kitchen")
        house.addNode("nowhere")
        house.addNode("kitchen", room: kitchen)
        var locator = Locator(house: house)
        let first = Timestamp(microseconds: 1_000_000)
        #expect(locator.weigh(Hop(end: first, readings: [.init(node: 0, level: -40, count: 1)])).room == nil)
        let second = first.advanced(bySeconds: 1)
        #expect(locator.weigh(Hop(end: second, readings: [.init(node: 1, level: -80, count: 1)])).room == kitchen)
    }

    @Test("Use rooms and nodes that appear later from then on")
    func growingHouse() {
        let lines = Lines(
            """
            kitchen -60 -61 -60 -62 -75 -76 -75 -76
            hall     .   .   .   .  -50 -51 -50 -52
            """)
        var small = House()
        small.addNode("kitchen", room: small.addRoom("kitchen"))
        var locator = Locator(house: small)
        for hop in lines.hops.prefix(4) { #expect(locator.weigh(hop).room == 0) }
        locator.update(like: Locator(house: lines.house))
        for hop in lines.hops.dropFirst(4) { locator.weigh(hop) }
        #expect(locator.answer.room == 1)
        #expect(abs(locator.probabilities.reduce(0, +) - 1) < 1e-9)
        var other = Locator(house: small)
        for hop in lines.hops.prefix(4) { other.weigh(hop) }
        other.update(lines.house)
        for hop in lines.hops.dropFirst(4) { other.weigh(hop) }
        #expect(other.probabilities == locator.probabilities)
    }

    @Test("Answer like a new locator after `forget`, with the state of nodes retained")
    func forgets() {
        let lines = Lines("kitchen -50 -51 -50\nhall -60 -61 -60")
        var (locator, new) = (lines.locator(), Locator(house: lines.house))
        locator.forget()
        #expect(locator.answer == Answer() && locator.probabilities.allSatisfy { $0 == 0 })
        #expect(locator.reason() == Reason())
        for hop in lines.hops {
            let (answer, expected) = (locator.weigh(hop), new.weigh(hop))
            #expect(answer.room == expected.room && answer.since == expected.since && answer.moved == expected.moved)
            #expect(abs(answer.confidence - expected.confidence) < 0.01)
        }
    }

    @Test("List the votes for and against the room in a reason, with the odds of the hop as their sum")
    func reason() throws {
        let lines = Lines(
            """
            kitchen -52
            hall    -70
            study   -90
            """)
        let reason = lines.locator().reason()
        #expect(reason.runnerUp == 1)
        #expect(reason.votes.map(\.node) == [0, 1])
        let kitchen = try #require(reason.votes.first)
        let hall = try #require(reason.votes.last)
        #expect(kitchen.nats > 0)
        #expect(hall.nats < 0)
        #expect(abs(kitchen.nats + hall.nats - Parameters().nearness.evidence * 18) < 0.01)
        #expect(Locator(house: lines.house).reason() == Reason())
    }
}
