import Foundation
import Support
import Testing
import WireProtocol

@testable import Fuser

/// The division of the shards among the members of a pool, in modelled worlds: the cluster, its delays and the clocks are
/// modelled, the members are as shipped.
@Suite("Whatever befalls brokers and fusers of a pool, each shard has one fuser that knows its items")
struct PoolModelTests {
    /// One schedule or a range (`40-79`) that is asked for, 200 in a long proof, or as many as take
    /// some seconds.
    static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        let words = (environment["WHEREABOUTS_SEED"] ?? "").split(separator: "-")
        let asked = words.compactMap { UInt64($0) }
        if let first = asked.first, let last = asked.last, first <= last { return Array(first...last) }
        return Array(0..<(LongProofs.areRequested ? 200 : 3))
    }()

    @Test(
        "Fusers are killed, stand still, are cut off and come back: never two for long, never nobody, none unprepared",
        arguments: seeds)
    func schedule(seed: UInt64) {
        var world = PoolWorld(seed: seed, members: 4 + Int(seed % 3))
        for _ in 0..<4 { world.disturb() }
        for index in 0..<12 {
            // Some of the faults meet, and some are alone.
            world.run(.seconds([1.5, 7, 20][(index + Int(seed)) % 3]))
            world.disturb()
        }
        world.run(.seconds(5))
        world.repair()
        world.run(.seconds(45))
        let problems = world.problems + world.unsettled().prefix(4)
        #expect(
            problems.isEmpty,
            """
            \(problems.joined(separator: "\n"))
            \(world.story.joined(separator: "\n"))
            again: WHEREABOUTS_SEED=\(seed) swift test --filter PoolModelTests
            """)
    }

    @Test(
        "A fuser that goes moves only its own shards, one that comes takes only its own",
        arguments: 0..<(LongProofs.areRequested ? 4 : 2) as Range<UInt64>)
    func fewShardsMove(seed: UInt64) {
        let count = 4 + Int(seed % 4)
        var world = PoolWorld(seed: seed, members: count)
        world.repair()
        world.run(.seconds(40))
        let all = world.owners()
        #expect(all.count == 256)
        let gone = "fuser-0-\(seed)"
        world.kill(gone)
        world.run(.seconds(30))
        let moved = all.filter { $0.value != world.owners()[$0.key] }
        #expect(moved.values.allSatisfy { $0 == gone } && moved.count <= 2 * 256 / count)
        world.start(gone)
        world.run(.seconds(30))
        #expect(world.owners() == all)
        #expect(world.problems.isEmpty, "\(world.problems)")
    }

    @Test("A member that is alone serves everything at once")
    func alone() {
        var world = PoolWorld(seed: 1, members: 1)
        world.repair()
        world.run(.seconds(3))
        #expect(world.owners().count == 256)
    }
}
