internal import Bytes
internal import Configuration
internal import Synchronization

/// A viewer that has signed in, until it signs out or is idle for too long. Shared by all its connections.
final class Session: Sendable {
    let user: String
    let role: WebRole
    /// The text that each write must repeat, which no other site can know.
    let csrf = RandomSecret.make()
    private let isOver = Atomic(false)
    private let used: Mutex<MonotonicTime>

    init(user: String, role: WebRole, at now: MonotonicTime) {
        self.user = user
        self.role = role
        used = Mutex(now)
    }

    var isEnded: Bool { isOver.load(ordering: .relaxed) }
    var lastUsed: MonotonicTime { used.withLock { $0 } }

    func use(at now: MonotonicTime) { used.withLock { $0 = max($0, now) } }
    func end() { isOver.store(true, ordering: .relaxed) }
}
