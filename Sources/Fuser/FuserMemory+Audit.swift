internal import BrokerSession
internal import Bytes
internal import Store

/// The rows of the audit, and the values with which the broker's are compared at a start: a setting each.
extension FuserMemory {
    private static let valueRow = "value of "
    private static let kindsRow = "values that were read"

    /// Adds rows to the audit, which numbers them. They are written with the next call of ``persistAudit(at:)``.
    func record(_ rows: [AuditRecord], at now: Timestamp) {
        for var row in rows {
            auditEnd += 1
            row.number = auditEnd
            // The name of a change that this fuser alone knows.
            if row.change.isEmpty { row.change = "\(epoch)-\(auditEnd)" }
            waitingAudit.add(row)
        }
        if waitingAudit.isFull { persistAudit(at: now) }
    }

    /// Writes the rows that wait, in one transaction: each has to survive a power cut, which costs a flush of the card.
    func persistAudit(at now: Timestamp) {
        let rows = waitingAudit.take()
        guard !rows.isEmpty else { return }
        state.commitBatch(at: now) { batch in for row in rows { batch.set(.audit(row)) } }
    }

    /// True if the audit has a change of this name.
    func hasChange(_ name: String) -> Bool {
        waitingAudit.hasChange(name)
            || state.read("a change may be recorded twice") { store throws(StoreError) in try store.hasChange(name) }
                ?? false
    }

    /// The value after the last change of a subject by an action; nil if it is not known.
    func lastValue(of subject: String, by action: String) -> String? {
        if let row = waitingAudit.lastChange(of: subject, by: action) { return row.after }
        return state.read("the value before a change is not known") { store throws(StoreError) in
            try store.lastValue(of: subject, by: action)
        } ?? nil
    }

    /// The values of an earlier run.
    func auditedValues() -> AuditedValues {
        let consequence = "changes from before the start are found by their dates"
        let words = state.readSetting(Self.kindsRow, consequence)?.split(separator: " ") ?? []
        return AuditedValues(
            state.readSettings(withPrefix: Self.valueRow, consequence),
            kinds: Set(words.compactMap { AuditedValues.Kind(rawValue: String($0)) }))
    }

    /// Stores values that have changed.
    func persist(_ changes: AuditedValues.Changes, at now: Timestamp) {
        state.commitBatch(at: now) { batch in
            for (subject, value) in changes.values {
                let key = Self.valueRow + subject
                batch.set(value.map { .setting(key: key, value: $0) } ?? .forgetSetting(key))
            }
            guard let kinds = changes.kinds else { return }
            let text = kinds.map(\.rawValue).sorted().joined(separator: " ")
            batch.set(.setting(key: Self.kindsRow, value: text))
        }
    }
}
