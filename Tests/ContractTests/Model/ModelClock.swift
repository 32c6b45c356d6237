import Bytes
import System

/// The time of a modelled world: one that passes, and for each program a time of day that may be set.
final class ModelClock {
    /// Nanoseconds since the begin.
    private(set) var now: Int64 = 1_000_000_000
    static let begin = Timestamp(microseconds: 1_795_248_000_000_000)

    /// The same, as programs read it.
    var moment: MonotonicTime { MonotonicTime(nanoseconds: now) }

    func pass(_ seconds: Double) { now += Int64(seconds * 1e9) }

    /// What the clocks of a machine show whose time of day is so many seconds off.
    func reading(off: Double) -> ClockReading {
        let wall = Self.begin.advanced(byMicroseconds: now / 1000 + Int64(off * 1e6))
        return ClockReading(wall: wall, sinceStart: moment, awake: moment)
    }
}
