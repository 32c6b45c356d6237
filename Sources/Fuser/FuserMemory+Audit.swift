internal import BrokerSession
internal import Bytes
internal import Store

/// The rows of the audit, and the values with which the broker's are compared at a start: a setting each.
extension FuserMemory {
    private static let valueRow = "value of "
    private static let kindsRow = "values that were read"

    /// The values of an earlier run.
    func auditedValues() -> AuditedValues {
        let rows =
            state.read("changes from before the start are found by their dates") { store throws(StoreError) in
                try store.settings()
            } ?? [:]
        var values: [String: String] = [:]
        for (key, value) in rows where key.hasPrefix(Self.valueRow) {
            values[String(key.dropFirst(Self.valueRow.count))] = value
        }
        let kinds = rows[Self.kindsRow]?.split(separator: " ").compactMap { AuditedValues.Kind(rawValue: String($0)) }
        return AuditedValues(values, kinds: Set(kinds ?? []))
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
