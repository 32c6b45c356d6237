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
}
