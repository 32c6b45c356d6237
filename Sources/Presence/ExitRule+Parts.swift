internal import Bytes

extension ExitRule {
    /// The packets that arrived, of so many that were sent.
    struct Loss: Sendable {
        var received: Int32 = 0
        var sent: Int32 = 0

        /// Records the packet at the end of a gap of so many intervals.
        mutating func receive(after intervals: Int32) {
            received += 1
            sent += min(max(intervals, 1), 16)
            if received >= ExitRule.lossMemory {
                received /= 2
                sent /= 2
            }
        }

        /// The 95th percentile of the gaps in whole intervals, if packets are lost by chance.
        var percentile: Int {
            let lost = 1 - Double(received + ExitRule.prior.received) / Double(sent + ExitRule.prior.sent)
            var tail = lost
            var intervals = 1
            while tail > 0.05, intervals < 16 {
                tail *= lost
                intervals += 1
            }
            return max(2, received < ExitRule.lossCertainty ? min(3, intervals) : intervals)
        }
    }

    /// A row of possible fades. It isn't stored over a restart, after which the row begins again.
    struct FadeRow: Sendable {
        private var longest: Int32 = 0
        private var count: Int32 = 0
        private var last = ListeningTime.zero

        /// Records a possible fade in milliseconds, at a listening time; returns the longest of the row if there are
        /// enough.
        mutating func receive(_ gap: Int32, _ listened: ListeningTime) -> Int32? {
            let isOfRow =
                count > 0 && gap >= longest / 2
                && (.zero...ExitRule.fadeSpacing).contains(listened.duration(since: last))
            count = isOfRow ? count + 1 : 1
            longest = isOfRow ? max(longest, gap) : gap
            last = listened
            guard count >= ExitRule.alikeFades else { return nil }
            count = 0
            return longest
        }
    }

    /// A row of similar absences.
    struct AbsenceRow: Sendable {
        /// The latest, in milliseconds.
        var latest: Int32 = 0
        /// Their number.
        var count: Int32 = 0

        /// Records a seeming absence; returns true if it is the beacon's cadence: nobody leaves and
        /// returns at regular times.
        mutating func isHabit(_ gap: Duration) -> Bool {
            guard gap <= ExitRule.longestOfAll else {
                count = 0
                return false
            }
            let length = Int32(clamping: gap.milliseconds)
            count = count > 0 && ExitRule.isAlike(length, latest, 1.33) ? min(count + 1, ExitRule.habit) : 1
            latest = length
            return count >= ExitRule.habit
        }
    }

    /// The fades so far.
    struct Fades: Sendable {
        /// The longest, in milliseconds.
        var longest: Int32 = 0
        /// The listening time of the last one that was at least half as long.
        var seen = ListeningTime.zero
    }

    /// A run of gaps that were longer than the exit time.
    struct GapRun: Sendable {
        /// The shortest, in milliseconds; 0 for no run.
        var shortest: Int32 = 0
        /// Their number.
        var count: Int32 = 0
    }
}
