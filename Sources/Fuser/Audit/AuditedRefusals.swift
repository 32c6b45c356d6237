internal import Bytes

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
    mutating func admit(_ change: AuditChange, of user: String, status: Int, at now: MonotonicTime) -> Bool {
        recorded = recorded.filter { now - $0.value < Self.period }
        let refusal = Refusal(user: user, action: change.action, subject: change.subject, status: status)
        guard recorded[refusal] == nil, recorded.count < Self.limit,
            recorded.keys.count(where: { $0.user == user }) < Self.limitOfUser
        else { return false }
        recorded[refusal] = now
        return true
    }
}
