package import Bytes
internal import System

/// Checks that the clock can be the one that all gateways share.
package enum ClockCheck {
    /// The beginning of 2025: no machine that runs this is older.
    static let earliest = Timestamp(microseconds: 1_735_689_600_000_000)

    /// Judges the clock's time.
    ///
    /// - Parameter isSynchronized: the kernel's state; nil if it reports none.
    package static func clockFinding(_ now: Timestamp, isSynchronized: Bool?) -> Finding {
        let mend = "let it be kept: timedatectl set-ntp true, or install systemd-timesyncd or chrony"
        guard now >= earliest else {
            return .fault(
                .clock, "the clock stands at \(LocalTime.text(now)), which is past",
                mend: "set it: date -s \"YEAR-MONTH-DAY HOUR:MINUTE\"; then \(mend)"
            ).of(.clockPast, ["time": LocalTime.text(now)])
        }
        guard isSynchronized ?? true else {
            return .warning(
                .clock, "nothing keeps the clock; windows of gateways whose clocks differ can't be compared", mend: mend
            ).of(.clockUnkept)
        }
        return isSynchronized == nil
            ? .ok(.clock, "the kernel doesn't say who keeps it").of(.clockUnsure)
            : .ok(.clock, "kept in step").of(.clockKept)
    }
}
