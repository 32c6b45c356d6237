internal import Bytes

/// Distinguishes a set wall clock, and the machine's sleep, from elapsed time.
///
/// A slewed wall clock doesn't count as set: the kernel slews the time since the start with it, and a change of less
/// than `tolerance` between two looks counts as elapsed. Look at least once a second.
public struct ClockWatch: Sendable {
    /// The changes since the last look.
    public struct Change: Hashable, Sendable {
        /// The step by which the wall clock was set forward, negative for back; zero if it wasn't set.
        public var step: Duration = .zero
        /// The duration of the machine's sleep; zero if it didn't sleep.
        public var slept: Duration = .zero

        /// A change from its values.
        public init(step: Duration = .zero, slept: Duration = .zero) { (self.step, self.slept) = (step, slept) }
    }

    /// The smallest change: more than the difference of two clocks read one after the other.
    static let tolerance: Duration = .milliseconds(100)

    private var offset: Duration
    private var asleep: Duration

    /// A watch that begins with a reading.
    public init(_ reading: ClockReading) {
        offset = Self.wallOffset(reading)
        asleep = Self.timeAsleep(reading)
    }

    /// Evaluates a reading, and returns the changes since the one before.
    public mutating func evaluateReading(_ reading: ClockReading) -> Change {
        var change = Change()
        let (step, slept) = (Self.wallOffset(reading) - offset, Self.timeAsleep(reading) - asleep)
        offset += step
        if step.magnitude > Self.tolerance { change.step = step }
        if slept > Self.tolerance {
            asleep += slept
            change.slept = slept
        }
        return change
    }

    /// The text about a clock that was set by `step`.
    public static func stepText(_ step: Duration) -> String {
        // The clocks are read one after another, so that finer digits have no meaning.
        let seconds = (step.magnitude.seconds * 10).rounded() / 10
        return "the wall clock was set \(step < .zero ? "back" : "forward") by \(seconds) s"
    }

    /// The difference of the wall clock from the time since the start.
    private static func wallOffset(_ reading: ClockReading) -> Duration {
        .microseconds(reading.wall.microseconds - reading.sinceStart.nanoseconds / 1000)
    }

    /// The time that the machine has slept since its start.
    private static func timeAsleep(_ reading: ClockReading) -> Duration {
        reading.sinceStart - reading.awake
    }
}
