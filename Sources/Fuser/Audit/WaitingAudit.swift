internal import Store

/// The rows of the audit that are not written yet: those of a turn are written at once.
struct WaitingAudit {
    private struct Subject: Hashable {
        let name: String
        let action: String
    }

    /// The most rows that wait.
    private static let capacity = 1000

    private var rows: [AuditRecord] = []
    private var names: Set<String> = []
    /// The places of the last changes that were not refused.
    private var last: [Subject: Int] = [:]

    /// True if the rows have to be written before another is added.
    var isFull: Bool { rows.count >= Self.capacity }

    mutating func add(_ row: AuditRecord) {
        names.insert(row.change)
        if row.status < 400, let subject = row.subject { last[Subject(name: subject, action: row.action)] = rows.count }
        rows.append(row)
    }

    /// True if there is a change of this name.
    func hasChange(_ name: String) -> Bool { names.contains(name) }

    /// The last change of a subject by an action that was not refused; nil if none waits.
    func lastChange(of subject: String, by action: String) -> AuditRecord? {
        last[Subject(name: subject, action: action)].map { rows[$0] }
    }

    /// Removes and returns the rows.
    mutating func take() -> [AuditRecord] {
        defer { self = WaitingAudit() }
        return rows
    }
}
