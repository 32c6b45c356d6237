internal import Bytes
internal import Configuration
internal import Synchronization

/// The sessions of a page. A session lies in its cookie, signed: it outlasts a restart, and is good at any fuser with the
/// same tokens. Only those that ended early are listed here.
final class Sessions: Sendable {
    /// The time for which a cookie is good.
    static let lifetime: Duration = .days(7)
    /// The age from which a cookie is replaced by a newer one.
    static let renewal: Duration = .days(1)
    /// The time before its cookie's end at which a stream ends. Its browser connects again, and gets a newer cookie.
    static let streamMargin: Duration = .days(1)
    /// The difference between the clocks of fusers that is borne.
    static let clockError: Duration = .hours(1)

    private let key: Mutex<SessionKey>
    private let ended: Mutex<EndedSessions>
    private let wake: @Sendable () -> Void

    /// Sessions under a key.
    ///
    /// - Parameters:
    ///   - changes: the stored table of those that ended early.
    ///   - wake: says that the table has changed; must not block.
    init(_ key: SessionKey, ended changes: [EndedSessionChange] = [], wake: @escaping @Sendable () -> Void = {}) {
        self.key = Mutex(key)
        self.wake = wake
        ended = Mutex(EndedSessions(changes))
    }

    private var currentKey: SessionKey { key.withLock { $0 } }

    /// Replaces the key: cookies of another one are good no more.
    func use(_ key: SessionKey) { self.key.withLock { $0 = key } }

    /// Begins a session.
    func begin(user: String, role: WebRole, at now: Timestamp) -> PageSession {
        PageSession(
            user: user, role: role, id: RandomSecret.make(), began: now, expiry: now.advanced(by: Self.lifetime))
    }

    /// The value of a session's cookie.
    func cookie(of session: PageSession) -> String { currentKey.sign(session.text) }

    /// The text that writes of a session repeat.
    func csrf(of session: PageSession) -> String { currentKey.csrf(of: session) }

    /// The session of a cookie's value; nil if it is not ours, or over.
    func find(_ cookie: String, at now: Timestamp) -> PageSession? {
        guard let text = currentKey.verify(cookie), let session = PageSession(text), isGood(session, at: now) else {
            return nil
        }
        return session
    }

    /// True if a stream of a session goes on.
    func keepsStream(of session: PageSession, at now: Timestamp) -> Bool {
        isGood(session, at: now.advanced(by: Self.streamMargin))
    }

    /// A session that lasts longer; nil if this one is new enough, or has ended.
    func renew(_ session: PageSession, at now: Timestamp) -> PageSession? {
        let expiry = now.advanced(by: Self.lifetime)
        guard expiry.duration(since: session.expiry) >= Self.renewal, isGood(session, at: now) else { return nil }
        return PageSession(user: session.user, role: session.role, id: session.id, began: session.began, expiry: expiry)
    }

    /// Ends a session, and with it its streams.
    func end(_ session: PageSession, at now: Timestamp) {
        // A renewed cookie of it may be good for longer than this one.
        let expiry = now.advanced(by: Self.lifetime + Self.clockError)
        ended.withLock { $0.insert(session, expiry: expiry, at: now) }
        wake()
    }

    /// The changes of the table of ended sessions since the last call.
    func takeChanges() -> [EndedSessionChange] { ended.withLock { $0.takeChanges() } }
    /// All of that table.
    var endedSessions: [EndedSessionChange] { ended.withLock { $0.all } }

    private func isGood(_ session: PageSession, at now: Timestamp) -> Bool {
        // A cookie of a clock that was far ahead would be good for too long.
        now < session.expiry && session.expiry.duration(since: now) <= Self.lifetime + Self.clockError
            && !ended.withLock { $0.contains(session) }
    }
}
