import Bytes
import Identity
import Presence
import Support
import Testing
import WireProtocol

/// A short excerpt of the table that etc/proofs/cadence makes of a hundred days.
@Suite struct FalseExitTests {
    @Test(
        "Report no false exit of a weakly received beacon in a day, and each departure in time",
        arguments: [(1.0, false), (5, false), (10, false), (30, true), (60, true)])
    func day(_ interval: Double, _ isTooSlow: Bool) throws {
        for seed in 1...(LongProofs.areRequested ? 2 : 1) as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var watch = Watch(Region(id: "keys", members: .item("keys")))
            var time = 0.0
            var heard = 0
            var wrong = 0
            var departures: [Double] = []
            while time < 86_400 {
                // Every eight hours it is absent for an hour.
                if time.truncatingRemainder(dividingBy: 28_800) > 25_200 {
                    if departures.last.map({ time - $0 > 3700 }) ?? true { departures.append(time) }
                    time += 3600
                }
                time += interval + Double.random(in: 0...0.01, using: &random)
                guard time < 86_400 else { break }
                if Double.random(in: 0..<1, using: &random) < 0.3 { continue }
                try watch.hear(time, Watch.iBeacon(1), rssi: Int8(-60 + Int.random(in: -5...5, using: &random)))
                heard += 1
                if heard == 21 { watch.transitions = [] }
                guard heard > 21, heard % 50 == 0 else { continue }
                if (watch.monitor.report(of: 0).problem == .cadenceTooSlow) != isTooSlow { wrong += 1 }
            }
            watch.advance(to: time + 3600)
            #expect(wrong == 0)
            let exits = watch.transitions.filter { $0.kind == .exit }
            #expect(exits.count == departures.count, "seed \(seed)")
            for exit in exits {
                #expect(exit.at.seconds(since: exit.notBefore) <= min(900, max(30, 17 * interval)))
            }
        }
    }
}
