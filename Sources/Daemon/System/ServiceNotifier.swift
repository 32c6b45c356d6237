internal import Glibc

/// Tells systemd how the service does: one datagram each to the socket that NOTIFY_SOCKET names (sd_notify(3)).
///
/// Where the variable is unset or its socket doesn't answer, nothing happens.
///
/// Where the service has a watchdog (`WatchdogSec=`, told in WATCHDOG_USEC and WATCHDOG_PID), the loop that does the work
/// calls `alive()` at each turn, and turns at `nextDeadline` at the latest.
public struct ServiceNotifier: Sendable {
    private let socketPath: String?
    /// Nanoseconds between two signs of life: a third of what the watchdog waits for.
    private let interval: Int64?
    /// When the next sign of life is due, in nanoseconds on `MonotonicClock`; nil where nobody watches.
    public private(set) var nextDeadline: Int64?

    /// A notifier for a program with this environment.
    public init(environment: [String: String], process: Int32? = nil) {
        socketPath = environment["NOTIFY_SOCKET"].flatMap { path in
            path.hasPrefix("/") || path.hasPrefix("@") ? path : nil
        }
        let isWatched = environment["WATCHDOG_PID"].map { $0 == String(process ?? getpid()) } ?? true
        let wait = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        interval = isWatched && wait > 0 && socketPath != nil ? max(1, min(wait, 3_600_000_000) * 1000 / 3) : nil
        if interval != nil { nextDeadline = .min }
    }

    /// The service has started (`READY=1`).
    public func ready() { send("READY=1") }

    /// The service is ending (`STOPPING=1`).
    public func stopping() { send("STOPPING=1") }

    /// One line for `systemctl status` (`STATUS=`).
    public func status(_ text: String) { send("STATUS=" + Log.escaped(text)) }

    /// The loop has come round once more (`WATCHDOG=1`, where one is due).
    public mutating func alive(at now: Int64 = MonotonicClock.now()) {
        guard let interval, let due = nextDeadline, now >= due else { return }
        nextDeadline = now &+ interval
        send("WATCHDOG=1")
    }

    private func send(_ text: String) {
        guard let socketPath, var address = Self.address(socketPath) else { return }
        let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return }
        defer { close(number) }
        let length = socklen_t(
            MemoryLayout<sa_family_t>.size + socketPath.utf8.count + (socketPath.first == "@" ? 0 : 1))
        let bytes = Array(text.utf8)
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = unsafe sendto(number, bytes, bytes.count, Int32(MSG_NOSIGNAL), generic, length)
            }
        }
    }

    /// The socket's address (unix(7)); a leading `@` stands for the NUL byte of the abstract name space.
    private static func address(_ path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.utf8.count < room.count else { return false }
            for (index, byte) in path.utf8.enumerated() { unsafe room[index] = byte }
            if path.hasPrefix("@") { unsafe room[0] = 0 }
            return true
        }
        return fits ? address : nil
    }
}
