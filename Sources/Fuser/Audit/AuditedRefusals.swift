internal import Bytes
internal import Store

/// The refusals that were recorded within the last minute. A user who repeats them can't push other rows out of the audit.
struct AuditedRefusals {
    private struct Refusal: Hashable {
        var user: String
        var action: String
        var subject: String?
        var status: Int
    }

    /// The time in which equal refusals are one row.
    static let period: Duration = .seconds(60)
    /// The most different ones of a user, and of all users, in that time; further ones are not recorded.
    static let limitOfUser = 10, limit = 1000

    private var recorded: [Refusal: MonotonicTime] = [:]

    /// True if a refusal is to be recorded.
    mutating func admit(_ row: AuditRecord, at now: MonotonicTime) -> Bool {
        recorded = recorded.filter { now - $0.value < Self.period }
        let refusal = Refusal(user: row.user, action: row.action, subject: row.subject, status: row.status)
        guard recorded[refusal] == nil, recorded.count < Self.limit,
            recorded.keys.count(where: { $0.user == row.user }) < Self.limitOfUser
        else { return false }
        recorded[refusal] = now
        return true
    }
}
