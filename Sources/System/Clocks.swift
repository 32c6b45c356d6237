public import Bytes
internal import CLinux
internal import Glibc

/// The time of day (clock_gettime(2) with CLOCK_REALTIME). It jumps when the machine's clock is set.
public enum WallClock {
    /// The current time, to a microsecond.
    public static func now() -> Timestamp {
        let now = SystemClock.read(CLOCK_REALTIME)
        return Timestamp(microseconds: Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000)
    }
}

/// Time since the machine started (clock_gettime(2) with CLOCK_BOOTTIME). It never jumps, and counts suspended time.
public enum MonotonicClock {
    /// The current time.
    public static func now() -> MonotonicTime { SystemClock.monotonic(CLOCK_BOOTTIME) }
}

/// The machine's clocks at one moment.
public struct ClockReading: Hashable, Sendable {
    /// The time of day, which jumps when it is set.
    public var wall: Timestamp
    /// The time since the machine started, suspended time included.
    public var sinceStart: MonotonicTime
    /// The time since the machine started, without suspended time.
    public var awake: MonotonicTime

    /// A reading by all its values.
    public init(wall: Timestamp, sinceStart: MonotonicTime, awake: MonotonicTime) {
        self.wall = wall
        self.sinceStart = sinceStart
        self.awake = awake
    }

    /// The greatest distance between the clocks of one reading, if the processor's load permits.
    private static let spread: Duration = .milliseconds(1)
    /// The number of readings, of which the closest is used if none is within that distance.
    private static let attempts = 10

    /// All clocks now: CLOCK_REALTIME, CLOCK_BOOTTIME, CLOCK_MONOTONIC (clock_gettime(2)).
    ///
    /// A preemption between two clocks would look like a step: the clocks are then read again.
    public static func now() -> ClockReading {
        var best = reading()
        var left = attempts - 1
        while best.elapsed > spread, left > 0 {
            let next = reading()
            if next.elapsed < best.elapsed { best = next }
            left -= 1
        }
        return best.clocks
    }

    /// One reading, and the time that it took.
    private static func reading() -> (clocks: ClockReading, elapsed: Duration) {
        let before = MonotonicClock.now()
        let awake = SystemClock.monotonic(CLOCK_MONOTONIC)
        let clocks = ClockReading(
            wall: WallClock.now(), sinceStart: MonotonicClock.now(), awake: awake)
        return (clocks, MonotonicClock.now() - before)
    }
}

enum SystemClock {
    static func read(_ clock: Int32) -> timespec {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return time
    }

    static func monotonic(_ clock: Int32) -> MonotonicTime {
        let time = read(clock)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

/// Unpredictable random numbers (getrandom(2)).
public enum SystemRandom {
    /// A 32-bit number. Waits only while a machine that has just started has no entropy yet.
    public static func number() -> UInt32 {
        var number: UInt32 = 0
        while unsafe getrandom(&number, 4, 0) != 4 {}
        return number
    }

    /// An epoch: eight hexadecimal digits, created with a state database or, without one, with a process.
    public static func epoch() -> String { Hex.text(number(), digits: 8) }
}
