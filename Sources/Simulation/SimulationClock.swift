public import Bytes

/// The clock shared by all agents of one simulated house: simulated time = start + speed × (wall − origin).
///
/// A pure value: the caller provides the wall clock's time. `origin` and `speed` are published by a node as `clock`.
public struct SimulationClock: Hashable, Sendable {
    /// The simulated time at the origin.
    public let start: Timestamp
    /// The wall clock's time at which the simulated time is `start`.
    public let origin: Timestamp
    /// Simulated seconds in a second of the wall clock; above 0.
    public let speed: Double

    /// A clock. A speed that isn't a finite number above 0 counts as 1.
    public init(start: Timestamp, origin: Timestamp, speed: Double) {
        self.start = start
        self.origin = origin
        self.speed = speed.isFinite && speed > 0 ? speed : 1
    }

    /// The simulated time at a moment of the wall clock, to the microsecond; it stops at the limits of a `Timestamp`.
    public func simulated(at wall: Timestamp) -> Timestamp {
        let elapsed = wall.microseconds(since: origin)
        return start.advanced(byMicroseconds: Self.scaled(elapsed, by: speed))
    }

    /// The moment of the wall clock at a simulated time, to the microsecond.
    public func wallTime(at simulated: Timestamp) -> Timestamp {
        let elapsed = simulated.microseconds(since: start)
        return origin.advanced(byMicroseconds: Self.scaled(elapsed, by: 1 / speed))
    }

    private static func scaled(_ microseconds: Int64, by factor: Double) -> Int64 {
        // A Double has exact microseconds for 285 years only: at speed 1 nothing may be lost.
        if factor == 1 { return microseconds }
        let scaled = (Double(microseconds) * factor).rounded()
        return Int64(exactly: scaled) ?? (scaled < 0 ? .min : .max)
    }
}
