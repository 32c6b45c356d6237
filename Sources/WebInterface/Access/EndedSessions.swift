public import Bytes

/// A change of the table of sessions that ended before they expired. The fuser stores it, so that they stay ended.
public enum EndedSessionChange: Hashable, Sendable {
    /// A session that began at a time has ended. Until `expiry` a cookie of it may be shown.
    case ended(id: String, began: Timestamp, expiry: Timestamp)
    /// The row of a session is needed no more.
    case forgotten(id: String)
    /// All sessions that began at this time or before have ended.
    case endedUpTo(Timestamp)
}

/// The sessions that ended before they expired.
struct EndedSessions {
    /// The most that are listed. Of more the oldest is forgotten, and all sessions before it end.
    static let bound = 1024

    private var rows: [String: (began: Timestamp, expiry: Timestamp)] = [:]
    private var end: Timestamp?
    /// The changes since the last `takeChanges`.
    private var changes: [EndedSessionChange] = []

    /// The table that changes led to.
    init(_ changes: [EndedSessionChange] = []) {
        for change in changes {
            switch change {
            case .ended(let id, let began, let expiry): rows[id] = (began, expiry)
            case .forgotten(let id): rows[id] = nil
            case .endedUpTo(let time): end = max(end ?? time, time)
            }
        }
    }

    var count: Int { rows.count }

    /// True if a session has ended.
    func contains(_ session: PageSession) -> Bool {
        rows[session.id] != nil || end.map { session.began <= $0 } ?? false
    }

    /// Ends a session, of which cookies up to `expiry` may be about.
    mutating func insert(_ session: PageSession, expiry: Timestamp, at now: Timestamp) {
        for (id, row) in rows where row.expiry < now { forget(id) }
        while rows.count >= Self.bound, let oldest = rows.min(by: { $0.value.began < $1.value.began }) {
            let time = max(end ?? oldest.value.began, oldest.value.began)
            end = time
            changes.append(.endedUpTo(time))
            forget(oldest.key)
        }
        rows[session.id] = (session.began, expiry)
        changes.append(.ended(id: session.id, began: session.began, expiry: expiry))
    }

    /// The changes since the last call.
    mutating func takeChanges() -> [EndedSessionChange] {
        defer { changes = [] }
        return changes
    }

    /// All of the table, as changes of an empty one.
    var all: [EndedSessionChange] {
        rows.map { .ended(id: $0.key, began: $0.value.began, expiry: $0.value.expiry) }
            + (end.map { [.endedUpTo($0)] } ?? [])
    }

    private mutating func forget(_ id: String) {
        rows[id] = nil
        changes.append(.forgotten(id: id))
    }
}
