internal import BrokerSession
internal import Bytes
internal import LongHistory
internal import Store

/// The deletions that PostgreSQL has yet to make: one setting.
extension FuserMemory {
    private static let row = "purges of the long history"

    /// The stored deletions, in their order.
    func pendingPurges() -> [HistoryPurge] {
        let text = state.read("deletions in PostgreSQL that wait are not known") { store throws(StoreError) in
            try store.settings()[Self.row]
        }
        return ((text ?? nil) ?? "").split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3, let before = Int64(words[0]) else { return nil }
            return HistoryPurge(
                item: String(words[2]), before: Timestamp(microseconds: before), isWhole: words[1] == "whole")
        }
    }

    /// Stores the deletions that wait.
    func record(pendingPurges purges: [HistoryPurge], at now: Timestamp) {
        let lines = purges.map { "\($0.before.microseconds) \($0.isWhole ? "whole" : "before") \($0.item)" }
        state.commitBatch(at: now) { batch in
            batch.set(
                lines.isEmpty ? .forgetSetting(Self.row) : .setting(key: Self.row, value: lines.joined(separator: "\n"))
            )
        }
    }
}
