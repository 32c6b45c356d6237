import Bytes
import Testing

@testable import HCI

/// A ladder on a clock of its own: one line of what happens in, one line of what is tried out.
@Suite struct RecoveryLadderTests {
    typealias Rung = RecoveryLadder.Rung

    /// Climbs until `end`; each rung ends as `outcome` says. What was tried, and when.
    static func climb(
        _ ladder: inout RecoveryLadder, from start: Double = 0, until end: Double,
        _ outcome: (Rung) -> RecoveryLadder.Outcome
    ) -> [(Double, Rung)] {
        var tried: [(Double, Rung)] = []
        var now = start
        while now < end {
            if let rung = ladder.nextRung(at: .at(now)) {
                tried.append((now, rung))
                ladder.receive(outcome(rung), at: .at(now))
            } else if let due = ladder.nextDeadline, due.seconds > now {
                now = due.seconds
            } else {
                break
            }
        }
        return tried
    }

    @Test("Begin with gentle steps for a deaf controller, each with time to take effect")
    func mute() {
        var ladder = RecoveryLadder()
        ladder.begin(.mute, at: .at(0))
        let tried = Self.climb(&ladder, until: 15) { _ in .done }
        #expect(tried.map(\.1) == Rung.allCases)
        #expect(tried.map(\.0) == [0, 0.7, 1.4, 2.4, 6.4, 10.4])
    }

    @Test("Reset a controller that doesn't answer at once, and leave a failed step at once")
    func silent() {
        var ladder = RecoveryLadder()
        ladder.begin(.silent, at: .at(5))
        let tried = Self.climb(&ladder, from: 5, until: 6) { _ in .failed }
        #expect(tried.map(\.1) == [.reset, .downUp, .power, .bus])
        #expect(ladder.isResting)
    }

    @Test("Skip the steps that can't help after a cause became worse")
    func worse() {
        var ladder = RecoveryLadder()
        ladder.begin(.mute, at: .at(0))
        let first = ladder.nextRung(at: .at(0))
        ladder.receive(.failed, at: .at(2.5))
        ladder.begin(.silent, at: .at(2.5))
        let second = ladder.nextRung(at: .at(2.5))
        #expect(first == .reenable && second == .reset)
    }

    @Test("Don't count impossible steps as tried, and remember them")
    func impossible() {
        var ladder = RecoveryLadder()
        ladder.begin(.silent, at: .at(0))
        _ = Self.climb(&ladder, until: 1) { $0 == .bus ? .impossible : .failed }
        #expect(ladder.tried == [.reset: 1, .downUp: 1, .power: 1, .bus: 0])
        #expect(ladder.impossible == [.bus])
    }

    @Test("Rest longer and longer without success, and never give up")
    func rests() {
        var ladder = RecoveryLadder()
        ladder.begin(.silent, at: .at(0))
        let resets = Self.climb(&ladder, until: 7200) { _ in .failed }.filter { $0.1 == .reset }.map(\.0)
        let pauses = zip(resets, resets.dropFirst()).map { $1 - $0 }
        #expect(Array(pauses.prefix(7)) == [15, 30, 60, 120, 240, 480, 900])
        #expect(pauses.dropFirst(7).allSatisfy { $0 == 900 } && resets.count >= 10)
    }

    @Test("Report the step that helped, with the time it took")
    func recovery() throws {
        var ladder = RecoveryLadder()
        ladder.begin(.mute, at: .at(10))
        _ = Self.climb(&ladder, from: 10, until: 11) { _ in .done }
        let recovered = ladder.recordRecovery(at: .at(11.2))
        let recovery = try #require(recovered)
        #expect(recovery.rung == .parameters && recovery.after == .milliseconds(1200))
        #expect(ladder.helped == [.parameters: 1] && !ladder.isClimbing && ladder.nextDeadline == nil)
        let again = ladder.recordRecovery(at: .at(14))
        #expect(again == nil)
    }

    @Test("Reset less often for a fault that soon returns, and as often as at first after calm days")
    func backOff() {
        for (calm, rest) in [(60.0, 30.0), (600, 15)] {
            var ladder = RecoveryLadder()
            ladder.begin(.silent, at: .at(0))
            _ = Self.climb(&ladder, until: 1) { _ in .failed }
            _ = ladder.recordRecovery(at: .at(10))
            ladder.begin(.silent, at: .at(10 + calm))
            let resets = Self.climb(&ladder, from: 10 + calm, until: 100 + calm) { _ in .failed }
                .filter { $0.1 == .reset }.map(\.0)
            #expect(resets.count >= 2 && resets[1] - resets[0] == rest)
        }
    }
}

@Suite struct ResumptionTests {
    @Test("Resume the scan at most 20 times a minute, and soon at first")
    func bounded() {
        var limit = Resumptions()
        var taken: [Double] = []
        var now = 0.0
        while now < 300 {
            if limit.takeChance(at: .at(now)) { taken.append(now) }
            now += 0.05
        }
        #expect(taken.prefix(5).allSatisfy { $0 < 1 })
        for moment in taken { #expect(taken.count { $0 >= moment && $0 < moment + 60 } <= 20) }
        #expect(taken.count > 70, "it never gives up")
    }

    @Test("Resume as soon as at first after a quiet time, and report the next chance")
    func refilled() {
        var limit = Resumptions()
        let first = (0..<6).map { _ in limit.takeChance(at: .at(1)) }
        #expect(first == [true, true, true, true, true, false])
        #expect(limit.nextChance(from: .at(1)) == .at(5))
        let next = (0..<2).map { _ in limit.takeChance(at: .at(5)) }
        #expect(next == [true, false])
        let later = (0..<6).map { _ in limit.takeChance(at: .at(100)) }
        #expect(later == first)
    }
}
