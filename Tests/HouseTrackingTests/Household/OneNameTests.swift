import Bytes
import HouseTracking
import RoomEstimation
import WireProtocol
import Support
import Testing

/// Two fusers that find one move name it alike, though they don't find it in the same interval: a reader drops doubles by `id`.
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

        /// The new one hears what the old one told last.
        mutating func follow() throws {
            let last = try #require(old.locations.last)
            let time = Home.time(new.now)
            new.note { household, body in household.hear(last, of: "keys", at: time, body) }
        }

        mutating func both(_ levels: [(String, Double)]) {
            old.run(1, levels)
            new.run(1, levels)
        }

        /// The new one serves, since the old one has been silent from a moment on.
        mutating func takeOver(from silence: Double) { new.serve(.all, ends: ["a": Home.time(silence)]) }
    }

    @Test("Cut off as it decides, one tells a move late that the other has told: both give it one id")
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

    @Test("Dead between its answer and its event, one has its event told under the id that its own record has")
    func diedBetween() throws {
        var house = try House()
        // The new one finds the move, and has the old one's answer, and not its event.
        for _ in 0..<6 { house.both([("kitchen", -75), ("hall", -50)]) }
        try house.follow()
        let mine = try #require(house.old.events.first)
        house.takeOver(from: mine.at.seconds)
        #expect(house.new.events.map(\.id) == [mine.id])
    }

    @Test("Killed and started again, one gives the next move the id that a follower gives it")
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

    @Test("There and back again: each move has an id of its own")
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
