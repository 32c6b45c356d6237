internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// Requests of other threads to the server's thread, and the descriptor that wakes it (eventfd(2)).
///
/// Bounded by the number of connections: each has one exchange, which is told once that its answer is there.
final class Mailbox: Sendable {
    /// All that was wanted since the last time.
    struct Wishes {
        /// The exchanges whose deferred answer is there.
        var answered: [UInt64] = []
        /// True if streams may have something to send.
        var wakesStreams = false
        /// True if the server must end.
        var ends = false
    }

    /// Readable when something is wanted.
    let descriptor: Int32
    private let wishes = Mutex(Wishes())

    init() throws(WebError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { throw WebError("eventfd", code: errno) }
    }

    deinit { close(descriptor) }

    func post(answered exchange: UInt64) {
        wishes.withLock { $0.answered.append(exchange) }
        signal()
    }

    func postWakeStreams() {
        let isNew = wishes.withLock { wishes in
            defer { wishes.wakesStreams = true }
            return !wishes.wakesStreams
        }
        if isNew { signal() }
    }

    func postEnd() {
        wishes.withLock { $0.ends = true }
        signal()
    }

    /// Takes all wishes.
    func take() -> Wishes {
        var count: UInt64 = 0
        _ = unsafe eventfd_read(descriptor, &count)
        return wishes.withLock { wishes in
            defer { wishes = Wishes() }
            return wishes
        }
    }

    private func signal() { _ = eventfd_write(descriptor, 1) }
}
