internal import BrokerSession
internal import Bytes
internal import LongHistory
internal import Store

/// The deletions that PostgreSQL has yet to make: a setting each.
extension FuserMemory {
    /// The prefix of these settings, before the number of the deletion.
    private static let purgeRow = "purge of the long history "
    /// The setting in which an earlier version has them all, a line each.
    private static let olderPurgeRow = "purges of the long history"
    /// The most that a number may be.
    private static let lastNumber: UInt64 = 1 << 62

    /// The stored deletions; older ones are those of an earlier version, which need to be stored anew.
    func pendingPurges() -> (purges: PendingPurges, areOlder: Bool) {
        let consequence = "deletions in PostgreSQL that wait are not known"
        var purges = PendingPurges()
        for (key, text) in state.readSettings(withPrefix: Self.purgeRow, consequence) {
            guard let number = UInt64(key), number <= Self.lastNumber, let purge = Self.readPurge(text) else {
                continue
            }
            purges.restore(purge, as: number)
        }
        let older = state.readSetting(Self.olderPurgeRow, consequence)
        for line in (older ?? "").split(separator: "\n") {
            if let purge = Self.readPurge(String(line)) { _ = purges.add(purge) }
        }
        return (purges, older != nil)
    }

    /// Stores deletions, and removes those with other numbers.
    func storePurges(_ added: [PendingPurges.Entry], removing removed: [UInt64], at now: Timestamp) {
        state.commitBatch(at: now) { batch in
            for number in removed { batch.set(.forgetSetting("\(Self.purgeRow)\(number)")) }
            for entry in added { batch.set(Self.makeRow(entry)) }
        }
    }

    /// Stores all deletions, also in place of what an earlier version has stored.
    func storeAllPurges(_ purges: PendingPurges, at now: Timestamp) {
        state.commitBatch(at: now) { batch in
            for entry in purges.inOrder { batch.set(Self.makeRow(entry)) }
            batch.set(.forgetSetting(Self.olderPurgeRow))
        }
    }

    private static func makeRow(_ entry: PendingPurges.Entry) -> StoreChange {
        let (number, purge) = entry
        return .setting(
            key: "\(purgeRow)\(number)",
            value: "\(purge.before.microseconds) \(purge.isWhole ? "whole" : "before") \(purge.item)")
    }

    private static func readPurge(_ text: String) -> HistoryPurge? {
        let words = text.split(separator: " ", maxSplits: 2)
        guard words.count == 3, let before = Int64(words[0]) else { return nil }
        return HistoryPurge(
            item: String(words[2]), before: Timestamp(microseconds: before), isWhole: words[1] == "whole")
    }
}
