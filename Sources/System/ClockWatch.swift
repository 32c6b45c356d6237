internal import Bytes

/// Tells a wall clock that was set, and time that the machine slept, from time that has passed.
///
/// A wall clock that is slewed is none that was set: the kernel slews the time since the start with it, and what another
/// hand moves by less than `tolerance` between two looks counts as passed. Look at least once a second.
public struct ClockWatch: Sendable {
    /// What has happened since the last look, in microseconds.
    public struct Change: Hashable, Sendable {
        /// By how much the wall clock was set forward, or back where it is negative; 0 where it wasn't.
        public var step: Int64 = 0
        /// How long the machine slept; 0 where it didn't.
        public var slept: Int64 = 0

        /// What has happened.
        public init(step: Int64 = 0, slept: Int64 = 0) { (self.step, self.slept) = (step, slept) }
    }

    /// Microseconds below which nothing has happened: more than two clocks read one after the other differ by.
    static let tolerance: Int64 = 100_000

    private var offset: Int64
    private var asleep: Int64

    /// A watch that begins with a reading.
    public init(_ reading: ClockReading) {
        offset = Self.offset(reading)
        asleep = Self.asleep(reading)
    }

    /// Takes a reading, and says what has happened since the one before.
    public mutating func look(_ reading: ClockReading) -> Change {
        var change = Change()
        let (step, slept) = (Self.offset(reading) &- offset, Self.asleep(reading) &- asleep)
        offset &+= step
        if step.magnitude > Self.tolerance { change.step = step }
        if slept > Self.tolerance {
            asleep &+= slept
            change.slept = slept
        }
        return change
    }

    /// What is said of a clock that was set by so many microseconds.
    public static func words(_ step: Int64) -> String {
        // The clocks are read one after another: finer is no knowledge.
        let seconds = (Double(step.magnitude) / 100_000).rounded() / 10
        return "the wall clock was set \(step < 0 ? "back" : "forward") by \(seconds) s"
    }

    /// What the wall clock is ahead of the time since the start.
    private static func offset(_ reading: ClockReading) -> Int64 {
        reading.wall.microseconds &- reading.sinceStart / 1000
    }

    /// How long the machine has slept since its start.
    private static func asleep(_ reading: ClockReading) -> Int64 {
        (reading.sinceStart &- reading.awake) / 1000
    }
}
