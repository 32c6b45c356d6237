import Bytes
import Support
import Testing

@testable import HCI

@Suite struct SilenceWatchTests {
    /// Lets beacons speak every `interval` seconds, each at a phase of its own, until their ends; gives what was judged,
    /// looking as often as the watch wants.
    static func judge(
        _ ends: [Double], every interval: Double = 1, until end: Double, from start: Double = 0
    ) -> [(Double, SilenceWatch.Verdict)] {
        var watch = SilenceWatch(at: .at(start))
        var verdicts: [(Double, SilenceWatch.Verdict)] = []
        var packets: [(Double, UInt64)] = []
        for (index, last) in ends.enumerated() {
            var time = start + interval * Double(index) / Double(ends.count)
            while time < last {
                packets.append((time, UInt64(index)))
                time += interval
            }
        }
        packets.sort { $0 < $1 }
        var next = packets[...]
        while true {
            let due = watch.nextDeadline
            if let (time, beacon) = next.first, .at(time) <= due {
                next.removeFirst()
                watch.receive(beacon, at: .at(time))
                continue
            }
            guard due < .at(end) else { return verdicts }
            if let verdict = watch.verdict(at: due) { verdicts.append((due.seconds, verdict)) }
        }
    }

    @Test("Detect a deaf controller within seconds by twenty beacons silent at once")
    func mute() throws {
        let verdicts = Self.judge([Double](repeating: 30, count: 20), until: 40)
        let (time, verdict) = try #require(verdicts.first)
        #expect(verdict == .mute && time > 30 && time < 34)
    }

    @Test("Nineteen beacons are too few for a verdict, as of a family that left")
    func few() {
        #expect(Self.judge([Double](repeating: 30, count: 19), until: 89).isEmpty)
    }

    @Test("Report a place without any beacon as quiet, once a minute")
    func nothing() {
        let verdicts = Self.judge([], until: 601)
        #expect(verdicts.allSatisfy { $0.1 == .quiet } && (9...10).contains(verdicts.count))
        for (earlier, later) in zip(verdicts, verdicts.dropFirst()) { #expect(later.0 - earlier.0 >= 60) }
    }

    @Test("Report three beacons that stop one after the other as quiet, not mute")
    func oneByOne() {
        let verdicts = Self.judge([20, 40, 60], until: 600)
        #expect(!verdicts.isEmpty && verdicts.allSatisfy { $0.1 == .quiet })
    }

    @Test("Report a crowd that leaves one by one as quiet, and nothing if one beacon stays")
    func crowd() {
        let leaving = (0..<100).map { 20 + Double($0) }
        #expect(!Self.judge(leaving, until: 600).contains { $0.1 == .mute })
        #expect(Self.judge([Double](repeating: 30, count: 100) + [300], until: 300).isEmpty)
    }

    @Test("Don't report beacons with an interval of ten seconds as silent within three")
    func slow() {
        #expect(!Self.judge([Double](repeating: 200, count: 40), every: 10, until: 400).contains { $0.1 == .mute })
    }

    @Test("Learn nothing from a time without reception, and don't count it as silence")
    func resumed() {
        var watch = SilenceWatch(at: .at(0))
        for second in 0..<20 {
            for beacon in 0..<30 { watch.receive(UInt64(beacon), at: .at(Double(second) + Double(beacon) / 100)) }
        }
        watch.resume(at: .at(100))
        let soon = watch.verdict(at: .at(101))
        #expect(soon == nil, "they have had no time to speak")
        let later = watch.verdict(at: .at(104))
        #expect(later == .mute, "their cadence is still known")
    }

    @Test("Bound the memory for a million unknown beacons, and still learn those that stay")
    func bounded() {
        var watch = SilenceWatch(at: .at(0))
        var random = SeededGenerator(seed: 15)
        for step in 0..<200_000 {
            let time = Timestamp.at(Double(step) / 1000)
            watch.receive(random.next(), at: time)
            if step % 100 == 0 { for beacon in 0..<30 { watch.receive(UInt64(beacon), at: time) } }
        }
        #expect(watch.learned <= SilenceWatch.capacity)
        #expect(watch.learned >= 30, "they were there first")
    }
}
