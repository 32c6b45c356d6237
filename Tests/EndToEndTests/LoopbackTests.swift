import Support
import Testing

/// Ten simulated minutes of the whole system in one process: the least accepted value is the measured one, less .05.
@Suite("The whole road on a virtual clock") struct LoopbackTests {
    /// The greatest median delay of a nearest room, in seconds.
    static let latency = 2.5

    @Test("Answer right and quickly in the simulated flat")
    func flat() throws {
        // Measured: .888, .823 and .933.
        let least = ["cat": 0.838, "keys": 0.773, "phone": 0.883]
        let scores = try scores(of: "house", "a small flat")
        #expect(scores.map(\.item) == least.keys.sorted())
        for score in scores {
            #expect(score.accuracy >= least[score.item] ?? 1, "\(score.row)")
            #expect(score.latency ?? 9 <= Self.latency, "\(score.row)")
            #expect(score.missed == 0 && score.latencies.count > 20, "\(score.row)")
            // Measured: 18 to 24, with a person in the hall, which has no node, every ten seconds; elsewhere none.
            #expect(score.flapsAnHour <= 60, "\(score.row)")
            #expect(score.flaps - score.passing <= 2, "\(score.row)")
        }
    }

    @Test("Keep items in their rooms in a quiet household")
    func quiet() throws {
        // Measured: .984, 1 and .974. The keys are out of the house.
        let least = ["badge": 0.934, "cat": 0.95, "drill": 0.924]
        for score in try scores(of: "quiet-house", "a quiet house") where score.seconds > 0 {
            #expect(score.accuracy >= least[score.item] ?? 1, "\(score.row)")
        }
    }

    private func scores(of name: String, _ title: String) throws -> [Score] {
        var loopback = try Loopback(name)
        // The first interval may be weighed before all nodes are known.
        try loopback.run(seconds: 5)
        let leftOut = loopback.leftOut
        try loopback.run(seconds: 595)
        #expect(loopback.leftOut == leftOut)
        let scores = loopback.scores()
        print("loopback, \(title), 10 min:")
        for score in scores { print("  " + score.row) }
        return scores
    }

    @Test("Publish the same bytes for the same seed, and others for another")
    func determinism() throws {
        func digest(seed: UInt64? = nil) throws -> String {
            var loopback = try Loopback("house", seed: seed)
            loopback.isDigested = true
            try loopback.run(seconds: 120)
            #expect(!loopback.seen.isEmpty)
            return loopback.digest
        }
        let one = try digest()
        #expect(try digest() == one)
        #expect(try digest(seed: 21) != one)
    }
}
