import Support
import Testing

/// Ten simulated minutes of the whole road in one process.
@Suite("The whole road on a virtual clock", .serialized) struct LoopbackTests {
    @Test("In the simulated flat the answers are right and quick")
    func flat() throws {
        var loopback = try Loopback("house")
        try loopback.run(seconds: 600)
        let scores = loopback.scores()
        print("loopback, a small flat, 10 min:")
        for score in scores { print("  " + score.row) }
        #expect(loopback.isWhole, "\(loopback.leftOut)")
        #expect(scores.map(\.item) == ["cat", "keys", "phone"])
        for score in scores {
            #expect(score.accuracy >= 0.5, "\(score.row)")
        }
    }

    @Test("In a quiet household nothing walks by itself")
    func quiet() throws {
        var loopback = try Loopback("quiet-house")
        try loopback.run(seconds: 600)
        let scores = loopback.scores()
        print("loopback, a quiet house, 10 min:")
        for score in scores { print("  " + score.row) }
        #expect(loopback.isWhole, "\(loopback.leftOut)")
    }

    @Test("The same seed gives the same bytes, another seed others")
    func determinism() throws {
        var one = try Loopback("house")
        var two = try Loopback("house")
        var other = try Loopback("house", seed: 21)
        try one.run(seconds: 60)
        try two.run(seconds: 60)
        try other.run(seconds: 60)
        #expect(one.digest == two.digest)
        #expect(one.digest != other.digest)
        #expect(!one.seen.isEmpty)
    }
}
