import Bytes
import Foundation
import Support
import Testing

@testable import Store

/// The audit of a house: rows are added, and neither changed nor deleted before their time.
@Suite struct AuditTests {
    /// The present time: triggers compare ages with the machine's clock.
    static let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970) * 1_000_000)

    static func row(_ number: UInt64, daysAgo days: Double = 0, of subject: String? = "keys") -> AuditRecord {
        var row = AuditRecord(
            number: number, at: now.advanced(bySeconds: -days * 86_400), user: "anna", role: "operator",
            peer: "127.0.0.1", method: "PUT", path: "/api/items/keys", status: 200)
        (row.change, row.action, row.subject) = ("change-\(number)", "item", subject)
        (row.before, row.after) = (#"{"name":"Annas keys"}"#, #"{"name":"Keys of Anna"}"#)
        return row
    }

    private func store(_ folder: TemporaryFolder, age: Duration? = nil) throws -> StateStore {
        var limits = StoreLimits()
        if let age { limits.auditAge = age }
        return try StateStore(path: folder.file("fuser.sqlite"), holding: .house, at: Self.now, limits: limits)
    }

    private func add(_ rows: [AuditRecord], to store: StateStore) {
        _ = store.transaction(at: Self.now) { batch in for row in rows { batch.set(.audit(row)) } }
    }

    @Test("Give back rows as they were added: by page, by name, by time, and the value after the last change")
    func reading() throws {
        let folder = try TemporaryFolder()
        let store = try store(folder)
        let rows = (1...20).map { Self.row(UInt64($0), daysAgo: 20 - Double($0)) }
        add(rows, to: store)
        #expect(try store.auditEnd() == 20)
        #expect(try store.audit(before: nil, limit: 2) == [rows[19], rows[18]])
        #expect(try store.audit(after: 3, from: rows[4].at, to: rows[7].at, limit: 2) == [rows[4], rows[5]])
        #expect(try store.audit(after: 0, limit: 3) == Array(rows.prefix(3)))
        #expect(try store.hasChange("change-7") && !store.hasChange("change-21"))
        #expect(try store.lastValue(of: "keys", by: "item") == rows[19].after)
        #expect(try store.lastValue(of: "keys", by: "learn") == nil && store.lastValue(of: "cat", by: "item") == nil)
    }

    @Test("Give back the value of the last change that was not refused, also while the disk accepts nothing")
    func lastValue() throws {
        let folder = try TemporaryFolder()
        let store = try store(folder)
        var refused = Self.row(2)
        (refused.status, refused.before, refused.after) = (409, nil, nil)
        add([Self.row(1), refused], to: store)
        #expect(try store.lastValue(of: "keys", by: "item") == Self.row(1).after)
        store.forceFailure(StoreError(.full, purpose: "test", words: "full", path: nil), at: Self.now)
        var (third, fourth) = (Self.row(3), refused)
        (third.after, fourth.number) = ("{}", 4)
        add([third, fourth], to: store)
        #expect(try store.lastValue(of: "keys", by: "item") == "{}")
    }

    @Test("Refuse to change, replace or delete a row, whoever asks the database for it")
    func appendOnly() throws {
        let folder = try TemporaryFolder()
        var counted = Self.row(2)
        (counted.times, counted.since) = (3600, Self.now.advanced(bySeconds: -3600))
        do {
            let store = try store(folder)
            add([Self.row(1, daysAgo: 2), counted], to: store)
            // A row of a number that is there is left out.
            var other = Self.row(1)
            other.user = "mallory"
            add([other], to: store)
        }
        let connection = try SQLiteConnection(path: folder.file("fuser.sqlite"))
        for statement in [
            "UPDATE audit SET user = 'mallory' WHERE number = 1", "UPDATE audit SET new = new", "DELETE FROM audit",
            "UPDATE audit SET new = '{}'", "UPDATE audit SET old = NULL, new = NULL",
            "UPDATE audit SET old = NULL, new = NULL, erased = 1, user = 'mallory'",
            "DELETE FROM audit WHERE number = 1", "UPDATE audit SET old = NULL, new = NULL, erased = 1, times = 1",
            "UPDATE audit SET old = NULL, new = NULL, erased = 1, since = NULL WHERE number = 2",
        ] {
            #expect(throws: StoreError.self, "\(statement)") { try connection.execute(statement, "forge") }
        }
        try connection.execute(
            """
            INSERT OR REPLACE INTO audit (number, at, user, role, peer, method, path, status)
            VALUES (1, 0, 'mallory', '', '', '', '', 200)
            """, "forge")
        let rows = try connection.rows(.readAudit, [], SQLiteConnection.audit)
        #expect(rows == [Self.row(1, daysAgo: 2), counted])
    }

    @Test("Delete rows by their age alone, which is 30 days at least")
    func retention() throws {
        for (age, kept) in [(Duration.days(400), 399.0), (.days(60), 59), (.days(1), 29)] {
            let folder = try TemporaryFolder()
            let store = try store(folder, age: age)
            add(
                [1, 29, 31, 59, 61, 399, 401].map { Self.row(UInt64(500 - $0), daysAgo: Double($0)) }.reversed(),
                to: store)
            _ = store.heartbeat(at: Self.now.advanced(bySeconds: 7200))
            let oldest = try #require(try store.audit(after: 0, limit: 10).first)
            #expect(oldest == Self.row(UInt64(500 - Int(kept)), daysAgo: kept), "\(age)")
            #expect(store.problem == nil)
        }
    }

    @Test("Count the rows that go before their time for 100,000 later ones, unless another database has them")
    func lostRows() throws {
        for isExported in [false, true] {
            let folder = try TemporaryFolder()
            let store = try store(folder)
            if isExported {
                var marks = ExportMarks()
                marks.audit = 200_000
                store.exported = marks
            }
            add([Self.row(1, daysAgo: 401), Self.row(2, daysAgo: 1), Self.row(3), Self.row(4)], to: store)
            _ = store.heartbeat(at: Self.now.advanced(bySeconds: 7200))
            #expect(store.statistics.lostAudit == 0)
            add([Self.row(100_003)], to: store)
            _ = store.heartbeat(at: Self.now.advanced(bySeconds: 14_400))
            #expect(try store.audit(after: 0, limit: 10).map(\.number) == [4, 100_003])
            #expect(store.statistics.lostAudit == (isExported ? 0 : 2))
        }
    }

    @Test("Erase the values of a purged item, of its earlier changes alone, and say so")
    func purge() throws {
        let folder = try TemporaryFolder()
        let store = try store(folder)
        add(
            [Self.row(1, daysAgo: 3), Self.row(2, daysAgo: 1), Self.row(3, of: "cat"), Self.row(4, of: nil)], to: store)
        try store.purge("keys", before: Self.now.advanced(bySeconds: -2 * 86_400), at: Self.now)
        var rows = try store.audit(after: 0, limit: 10)
        #expect(rows[0].before == nil && rows[0].after == nil && rows[0].erased == Self.now)
        #expect(rows[0].user == "anna" && rows[0].subject == "keys" && rows[0].change == "change-1")
        #expect(rows[1...] == [Self.row(2, daysAgo: 1), Self.row(3, of: "cat"), Self.row(4, of: nil)])
        try store.purge("keys", before: nil, at: Self.now.advanced(bySeconds: 1))
        rows = try store.audit(after: 0, limit: 10)
        #expect(rows[0].erased == Self.now && rows[1].erased == Self.now.advanced(bySeconds: 1))
        #expect(rows[2...] == [Self.row(3, of: "cat"), Self.row(4, of: nil)])
    }

    @Test("Erase the values of a row that counts changes from before and after the end of a purge")
    func countedPurge() throws {
        let folder = try TemporaryFolder()
        let store = try store(folder)
        var row = Self.row(1)
        (row.times, row.since) = (5, Self.now.advanced(bySeconds: -7200))
        add([row, Self.row(2)], to: store)
        try store.purge("keys", before: Self.now.advanced(bySeconds: -3600), at: Self.now)
        let rows = try store.audit(after: 0, limit: 10)
        #expect(rows[0].before == nil && rows[0].times == 5 && rows[0].since == row.since && rows[1] == Self.row(2))
    }

    @Test("Keep the values of rows since the backup of a state that an earlier version wrote")
    func earlierRestoration() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fuser.sqlite")
        let backup: [UInt8]
        do { _ = try self.store(folder) }
        backup = try StateCopy(of: path, draft: folder.file("draft")).bytes
        for name in [path, path + "-wal", path + "-shm"] { try? FileManager.default.removeItem(atPath: name) }
        var older = Schema.house
        older.steps.removeLast()
        do { _ = try StateStore(path: path, at: Self.now, limits: StoreLimits(), schema: older) }
        try SQLiteConnection(path: path).execute(
            """
            INSERT INTO audit (number, at, user, role, peer, method, path, status, change, action, subject, new)
            VALUES (1, 1, 'anna', '', '', 'MQTT', '', 200, 'c', 'item', 'keys', '{"name":"Keys"}')
            """, "add a row")
        let restore = try StateRestore(at: path, holding: .house)
        try restore.stage(backup)
        try restore.commit()
        let rows = try SQLiteConnection(path: path).rows(.readAudit, [], SQLiteConnection.audit)
        #expect(rows.map(\.after) == [#"{"name":"Keys"}"#] && rows.map(\.times) == [1])
    }

    @Test("Keep the rows since the backup when an older state is restored, and record the restoration behind them")
    func restoration() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fuser.sqlite")
        let backup: [UInt8]
        do {
            let store = try store(folder)
            add([Self.row(1), Self.row(2)], to: store)
        }
        backup = try StateCopy(of: path, draft: folder.file("draft")).bytes
        do {
            let store = try store(folder)
            var purge = Self.row(4, of: "cat")
            (purge.action, purge.before, purge.after) = ("purge", nil, nil)
            try store.purge("keys", before: nil, at: Self.now)
            add([Self.row(3), purge], to: store)
        }
        let restore = try StateRestore(at: path, holding: .house)
        var record = AuditRecord(
            number: 0, at: Self.now, user: "root", role: "", peer: "hub", method: "restore", path: "b", status: 200)
        (record.action, record.change) = ("restore", "r")
        try restore.stage(backup, recording: record)
        #expect(restore.purgedSince == ["cat"])
        try restore.commit()
        let rows = try SQLiteConnection(path: path).rows(.readAudit, [], SQLiteConnection.audit)
        #expect(rows.map(\.number) == [1, 2, 3, 4, 5])
        #expect(rows.map(\.action) == ["item", "item", "item", "purge", "restore"])
        #expect(rows.map(\.user) == ["anna", "anna", "anna", "anna", "root"])
    }
}
