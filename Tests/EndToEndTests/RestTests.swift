import Bytes
import Foundation
import WireProtocol
import Testing

/// Items at rest, over a while of the virtual clock: the people of the house walk about between them.
@Suite("Things at rest on a virtual clock") struct RestTests {
    /// The length of each observation, and the time after which an item counts as resting; 28,800 s in place of these
    /// are eight hours.
    static let seconds = Double(ProcessInfo.processInfo.environment["WHEREABOUTS_REST_SECONDS"] ?? "") ?? 600
    static let warmUp = 120.0
    static let seeds: [UInt64] = Live.isFull ? [1, 2] : [1]

    @Test("Publish an item at rest in a room with a node once, without a move", arguments: seeds)
    func rest(seed: UInt64) throws {
        let still = try StillHouse(seed: seed)
        var loopback = try Loopback(still.scenario)
        try loopback.run(seconds: Self.seconds)
        for thing in still.hearable {
            let moves = try #require(Self.moves(of: thing, in: loopback, from: loopback.begin))
            print("at rest, seed \(seed), \(thing.room), a packet each \(thing.interval) s: \(moves) moves")
            #expect(moves == 0, "seed \(seed), \(thing.room), a packet each \(thing.interval) s")
        }
    }

    /// Ten minutes, independent of the others' length: over hours a thing beside a room's edge is learned to be louder
    /// than it is, until another room explains it.
    @Test("Publish no move of an item at rest in a house taught by a minute in each room", arguments: seeds)
    func taught(seed: UInt64) throws {
        let still = try StillHouse(seed: seed)
        var loopback = try still.taught()
        let from = loopback.now
        try loopback.run(seconds: Self.warmUp + 600)
        for thing in still.hearable {
            let moves = try #require(Self.moves(of: thing, in: loopback, from: from))
            print("taught, seed \(seed), \(thing.room), a packet each \(thing.interval) s: \(moves) moves")
            #expect(moves == 0, "seed \(seed), \(thing.room), a packet each \(thing.interval) s")
        }
    }

    /// The number of changes of the answer since the thing has rested for long enough; nil if the answer was unknown
    /// then.
    private static func moves(of thing: StillHouse.Thing, in loopback: Loopback, from: Timestamp) -> Int? {
        let told = loopback.seen.filter { $0.item == thing.id }
        guard let first = told.lastIndex(where: { $0.at.seconds(since: from) <= warmUp }) else { return nil }
        return StillHouse.moves(in: told[first...].map(\.location.placeText))
    }

    @Test("Locate the drill in its cupboard")
    func drill() throws {
        var loopback = try Loopback("quiet-house")
        try loopback.run(seconds: Self.seconds)
        let score = try #require(loopback.scores(warmUp: Self.warmUp).first { $0.item == "drill" })
        print("at rest: " + score.row)
        #expect(score.accuracy > 0.99 && score.flaps == 0, "\(score.row)")
    }
}
