import Bytes
import Foundation
import WireProtocol
import Testing

/// Things that nobody moves, over a while of the virtual clock: the people of the house walk about between them.
@Suite("Things at rest on a virtual clock", .serialized) struct RestTests {
    /// How long each looks on, and when a thing has lain for long enough; 28,800 s in place of these are eight hours.
    static let seconds = Double(ProcessInfo.processInfo.environment["WHEREABOUTS_REST_SECONDS"] ?? "") ?? 600
    static let warmUp = 120.0

    @Test("What lies in a room with a node is told of once, and never moves", arguments: [1, 2] as [UInt64])
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

    /// Ten minutes, whatever the others take: over hours a thing beside a room's edge is learned to be louder than it is, until
    /// another room explains it.
    @Test(
        "Nor does it in a house that somebody taught by a minute in each room",
        arguments: [1, 2] as [UInt64])
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

    /// How often the answer changed since when the thing had lain for long enough; nil where it wasn't known then.
    private static func moves(of thing: StillHouse.Thing, in loopback: Loopback, from: Timestamp) -> Int? {
        let told = loopback.seen.filter { $0.item == thing.id }
        guard let first = told.lastIndex(where: { $0.at.seconds(since: from) <= warmUp }) else { return nil }
        return StillHouse.moves(in: told[first...].map(\.location.word))
    }

    @Test("The drill in its cupboard is where it lies")
    func drill() throws {
        var loopback = try Loopback("quiet-house")
        try loopback.run(seconds: Self.seconds)
        let score = try #require(loopback.scores(warmUp: Self.warmUp).first { $0.item == "drill" })
        print("at rest: " + score.row)
        #expect(score.accuracy > 0.99 && score.flaps == 0, "\(score.row)")
    }
}
