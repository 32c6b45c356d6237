public import Bytes
internal import Glibc

/// Reports the state of the service to systemd: one datagram each to the socket in NOTIFY_SOCKET (sd_notify(3)).
///
/// Without the variable or an answering socket, nothing happens.
///
/// For a service with a watchdog (`WatchdogSec=`, passed in WATCHDOG_USEC and WATCHDOG_PID), the loop that does the
/// work calls `alive()` at each turn, and turns at `nextDeadline` at the latest.
///
/// A container has no systemd: there WHEREABOUTS_ALIVE names a file whose time is the last sign of life; it is removed
/// at a good end.
public struct ServiceNotifier: Sendable {
    /// The variable with the path of a container's file.
    package static let fileVariable = "WHEREABOUTS_ALIVE"
    /// The time between two signs of life of a container, whose check permits a minute.
    private static let filePause: Duration = .seconds(10)

    private let socketPath: String?
    private let filePath: String?
    private var fileDue: MonotonicTime?
    /// The time between two signs of life: a third of the watchdog's limit.
    private let interval: Duration?
    /// The time of the next sign of life, on `MonotonicClock`; nil without a watchdog and a file.
    public var nextDeadline: MonotonicTime? { [watchdogDue, fileDue].compactMap { $0 }.min() }
    private var watchdogDue: MonotonicTime?

    /// A notifier for a program with this environment.
    public init(environment: [String: String], process: Int32? = nil) {
        socketPath = environment["NOTIFY_SOCKET"].flatMap { path in
            path.hasPrefix("/") || path.hasPrefix("@") ? path : nil
        }
        let isWatched = environment["WATCHDOG_PID"].map { $0 == String(process ?? getpid()) } ?? true
        let wait = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        interval = isWatched && wait > 0 && socketPath != nil ? .microseconds(min(wait, 3_600_000_000)) / 3 : nil
        if interval != nil { watchdogDue = .distantPast }
        filePath = environment[Self.fileVariable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        if filePath != nil { fileDue = .distantPast }
    }

    /// The service has started, or has read its configuration anew (`READY=1`).
    public func ready() { sendDatagram("READY=1") }

    /// The service begins to read its configuration anew (`RELOADING=1`); `ready` reports the end.
    public func reloading(at now: MonotonicTime = MonotonicClock.now()) {
        sendDatagram("RELOADING=1\nMONOTONIC_USEC=\(now.nanoseconds / 1000)")
    }

    /// The service is ending (`STOPPING=1`).
    public func stopping() {
        sendDatagram("STOPPING=1")
        if let filePath { _ = unsafe unlink(filePath) }
    }

    /// One line for `systemctl status` (`STATUS=`).
    public func status(_ text: String) { sendDatagram("STATUS=" + Log.escaped(text)) }

    /// Reports that the loop has completed a turn (`WATCHDOG=1`, if it is due).
    public mutating func alive(at now: MonotonicTime = MonotonicClock.now()) {
        if let filePath, let due = fileDue, now >= due {
            fileDue = now + Self.filePause
            touchFile(filePath)
        }
        guard let interval, let due = watchdogDue, now >= due else { return }
        watchdogDue = now + interval
        sendDatagram("WATCHDOG=1")
    }

    /// Sets a file's time to now (utimensat(2)); a failure is ignored.
    private func touchFile(_ path: String) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW
        let number = unsafe open(path, flags, 0o644)
        guard number >= 0 else { return }
        _ = futimens(number, nil)
        close(number)
    }

    private func sendDatagram(_ text: String) {
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

    /// The socket's address (unix(7)); a leading `@` means the NUL byte of the abstract name space.
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
