internal import Bytes

// The state machines of the radio count in microseconds since the machine started.

extension Timestamp {
    /// A moment in microseconds on the clock of `time`, truncated.
    init(_ time: MonotonicTime) { self.init(microseconds: time.nanoseconds / 1000) }
}

extension MonotonicTime {
    /// A moment in microseconds since the machine started.
    init(_ moment: Timestamp) { self = .start + .microseconds(moment.microseconds) }
}
