import Glibc
import Radio

/// What went wrong with the machine or an order, for a person to read.
struct SystemFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// The last system call's error.
    static func last(_ what: String) -> SystemFault { SystemFault("\(what): \(String(cString: strerror(errno)))") }
}

/// Lines that go out at once: the proofs read them meanwhile.
enum Output {
    static func line(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
        let bytes = Array((text + "\n").utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}

/// The clocks of the truth.
enum Clock {
    /// CLOCK_MONOTONIC.
    static var now: Nanoseconds { read(CLOCK_MONOTONIC) }
    /// CLOCK_REALTIME, since 1970.
    static var wall: Nanoseconds { read(CLOCK_REALTIME) }

    private static func read(_ clock: clockid_t) -> Nanoseconds {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Seconds with six digits behind the point.
    static func text(_ moment: Nanoseconds) -> String {
        let micros = String(moment / 1000 % 1_000_000)
        return "\(moment / 1_000_000_000)." + String(repeating: "0", count: 6 - micros.count) + micros
    }
}
