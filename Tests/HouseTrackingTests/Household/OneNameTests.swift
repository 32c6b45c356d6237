import Bytes
import HouseTracking
import RoomEstimation
import WireProtocol
import Support
import Testing

/// Two fusers that find one move and give it the same id, though in different intervals: a reader drops duplicates by
/// `id`.
@Suite struct OneNameTests {
    /// One that serves, and one that has followed it for five seconds, in which the item lay in the kitchen.
    private struct House {
        var old = Home(fuser: "a")
        var new = Home(fuser: "b")

        init() throws {
            old.run(60, [("kitchen", -50), ("hall", -75)])
            new.skip(to: old.now)
            new.serve(ShardSet())
            try follow()
            for _ in 0..<5 { both([("kitchen", -50), ("hall", -75)]) }
        }

        /// The new one receives the old one's last publication.
        mutating func follow() throws {
            let last = try #require(old.locations.last)
            let time = Home.time(new.now)
            new.note { household, body in household.receivePeerAnswer(last, of: "keys", at: time, body) }
        }

        mutating func both(_ levels: [(String, Double)]) {
            old.run(1, levels)
            new.run(1, levels)
        }

        /// The new one serves, since the old one has been silent from a moment on.
        mutating func takeOver(from silence: Double) { new.serve(.all, ends: ["a": Home.time(silence)]) }
    }

    @Test("Give a move one id if a fuser that was cut off publishes it later than the other")
    func cutOff() throws {
        var apart = 0
        for level in stride(from: -70.0, through: -62, by: 0.5) {
            var house = try House()
            let cut = house.old.now
            for _ in 0..<20 { house.both([("kitchen", -68), ("hall", level)]) }
            house.takeOver(from: cut)
            guard let one = house.old.events.first, let other = house.new.events.first else { continue }
            #expect(one.id == other.id && one.itemSeq == other.itemSeq, "\(level)")
            apart += one.at == other.at ? 0 : 1
        }
        #expect(apart > 0)
    }

    @Test("Publish the event of a fuser that died after its answer under the id in its own record")
    func diedBetween() throws {
        var house = try House()
        // The new one finds the move, and has the old one's answer, and not its event.
        for _ in 0..<6 { house.both([("kitchen", -75), ("hall", -50)]) }
        try house.follow()
        let mine = try #require(house.old.events.first)
        house.takeOver(from: mine.at.seconds)
        #expect(house.new.events.map(\.id) == [mine.id] && house.new.events.map(\.itemSeq) == [mine.itemSeq])
    }

    @Test("Lead the event of a fuser that died after its answer from where that fuser had the item before")
    func diedBetweenOnItsOwnWay() throws {
        var house = try House()
        var told = try #require(house.old.locations.last)
        let left = Home.time(house.new.now)
        // The old one alone has lost the item for a while.
        (told.state, told.room, told.previous) = (.away, nil, "kitchen")
        (told.since, told.at, told.itemSeq) = (left, left, 1)
        house.new.note { household, body in household.receivePeerAnswer(told, of: "keys", at: left, body) }
        for _ in 0..<10 { house.new.run(1, [("kitchen", -75), ("hall", -50)]) }
        let now = Home.time(house.new.now)
        (told.state, told.room, told.since, told.at, told.itemSeq) = (.present, "hall", now, now, 2)
        house.new.note { household, body in household.receivePeerAnswer(told, of: "keys", at: now, body) }
        house.takeOver(from: house.new.now)
        #expect(house.new.events.map(\.kind) == [.arrived] && house.new.events.map(\.itemSeq) == [2])
        #expect(house.new.events.map(\.room) == ["hall"] && house.new.events.map(\.previous) == [nil])
    }

    @Test("Publish no event of an answer that stood for seconds before its fuser died")
    func diedLater() throws {
        var house = try House()
        for _ in 0..<6 { house.both([("kitchen", -75), ("hall", -50)]) }
        try house.follow()
        let mine = try #require(house.old.events.first)
        house.takeOver(from: mine.at.seconds + 4)
        #expect(house.new.events.isEmpty && house.new.locations.last?.room == "hall")
        for _ in 0..<20 { house.both([("kitchen", -50), ("hall", -75)]) }
        #expect(house.new.events.map(\.itemSeq) == [2] && house.new.events.map(\.previous) == ["hall"])
    }

    @Test("Publish no move of its own that leads elsewhere than the answer of a fuser that died after its event")
    func otherWay() throws {
        var house = try House()
        // The new one alone finds the item in the hall for a while.
        for _ in 0..<10 { house.new.run(1, [("kitchen", -75), ("hall", -50)]) }
        house.old.skip(to: house.new.now)
        for _ in 0..<10 { house.new.run(1, [("kitchen", -50), ("hall", -75)]) }
        var told = try #require(house.old.locations.last)
        let end = Home.time(house.new.now)
        (told.since, told.at, told.previous, told.itemSeq) = (end, end, "hall", 1)
        house.new.note { household, body in household.receivePeerAnswer(told, of: "keys", at: end, body) }
        house.takeOver(from: end.seconds)
        #expect(house.new.events.allSatisfy { $0.room == "kitchen" })
        #expect(house.new.locations.last?.room == "kitchen" && house.new.locations.last?.itemSeq == 1)
    }

    @Test("Leave out what the fuser before says of a time before the own move, and repeat the own answer")
    func stoodStill() throws {
        var house = try House()
        let stale = try #require(house.old.locations.last)
        let silence = house.new.now
        for _ in 0..<10 { house.new.run(1, [("kitchen", -75), ("hall", -50)]) }
        house.takeOver(from: silence)
        #expect(house.new.events.map(\.room) == ["hall"])
        let count = house.new.locations.count
        let now = Home.time(house.new.now)
        house.new.note { household, body in
            household.receivePeerAnswer(stale, of: "keys", at: now, body)
            household.repeatOverwritten(at: now, beside: [:], body)
        }
        #expect(house.new.locations.count == count + 1 && house.new.locations.last?.room == "hall")
        for _ in 0..<20 { house.new.run(1, [("kitchen", -75), ("hall", -50)]) }
        #expect(house.new.events.count == 1)
    }

    @Test("Give the next move after a restart the id that a follower gives it")
    func restarted() throws {
        var house = try House()
        house.old.restart(after: 2, with: house.old.record())
        house.new.skip(to: house.old.now)
        let cut = house.old.now
        for _ in 0..<5 { house.both([("kitchen", -50), ("hall", -75)]) }
        for _ in 0..<10 { house.both([("kitchen", -75), ("hall", -50)]) }
        house.takeOver(from: cut)
        let told = try #require(house.old.events.first)
        #expect(house.new.events.map(\.id) == [told.id])
    }

    @Test("Give each move there and back an id of its own")
    func thereAndBack() {
        var home = Home()
        for _ in 0..<6 {
            home.run(20, [("kitchen", -50), ("hall", -75)])
            home.run(20, [("kitchen", -75), ("hall", -50)])
        }
        #expect(home.events.count == 11)
        #expect(Set(home.events.map(\.id)).count == 11)
    }
}
