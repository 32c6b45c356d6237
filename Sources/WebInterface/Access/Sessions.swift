internal import Bytes
internal import Configuration
internal import Synchronization

/// The sessions of a page, in memory: after a restart everybody signs in again.
final class Sessions: Sendable {
    /// The most sessions; of more the one that was idle the longest ends.
    static let bound = 256
    /// The time without a request after which a session ends.
    static let idle: Duration = .days(7)

    private let table = Mutex<[[UInt8]: Session]>([:])

    /// Begins a session. Returns it with the secret by which it is found, which is not stored.
    func begin(user: String, role: WebRole, at now: MonotonicTime) -> (session: Session, secret: String) {
        let session = Session(user: user, role: role, at: now)
        let secret = RandomSecret.make()
        table.withLock { table in
            prune(&table, at: now)
            if table.count >= Self.bound, let oldest = table.min(by: { $0.value.lastUsed < $1.value.lastUsed }) {
                oldest.value.end()
                table[oldest.key] = nil
            }
            table[RandomSecret.digest(secret)] = session
        }
        return (session, secret)
    }

    /// The session of a secret, which is thereby used; nil if there is none.
    func find(_ secret: String, at now: MonotonicTime) -> Session? {
        let digest = RandomSecret.digest(secret)
        return table.withLock { table in
            guard let session = table[digest] else { return nil }
            guard now - session.lastUsed < Self.idle else {
                session.end()
                table[digest] = nil
                return nil
            }
            session.use(at: now)
            return session
        }
    }

    /// Ends a session, and with it its streams.
    func end(_ session: Session) {
        session.end()
        table.withLock { table in
            for (key, value) in table where value === session { table[key] = nil }
        }
    }

    private func prune(_ table: inout [[UInt8]: Session], at now: MonotonicTime) {
        for (key, session) in table where now - session.lastUsed >= Self.idle {
            session.end()
            table[key] = nil
        }
    }
}
