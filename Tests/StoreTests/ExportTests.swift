import Bytes
import Glibc
import Support
import Testing

@testable import Store

/// The numbers by which a house's rows are exported, and the rows that wait for it.
@Suite struct ExportTests {
    private static func time(_ seconds: Double) -> Timestamp { HouseStateTests.time(seconds) }

    private static func journal(_ number: UInt64, at seconds: Double = 1) -> JournalRecord {
        JournalRecord(
            number: number, node: "hall", epoch: "00000001", seq: number, last: number, at: time(seconds),
            kind: "enter",
            subject: "keys")
    }

    private func open(_ folder: TemporaryFolder, limits: StoreLimits = StoreLimits()) throws -> StateStore {
        try StateStore(path: folder.file("fuser.sqlite"), holding: .house, at: Self.time(0), limits: limits)
    }

    @Test("Give each change of a visit the next number, and none twice")
    func changes() throws {
        let folder = try TemporaryFolder()
        func changes(_ store: StateStore, after number: UInt64 = 0) throws -> [String] {
            try store.visits(changedAfter: number, limit: 9).map {
                "\($0.change) \($0.visit.room)\($0.visit.to == nil ? "" : " ended")"
            }
        }
        do {
            let store = try open(folder)
            _ = store.transaction(at: Self.time(1)) { batch in
                batch.set(.visit(HouseStateTests.visit("attic", 0, nil)))
                batch.set(.visit(HouseStateTests.visit("hall", 0, nil, item: "cat")))
                batch.set(.visit(HouseStateTests.visit("attic", 0, 5)))
            }
            #expect(try changes(store) == ["2 hall", "3 attic ended"])
            #expect(try changes(store, after: 2) == ["3 attic ended"])
            _ = try store.purge("keys", before: nil, isGone: true, at: Self.time(2))
            _ = try store.purge("cat", before: Self.time(1), at: Self.time(2))
            #expect(try changes(store, after: 3) == ["4 hall"], "a visit that was cut has changed")
            _ = try store.purge("cat", before: nil, isGone: true, at: Self.time(2))
        }
        let store = try open(folder)
        _ = store.transaction(at: Self.time(3)) { $0.set(.visit(HouseStateTests.visit("cellar", 3, nil))) }
        #expect(try changes(store) == ["5 cellar"])
    }

    @Test("Count the journal and the audit on from their last numbers, even where no row is left")
    func ends() throws {
        let folder = try TemporaryFolder()
        do {
            let store = try open(folder)
            _ = store.transaction(at: Self.time(1)) { batch in
                for number in 1...3 { batch.set(.journal(Self.journal(UInt64(number)))) }
            }
            _ = try store.purge("keys", before: nil, at: Self.time(2))
            #expect(try store.journal(after: 0, limit: 9).isEmpty)
        }
        #expect(try open(folder).journalEnd() == 3)
    }

    @Test("Number the rows of an older database in its migration")
    func migration() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fuser.sqlite")
        var older = Schema.house
        older.steps.removeLast(3)
        older.tables.removeAll { $0 == .telemetry }
        do {
            let database = try StateStore(path: path, at: Self.time(0), limits: StoreLimits(), schema: older)
            _ = database.heartbeat(at: Self.time(1))
            let connection = try database.opened().connection
            try connection.execute(
                """
                INSERT INTO visits VALUES ('keys', 5, 6, 'hall', 900), ('keys', 7, NULL, 'attic', 900),
                    ('cat', 6, NULL, 'hall', 900);
                INSERT INTO journal VALUES (4, 'hall', 'a', 1, 1, 5, 'enter', NULL, NULL, '{}');
                INSERT INTO audit VALUES (9, 1, 'anna', 'admin', '::1', 'PUT', '/', 200)
                """, "fill")
        }
        let store = try open(folder)
        #expect(store.opening.migratedFrom == older.steps.count)
        #expect(
            try store.visits(changedAfter: 0, limit: 9).map { "\($0.change) \($0.visit.item)" } == [
                "1 keys", "2 cat", "3 keys",
            ])
        #expect(try store.exportEnds() == ExportEnds(visits: 3, journal: 4, audit: 9, telemetry: 0))
    }

    @Test("Delete no row that waits for its export, up to the bounds of those, and count what those delete")
    func holding() throws {
        var limits = StoreLimits()
        (limits.events, limits.visits, limits.journal) = (10, 10, 10)
        (limits.heldRows, limits.visitAge, limits.age, limits.heldAge) = (100, .hours(2), .hours(2), .hours(24))
        let folder = try TemporaryFolder()
        let store = try open(folder, limits: limits)
        store.exported = ExportMarks()
        var number = 0
        func write(_ count: Int, at seconds: Double) {
            _ = store.transaction(at: Self.time(seconds)) { batch in
                for _ in 0..<count {
                    number += 1
                    batch.append(HouseStateTests.event("keys", seconds))
                    batch.set(.visit(HouseStateTests.visit("hall", seconds + Double(number) / 1000, seconds + 1)))
                    batch.set(.journal(Self.journal(UInt64(number), at: seconds)))
                    batch.set(
                        .telemetry(
                            TelemetryRecord(item: "keys", at: Self.time(seconds + Double(number) / 1000), payload: [])))
                }
            }
        }
        func counts() throws -> [Int] {
            [
                try store.events(from: 1, limit: 1000).count, try store.visits(changedAfter: 0, limit: 1000).count,
                try store.journal(after: 0, limit: 1000).count, try store.telemetry(after: 0, limit: 1000).count,
            ]
        }
        write(60, at: 1)
        // Hours later all of it is older and more than the usual bounds allow.
        _ = store.heartbeat(at: Self.time(3 * 3600))
        #expect(try counts() == [60, 60, 60, 60])
        var marks = ExportMarks()
        (marks.epoch, marks.events, marks.visits, marks.journal, marks.telemetry) = (store.epoch, 30, 30, 30, 30)
        store.exported = marks
        _ = store.heartbeat(at: Self.time(5 * 3600))
        #expect(try counts() == [30, 30, 30, 30])
        #expect(store.statistics.lostExports == 0)
        // More than may wait: the oldest are lost, and counted.
        write(200, at: 6 * 3600)
        _ = store.heartbeat(at: Self.time(7 * 3600))
        #expect(try counts() == [99, 100, 100, 100])
        #expect(store.statistics.lostExports == 131 + 130 + 130 + 130)
        // Longer than they may wait.
        _ = store.heartbeat(at: Self.time(32 * 3600))
        #expect(try counts() == [0, 0, 0, 0])
        #expect(store.statistics.lostExports == 230 * 4)
    }

    @Test("Delete by the usual bounds where nothing is exported")
    func plain() throws {
        var limits = StoreLimits()
        (limits.events, limits.visits) = (10, 10)
        let store = try StateStore(inMemoryAt: Self.time(0), holding: .house, limits: limits)
        for number in 0..<20 {
            _ = store.transaction(at: Self.time(Double(number))) {
                $0.append(HouseStateTests.event("keys", Double(number)))
            }
        }
        #expect(try store.events(from: 1, limit: 100).count == 10 && store.statistics.lostExports == 0)
    }

    @Test("Go on with the numbers in a file that is made anew")
    func removedFile() throws {
        let folder = try TemporaryFolder()
        let store = try open(folder)
        _ = store.transaction(at: Self.time(1)) { batch in
            for room in ["hall", "attic", "hall"] { batch.set(.visit(HouseStateTests.visit(room, 0, nil))) }
        }
        for name in try StoreFiles.names(folder.path) { #expect(unlink(folder.file(name)) == 0) }
        _ = store.heartbeat(at: Self.time(2))
        _ = store.heartbeat(at: Self.time(20))
        #expect(store.problem == nil)
        // Each copy, into memory and into the new file, is a change.
        #expect(try store.visits(changedAfter: 3, limit: 9).map { "\($0.change) \($0.visit.room)" } == ["5 hall"])
    }
}
