import Bytes
import Foundation
import BrokerSession
import WireProtocol
import Store
import System
import Support
import Testing

/// The promise of docs/protocol/event-delivery.md, in modelled worlds: broker, network and clocks are modelled, all else
/// is shipped. A user whose history is to be relied on loses that where one of them fails.
@Suite("Whatever befalls broker, network, clocks and programs, a fuser has each event once and in order")
struct ContractModelTests {
    /// The schedules of this run: one or a range (`40-79`) that is asked for, 300 in a long proof, or as many as take some
    /// seconds.
    static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        let asked = (environment["WHEREABOUTS_SEED"] ?? "").split(separator: "-").compactMap { UInt64($0) }
        if let first = asked.first, let last = asked.last, first <= last { return Array(first...last) }
        return Array(0..<(LongProofs.areRequested ? 300 : 4))
    }()

    @Test(
        "After repair no event inside the bounds is lost, doubled or out of order, and what fell outside is named",
        arguments: seeds)
    func schedule(seed: UInt64) throws {
        let world = try ModelWorld(seed: seed)
        let problems = try world.run()
        if Self.seeds.count == 1 { print(world.story.joined(separator: "\n")) }
        #expect(
            problems.isEmpty,
            """
            \(problems.prefix(12).joined(separator: "\n"))
            \(world.story.joined(separator: "\n"))
            again: WHEREABOUTS_SEED=\(seed) swift test --filter ContractModelTests
            """)
    }

    /// Who asks for everything must not be told everything at once: the queue to the broker has a bound, too.
    @Test("A replay tells a thousand events an answer, and from which one to go on")
    func replayIsBounded() throws {
        let at = Timestamp(microseconds: 1_795_248_000_000_000)
        let state = try PersistentState(path: nil, holding: .node, at: at, log: Log(environment: [:], level: .error))
        state.commitBatch(at: at) { batch in
            for _ in 0..<2500 { batch.append(EventDraft(at: at, kind: "enter", payload: [])) }
        }
        let epoch = state.store.epoch
        var asked: UInt64 = 1
        var answers: [Int] = []
        while let next = try { () -> UInt64? in
            let told = try state.replayEvents(epoch: epoch, from: asked)
            answers.append(told.events.count)
            #expect(told.report.last == 2500)
            return told.report.next
        }() {
            asked = next
        }
        #expect(answers == [1000, 1000, 500])
        let unknown = try state.replayEvents(epoch: "none", from: 1)
        #expect(unknown.events.isEmpty && unknown.report == ReplayReport(unknown: "none", kept: [epoch]))
        #expect(unknown.report.failure?.contains("the epoch now is '\(epoch)'") == true)
    }
}
