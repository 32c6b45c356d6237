import Foundation
import Support
import Testing

@testable import Store

@Suite struct MigrationTests {
    static let now = RoundTripTests.start
    static let newer = longer("ALTER TABLE topics ADD COLUMN note TEXT")

    /// The schema with a step more.
    static func longer(_ step: String) -> Schema {
        var schema = Schema.node
        schema.steps.append(step)
        return schema
    }

    @Test func anOlderDatabaseIsBroughtForwardWithAllThatItHolds() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        do {
            let store = try StateStore(path: path, at: Self.now)
            _ = store.transaction(at: Self.now) { batch in
                batch.append(RoundTripTests.event(1))
                for change in RoundTripTests.changes { batch.set(change) }
            }
        }
        do {
            let store = try StateStore(path: path, at: Self.now, limits: StoreLimits(), schema: Self.newer)
            #expect(store.opening.migratedFrom == Schema.node.steps.count)
            #expect(try RoundTripTests.records(store) == Set(RoundTripTests.changes))
            #expect(store.lastSeq == 1)
        }
        let again = try StateStore(path: path, at: Self.now, limits: StoreLimits(), schema: Self.newer)
        #expect(again.opening.migratedFrom == nil)
    }

    @Test func aNewerDatabaseIsRefusedAndNotTouched() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        do {
            let store = try StateStore(path: path, at: Self.now, limits: StoreLimits(), schema: Self.newer)
            _ = store.heartbeat(at: Self.now)
        }
        let before = StoreFiles.read(path)
        let error = #expect(throws: StoreError.self) { try StateStore(path: path, at: Self.now) }
        #expect(error?.kind == .newerSchema(Self.newer.steps.count))
        #expect(error?.description.contains("install the newer version") == true)
        #expect(StoreFiles.read(path) == before)
        #expect(try StoreFiles.names(folder.path) == ["agent.sqlite", "agent.sqlite.lock"])
    }

    @Test func aMigrationThatFailsLeavesTheDatabaseAsItWas() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        do {
            let store = try StateStore(path: path, at: Self.now)
            _ = store.transaction(at: Self.now) { $0.append(RoundTripTests.event(1)) }
        }
        let broken = Self.longer("DROP TABLE topics; CREATE TABLE regions (id TEXT)")
        #expect(throws: StoreError.self) {
            try StateStore(path: path, at: Self.now, limits: StoreLimits(), schema: broken)
        }
        let store = try StateStore(path: path, at: Self.now)
        #expect(store.lastSeq == 1)
        #expect(try store.topics().isEmpty)
    }

    @Test("Keep a copy of before, which the older version reads with all that it held")
    func copy() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent's.sqlite")
        do {
            let store = try StateStore(path: path, at: Self.now)
            _ = store.transaction(at: Self.now) { batch in
                batch.append(RoundTripTests.event(1))
                for change in RoundTripTests.changes { batch.set(change) }
            }
        }
        // The draft of a copy whose program was killed.
        try StoreFiles.write([1, 2, 3], path + ".schema-new")
        let copy = path + ".schema-\(Schema.node.steps.count)"
        do {
            let store = try StateStore(path: path, at: Self.now, limits: StoreLimits(), schema: Self.newer)
            #expect(store.opening.keptCopy == copy)
            _ = store.transaction(at: Self.now) { $0.append(RoundTripTests.event(2)) }
        }
        #expect(try StoreFiles.mode(copy) == 0o600)
        #expect(!(try StoreFiles.names(folder.path)).contains { $0.hasSuffix("schema-new") })
        let refused = #expect(throws: StoreError.self) { try StateStore(path: path, at: Self.now) }
        #expect(refused?.mend.contains(path + ".schema-") == true)
        // The operator's mend.
        for name in [path, path + ".lock"] { try FileManager.default.removeItem(atPath: name) }
        try FileManager.default.moveItem(atPath: copy, toPath: path)
        let older = try StateStore(path: path, at: Self.now)
        #expect(try RoundTripTests.records(older) == Set(RoundTripTests.changes))
        #expect(older.lastSeq == 1 && older.opening.migratedFrom == nil)
    }

    @Test("Keep the copy of the last migration alone, and none of a new database")
    func lastCopy() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        do { _ = try StateStore(path: path, at: Self.now) }
        #expect(try StoreFiles.names(folder.path) == ["agent.sqlite", "agent.sqlite.lock"])
        var schema = Self.newer
        do { _ = try StateStore(path: path, at: Self.now, limits: StoreLimits(), schema: schema) }
        schema.steps.append("ALTER TABLE topics ADD COLUMN more TEXT")
        do { _ = try StateStore(path: path, at: Self.now, limits: StoreLimits(), schema: schema) }
        #expect(try StoreFiles.names(folder.path) == ["agent.sqlite", "agent.sqlite.lock", "agent.sqlite.schema-2"])
    }

    @Test("Erase what is to be forgotten from the copy of a migration as well")
    func purge() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fuser.sqlite")
        var older = Schema.house
        older.steps.removeLast()
        older.tables.removeAll { $0 == .telemetry }
        do { _ = try StateStore(path: path, at: Self.now, limits: StoreLimits(), schema: older) }
        let store = try StateStore(path: path, holding: .house, at: Self.now)
        #expect(try StoreFiles.names(folder.path).contains("fuser.sqlite.schema-\(older.steps.count)"))
        _ = try store.purge("keys", before: nil, at: Self.now)
        #expect(!(try StoreFiles.names(folder.path)).contains { $0.hasPrefix("fuser.sqlite.schema-") })
    }

    /// Programs look at the number of the schema alone to refuse the state of a newer one. Records that have a version of
    /// their own would otherwise be dropped by it, one by one: a step of the schema, be it an empty one, goes with each.
    @Test("A new form of the records in a state comes with a step of its schema")
    func records() throws {
        let forms = [
            "Presence/PresenceRecord+Bytes": 1, "Presence/ExitRule+Record": 2, "RoomEstimation/Memory/LocatorRecord": 6,
            "HouseTracking/Teaching/Lesson+Bytes": 1, "HouseTracking/Persons/PersonMemory": 1,
        ]
        for (file, version) in forms {
            let text = try String(contentsOfFile: "\(Repository.root)/Sources/\(file).swift", encoding: .utf8)
            let line = text.split(separator: "\n").first { $0.contains("private static let version") }
            #expect(line?.hasSuffix("= \(version)") == true, "\(file)")
        }
        #expect(Schema.node.steps.count == 1 && Schema.house.steps.count == 10)
    }
}
