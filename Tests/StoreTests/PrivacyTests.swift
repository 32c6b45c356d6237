import Bytes
import Foundation
import Support
import Testing

@testable import Store

/// Claims of docs/privacy.md about the state of fusers and gateways: each title is a line of that page.
@Suite struct PrivacyTests {
    private static let now = AuditTests.now
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func ago(_ days: Double) -> Timestamp { now.advanced(bySeconds: -days * 86_400) }

    private func open(_ contents: StateStore.Contents = .house) throws -> StateStore {
        try StateStore(path: folder.file("state.sqlite"), holding: contents, at: Self.ago(500))
    }

    private static func visit(_ daysAgo: Double, _ room: String = "attic", of item: String = "keys") -> VisitRecord {
        VisitRecord(item: item, room: room, from: ago(daysAgo + 0.5), to: ago(daysAgo), confidence: 1)
    }

    private static func journal(_ number: UInt64, _ daysAgo: Double, of item: String = "keys") -> JournalRecord {
        JournalRecord(
            number: number, node: "hall", epoch: "e", seq: number, last: number, at: ago(daysAgo), kind: "enter",
            subject: item, payload: Array("attic".utf8))
    }

    private static func event(_ daysAgo: Double, of item: String = "keys") -> EventDraft {
        EventDraft(at: ago(daysAgo), kind: "moved", payload: Array("\(item)\n{\"room\":\"attic\"}".utf8))
    }

    private static let lesson = LessonRecord(
        id: "l1", item: "keys", room: "attic", taughtAt: ago(300), from: ago(300), to: ago(300),
        detail: Array("attic".utf8))

    private static let tracker: TrackerRecord = {
        var tracker = TrackerRecord(item: "keys", at: ago(300), state: "away", since: ago(300), heard: ago(300))
        tracker.room = "attic"
        return tracker
    }()

    /// Old and young records of all kinds.
    private func fill(_ store: StateStore) {
        for (first, days) in [(UInt64(1), 401.0), (3, 31), (5, 8), (7, 1)] {
            _ = store.transaction(at: Self.now) { batch in
                batch.append(Self.event(days))
                batch.set(.visit(Self.visit(days)))
                batch.set(.journal(Self.journal(first, days)))
                batch.set(.truth(TruthRecord(item: "keys", at: Self.ago(days), room: "attic", user: "anna")))
                batch.set(.telemetry(TelemetryRecord(item: "keys", at: Self.ago(days), payload: Array("attic".utf8))))
                batch.set(.audit(AuditTests.row(first, daysAgo: days)))
                batch.set(.tracker(Self.tracker))
                batch.set(.person(PersonRecord(person: "anna", detail: Array("attic".utf8))))
                batch.set(.lesson(Self.lesson))
            }
        }
        _ = store.heartbeat(at: Self.now.advanced(bySeconds: 7200))
    }

    private func filled() throws -> StateStore {
        let store = try open()
        fill(store)
        return store
    }

    // MARK: How long

    @Test(
        "Visits, with rooms and times, are deleted 30 days after their end, by `history.keep`, and the oldest of more than 100,000."
    )
    func visits() throws {
        #expect(try filled().visits(of: "keys", limit: 9).map(\.to) == [Self.ago(8), Self.ago(1)])
        var (shorter, fewer) = (StoreLimits(), StoreLimits())
        #expect(fewer.visits == 100_000)
        (shorter.visitAge, fewer.visits) = (.days(2), 1)
        for (name, limits) in [("shorter", shorter), ("fewer", fewer)] {
            let store = try StateStore(path: folder.file(name), holding: .house, at: Self.ago(500), limits: limits)
            fill(store)
            #expect(try store.visits(of: "keys", limit: 9).map(\.to) == [Self.ago(1)], "\(name)")
        }
    }

    @Test("Events of gateways are deleted after 30 days, by `history.keep`.")
    func journal() throws {
        #expect(try filled().journal(after: 0, limit: 9).map(\.at) == [Self.ago(8), Self.ago(1)])
    }

    @Test("True rooms, which a person marks on the page, are deleted after 30 days, by `history.keep`.")
    func truth() throws {
        #expect(try filled().truth(of: "keys", limit: 9).map(\.at) == [Self.ago(8), Self.ago(1)])
    }

    @Test("Events of items are deleted after 7 days, and the oldest once there are more than 10,000.")
    func events() throws {
        let store = try filled()
        #expect(try store.events(from: 1, limit: 9).map(\.event.at) == [Self.ago(1)])
        _ = store.transaction(at: Self.now) { batch in for _ in 0..<10_005 { batch.append(Self.event(0)) } }
        _ = store.heartbeat(at: Self.now.advanced(bySeconds: 14_400))
        #expect((9_800...10_000).contains(try store.events(from: 1, limit: 20_000).count))
    }

    @Test("What PostgreSQL has not stored yet stays for 30 days or `history.keep`, at most 1,000,000 rows of a kind.")
    func unexported() throws {
        let store = try open()
        store.exported = ExportMarks()
        fill(store)
        #expect(try store.events(from: 1, limit: 9).map(\.event.at) == [Self.ago(8), Self.ago(1)])
        #expect(StoreLimits().heldRows == 1_000_000, "ExportTests prove the bound")
    }

    @Test("Changes, with the name of who made them, are deleted from the audit after 400 days, by `history.audit`.")
    func audit() throws {
        #expect(try filled().audit(after: 0, limit: 9).map(\.at) == [31, 8, 1].map(Self.ago))
        var limits = StoreLimits()
        limits.auditAge = .days(30)
        let store = try StateStore(path: folder.file("s"), holding: .house, at: Self.ago(500), limits: limits)
        fill(store)
        #expect(try store.audit(after: 0, limit: 9).map(\.at) == [8, 1].map(Self.ago))
    }

    @Test("The last answer about an item or a person, and each lesson, stay until they are replaced, undone or purged.")
    func untilPurged() throws {
        let store = try filled()
        #expect(try store.trackers() == [Self.tracker] && store.lessons() == [Self.lesson])
        #expect(try store.persons().map(\.person) == ["anna"])
        _ = store.transaction(at: Self.now) { $0.set(.forgetLesson("l1")) }
        try store.purge("keys", of: "anna", before: nil, isGone: true, at: Self.now)
        #expect(try store.trackers().isEmpty && store.lessons().isEmpty && store.persons().isEmpty)
    }

    @Test(
        "A gateway's `state` has its regions, events, alerts, the registry and the cadence of beacons, and no visits, lessons or persons."
    )
    func gateway() throws {
        _ = try open(.node)
        let tables = try SQLiteConnection(path: folder.file("state.sqlite")).values(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", "list the tables")
        #expect(
            tables == [
                "alerts", "cadences", "epochs", "events", "items", "offers", "positions", "regions", "settings",
                "state",
                "topics",
            ])
    }

    @Test("Events of a gateway are deleted after 7 days, and the oldest once there are more than 10,000.")
    func gatewayEvents() throws {
        let store = try open(.node)
        _ = store.transaction(at: Self.now) { batch in
            for days in [8.0, 6] { batch.append(EventDraft(at: Self.ago(days), kind: "enter", payload: [1])) }
        }
        _ = store.heartbeat(at: Self.now.advanced(bySeconds: 7200))
        #expect(try store.events(from: 1, limit: 9).map(\.event.at) == [Self.ago(6)])
        _ = store.transaction(at: Self.now) { batch in
            for _ in 0..<10_005 { batch.append(EventDraft(at: Self.now, kind: "enter", payload: [1])) }
        }
        _ = store.heartbeat(at: Self.now.advanced(bySeconds: 14_400))
        #expect((9_800...10_000).contains(try store.events(from: 1, limit: 20_000).count))
    }

    @Test("The entry of a removed item is overwritten in the file.", arguments: [StateStore.Contents.node, .house])
    func removedItem(_ contents: StateStore.Contents) throws {
        let path = folder.file("state.sqlite")
        func text() -> String {
            [path, path + "-wal"].map { String(decoding: StoreFiles.read($0), as: UTF8.self) }.joined()
        }
        let store = try open(contents)
        let entry = ItemRecord(id: "keys", config: Array("Annas keys".utf8), source: "topic", at: Self.now)
        _ = store.transaction(at: Self.now) { $0.set(.item(entry)) }
        #expect(text().contains("Annas keys"))
        var tombstone = entry
        (tombstone.config, tombstone.removedAt) = ([], Self.now)
        _ = store.transaction(at: Self.now) { $0.set(.item(tombstone)) }
        #expect(!text().contains("Annas keys"))
        #expect(try store.items() == [tombstone])
    }

    @Test("A backup of a state has all of its personal data, the audit included.")
    func backup() throws {
        fill(try open())
        let copy = try StateCopy(of: folder.file("state.sqlite"), draft: folder.file("draft"))
        _ = try folder.write(copy.bytes, to: "copy.sqlite")
        let store = try StateStore(path: folder.file("copy.sqlite"), holding: .house, at: Self.now)
        #expect(try store.visits(of: "keys", limit: 9).count == 2 && store.audit(after: 0, limit: 9).count == 3)
        #expect(try store.persons().count == 1 && store.lessons().count == 1 && store.trackers().count == 1)
        #expect(try store.truth(of: "keys", limit: 9).count == 2)
    }

    // MARK: Deleting

    @Test("Delete what the tables have of an item, and nothing of another one")
    func purge() throws {
        let store = try filled()
        let other = Self.visit(1, of: "cat")
        _ = store.transaction(at: Self.now) { batch in
            batch.set(.visit(other))
            batch.set(.journal(Self.journal(9, 1, of: "cat")))
        }
        try store.purge("keys", before: nil, isGone: true, at: Self.now)
        #expect(try store.visits(of: "keys", limit: 9).isEmpty && store.lessons().isEmpty)
        #expect(try store.truth(of: "keys", limit: 9).isEmpty && store.telemetry(after: 0, limit: 9).isEmpty)
        #expect(try store.journal(after: 0, limit: 9).map(\.subject) == ["cat"] && store.trackers().isEmpty)
        #expect(try store.visits(of: "cat", limit: 9) == [other])
    }

    @Test("Leave the numbers of purged events")
    func numbers() throws {
        let store = try open()
        _ = store.transaction(at: Self.now) { batch in
            for item in ["keys", "cat", "keys"] { batch.append(Self.event(0, of: item)) }
        }
        try store.purge("keys", before: nil, isGone: true, at: Self.now.advanced(bySeconds: 1))
        let events = try store.events(from: 1, limit: 9)
        #expect(events.map(\.seq) == [1, 2, 3])
        #expect(
            events.map(\.event.kind) == ["", "moved", ""] && events.map(\.event.payload.isEmpty) == [true, false, true])
    }

    /// All of the state's files.
    private var text: String {
        ["", "-wal", "-shm"].map { String(decoding: StoreFiles.read(folder.file("state.sqlite") + $0), as: UTF8.self) }
            .joined()
    }

    @Test("Overwrite what a purge deletes")
    func overwrites() throws {
        do {
            let store = try open()
            fill(store)
            #expect(text.contains("attic") && text.contains("Annas keys"))
            try store.purge("keys", of: "anna", before: nil, isGone: true, at: Self.now.advanced(bySeconds: 7300))
        }
        #expect(!text.contains("attic") && !text.contains("Annas keys") && !text.contains("Keys of Anna"))
    }

    @Test("Overwrite what is deleted by its age, also after a purge and after the removal of an item")
    func overwritesPruned() throws {
        let store = try open()
        let tombstone = ItemRecord(id: "cat", config: [], source: "topic", at: Self.now, removedAt: Self.now)
        _ = store.transaction(at: Self.ago(29)) { $0.set(.item(tombstone)) }
        try store.purge("cat", before: nil, isGone: true, at: Self.ago(29))
        _ = store.transaction(at: Self.ago(29)) { batch in
            batch.set(.visit(Self.visit(29)))
            batch.set(.truth(TruthRecord(item: "keys", at: Self.ago(29), room: "attic", user: "anna")))
            batch.append(Self.event(29))
        }
        #expect(text.contains("keys"))
        _ = store.heartbeat(at: Self.now.advanced(bySeconds: 2 * 86_400))
        #expect(try store.visits(of: "keys", limit: 9).isEmpty)
        try store.completePurge()
        #expect(!text.contains("keys") && !text.contains("attic"), "nobody purged them")
    }

    @Test("A purge deletes the copies of the state from before an upgrade or a restoration, and damaged ones.")
    func copies() throws {
        let path = folder.file("state.sqlite")
        var older = Schema.house
        older.steps.removeLast()
        do { _ = try StateStore(path: path, at: Self.ago(1), limits: StoreLimits(), schema: older) }
        do { _ = try open() }
        let copy = try StateCopy(of: path, draft: folder.file("draft"))
        for _ in 0..<2 {
            let restore = try StateRestore(at: path, holding: .house)
            try restore.stage(copy.bytes)
            try restore.commit()
        }
        for _ in 0..<2 {
            try StoreFiles.write(Array("no database, and long enough to have a header of one: keys".utf8), path)
            _ = try open()
        }
        let others = ["state.sqlite.before-upgrade", "state.sqlite.schema-6.txt", "other.sqlite.before-restore"]
        for name in others { try StoreFiles.write([1], folder.file(name)) }
        let time = Self.ago(500).microseconds / 1_000_000
        let names = [
            "schema-\(older.steps.count)", "before-restore", "before-restore-2", "corrupt-\(time)", "corrupt-\(time)-2",
        ].map { "state.sqlite.\($0)" }
        #expect(Set(names + others).isSubset(of: try StoreFiles.names(folder.path)))
        for end in ["-wal", "-shm"] { try StoreFiles.write([1], folder.file(names[3] + end)) }
        let store = try open()
        try store.purge("keys", before: nil, at: Self.now)
        let left = try StoreFiles.names(folder.path).filter { !["state.sqlite", "state.sqlite-wal"].contains($0) }
        #expect(left == (others + ["state.sqlite.lock"]).sorted())
    }

    @Test("A purge erases the values before and after earlier changes of the item in the audit, and says so there.")
    func auditValues() throws {
        let store = try filled()
        try store.purge("keys", before: nil, at: Self.now)
        let rows = try store.audit(after: 0, limit: 9)
        #expect(rows.count == 3)
        #expect(rows.allSatisfy { $0.before == nil && $0.after == nil && $0.erased == Self.now && $0.user == "anna" })
    }

    @Test("A purge of a person leaves the data of the person's items: purge each of them.")
    func person() throws {
        let store = try filled()
        _ = store.transaction(at: Self.now) { $0.set(.visit(Self.visit(1, of: "anna"))) }
        try store.purge("anna", before: nil, isGone: true, at: Self.now)
        #expect(try store.visits(of: "anna", limit: 9).isEmpty && store.persons().isEmpty)
        #expect(try store.visits(of: "keys", limit: 9).count == 2)
        try store.purge("keys", before: nil, isGone: true, at: Self.now)
        #expect(try store.visits(of: "keys", limit: 9).isEmpty)
    }

    @Test("A purge does not reach a backup: a restoration names what was purged since.")
    func backups() throws {
        let path = folder.file("state.sqlite")
        do { fill(try open()) }
        let copy = try StateCopy(of: path, draft: folder.file("draft"))
        do {
            let store = try open()
            try store.purge("keys", before: nil, isGone: true, at: Self.now)
            var row = AuditTests.row(100)
            (row.action, row.before, row.after) = ("purge", nil, nil)
            _ = store.transaction(at: Self.now) { $0.set(.audit(row)) }
        }
        do {
            let restore = try StateRestore(at: path, holding: .house)
            try restore.stage(copy.bytes)
            #expect(restore.purgedSince == ["keys"])
            try restore.commit()
        }
        #expect(try open().visits(of: "keys", limit: 9).count == 2)
    }
}
