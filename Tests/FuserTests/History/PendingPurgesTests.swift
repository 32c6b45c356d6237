import BrokerSession
import Bytes
import LongHistory
import Store
import Support
import System
import Testing

@testable import Fuser

/// The deletions that wait for PostgreSQL.
@Suite struct PendingPurgesTests {
    private static let row = "purge of the long history"
    /// Nothing answers there.
    private static let connection = "host=/nowhere dbname=x"

    private func makePurge(_ item: String, _ seconds: Double, isWhole: Bool = false) -> HistoryPurge {
        HistoryPurge(item: item, before: ExportingFuser.time(seconds), isWhole: isWhole)
    }

    /// The stored deletions.
    private func rows(_ fuser: ExportingFuser) throws -> [String: String] {
        try fuser.memory.store.settings().filter { $0.key.hasPrefix("purge") }
    }

    @Test("Number each purge once, and drop those that a later one of all rows includes")
    func numbers() {
        var purges = PendingPurges()
        let requests = [makePurge("keys", 1), makePurge("cat", 1), makePurge("keys", 2), makePurge("cat", 1)]
        var added: [UInt64?] = []
        for purge in requests { added.append(purges.add(purge)) }
        #expect(added == [1, 2, 3, nil])
        let included = purges.removeIncluded(in: makePurge("keys", 1.5, isWhole: true))
        #expect(included == [1])
        #expect(purges.inOrder.map { $0.number } == [2, 3] && purges.count == 2)
        let removed = purges.remove(makePurge("cat", 1))
        let again = purges.remove(makePurge("cat", 1))
        #expect(removed == 2 && again == nil)
        purges.restore(makePurge("bed", 1), as: 9)
        let next = purges.add(makePurge("cat", 1))
        #expect(next == 10)
        #expect(purges.inOrder.map { $0.purge.item } == ["keys", "bed", "cat"])
    }

    @Test("Store each purge that waits in a row of its own")
    func storedRows() throws {
        let folder = try TemporaryFolder()
        var fuser = try ExportingFuser(Self.connection, folder: folder)
        let (first, second) = (ExportingFuser.time(1), ExportingFuser.time(2))
        for (item, time) in [("keys", first), ("my cat", first), ("keys", second)] {
            let isTaken = fuser.export.purge(item, before: nil, isGone: true, at: time)
            #expect(isTaken)
        }
        let expected = [
            "\(Self.row) 2": "\(first.microseconds) whole my cat", "\(Self.row) 3": "\(second.microseconds) whole keys",
        ]
        #expect(try rows(fuser) == expected)
        fuser.end()
        fuser = try ExportingFuser(Self.connection, folder: folder)
        defer { fuser.end() }
        #expect(fuser.export.purges.inOrder.map { $0.purge.item } == ["my cat", "keys"])
    }

    @Test("Give the purges that an earlier version has stored as one row a row each, in their order")
    func olderRow() throws {
        let folder = try TemporaryFolder()
        let time = ExportingFuser.time(0)
        let older = try FuserMemory(
            path: folder.file("main.sqlite"), history: .seconds(86400 * 30), at: time, log: ExportingFuser.log,
            isExported: true)
        older.state.commitBatch(at: time) { batch in
            batch.set(.setting(key: "purges of the long history", value: "5 whole my cat\n7 before keys"))
        }
        older.close(at: time)
        let fuser = try ExportingFuser(Self.connection, folder: folder)
        defer { fuser.end() }
        let expected = [
            HistoryPurge(item: "my cat", before: Timestamp(microseconds: 5), isWhole: true),
            HistoryPurge(item: "keys", before: Timestamp(microseconds: 7), isWhole: false),
        ]
        #expect(fuser.export.purges.inOrder.map { $0.purge } == expected)
        fuser.export.advance(to: MonotonicClock.now(), at: time)
        #expect(try rows(fuser) == ["\(Self.row) 1": "5 whole my cat", "\(Self.row) 2": "7 before keys"])
    }
}
