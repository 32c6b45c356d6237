import Foundation
import Support
import Testing

@testable import Store

@Suite struct StateRestoreTests {
    private static let start = RoundTripTests.start

    /// A closed state with a setting, and an event for each number.
    private func make(_ path: String, _ value: String, events: Int = 0) throws -> String {
        let store = try StateStore(path: path, holding: .house, at: Self.start)
        _ = store.transaction(at: Self.start) { batch in
            batch.set(.setting(key: "k", value: value))
            batch.set(.setting(key: "names", value: "whereabouts main 01234567"))
            for number in 0..<events {
                batch.append(EventDraft(at: Self.start, kind: "enter", payload: [UInt8(number)]))
            }
        }
        return store.epoch
    }

    @Test("Restore under a new epoch, with the earlier events, and keep the present state")
    func restores() throws {
        let folder = try TemporaryFolder()
        let (source, path) = (folder.file("source.sqlite"), folder.file("fuser.sqlite"))
        let epoch = try make(source, "new", events: 3)
        let copy = try StateCopy(of: source, draft: folder.file("draft"))
        _ = try make(path, "old", events: 9)
        do {
            let restore = try StateRestore(at: path, holding: .house)
            try restore.stage(copy.bytes, leavingOut: ["names"])
            try restore.commit()
        }
        let store = try StateStore(path: path, holding: .house, at: Self.start)
        #expect(store.opening.epochReason == nil && store.opening.setAside == nil)
        #expect(store.epoch != epoch && store.lastSeq == 0)
        #expect(try store.settings() == ["k": "new"])
        #expect(try store.events(epoch: epoch, from: 1, limit: 10).map(\.seq) == [1, 2, 3])
        let written = store.transaction(at: Self.start) {
            $0.append(EventDraft(at: Self.start, kind: "enter", payload: []))
        }
        #expect(written.events.map(\.seq) == [1] && written.events[0].epoch == store.epoch)
        let kept = try StateStore(path: path + ".before-restore", holding: .house, at: Self.start)
        #expect(try kept.settings()["k"] == "old" && kept.lastSeq == 9)
    }

    @Test("Keep the state of before each restoration")
    func keepsAll() throws {
        let folder = try TemporaryFolder()
        let (source, path) = (folder.file("source.sqlite"), folder.file("fuser.sqlite"))
        _ = try make(source, "new")
        let copy = try StateCopy(of: source, draft: folder.file("draft"))
        _ = try make(path, "first")
        for value in ["second", "third"] {
            do {
                let restore = try StateRestore(at: path, holding: .house)
                try restore.stage(copy.bytes)
                let kept = StateRestore.keptPath(of: path)
                #expect(!FileManager.default.fileExists(atPath: kept))
                try restore.commit()
                #expect(FileManager.default.fileExists(atPath: kept))
            }
            let store = try StateStore(path: path, holding: .house, at: Self.start)
            _ = store.transaction(at: Self.start) { $0.set(.setting(key: "k", value: value)) }
        }
        for (end, value) in [("", "first"), ("-2", "second")] {
            let kept = try StateStore(path: "\(path).before-restore\(end)", holding: .house, at: Self.start)
            #expect(try kept.settings()["k"] == value)
        }
    }

    @Test("Bring a state of an earlier version forward, and refuse one of a later version")
    func versions() throws {
        let folder = try TemporaryFolder()
        let (old, new, path) = (folder.file("old.sqlite"), folder.file("new.sqlite"), folder.file("fuser.sqlite"))
        var schema = Schema.house
        schema.steps = Array(schema.steps.prefix(3))
        do {
            let store = try StateStore(path: old, at: Self.start, limits: StoreLimits(), schema: schema)
            try store.database?.connection.execute("INSERT INTO settings VALUES ('k', 'early')", "set")
        }
        let copy = try StateCopy(of: old, draft: folder.file("draft"))
        #expect(copy.schema == 3)
        do {
            let restore = try StateRestore(at: path, holding: .house)
            try restore.stage(copy.bytes)
            try restore.commit()
        }
        do {
            let store = try StateStore(path: path, holding: .house, at: Self.start)
            #expect(try store.settings()["k"] == "early" && store.persons().isEmpty)
        }
        schema.steps = Schema.house.steps + ["CREATE TABLE later (id INTEGER PRIMARY KEY)"]
        _ = try StateStore(path: new, at: Self.start, limits: StoreLimits(), schema: schema)
        let error = #expect(throws: StoreError.self) { try StateCopy(of: new, draft: folder.file("draft")) }
        #expect(error?.kind == .newerSchema(Schema.house.steps.count + 1))
        let restore = try StateRestore(at: path, holding: .house)
        let second = #expect(throws: StoreError.self) { try restore.stage(StoreFiles.read(new)) }
        #expect(second?.kind == .newerSchema(Schema.house.steps.count + 1))
    }

    @Test("Refuse while a program has the state, and change nothing then or after a fault")
    func refuses() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fuser.sqlite")
        let store = try StateStore(path: path, holding: .house, at: Self.start)
        let error = #expect(throws: StoreError.self) { try StateRestore(at: path, holding: .house) }
        #expect(error?.kind == .otherWriter(processID: getpid()))
        #expect(StateRestore.isInUse(path))
        try store.close(at: Self.start)
        #expect(!StateRestore.isInUse(path))
        let before = StoreFiles.read(path)
        do {
            let restore = try StateRestore(at: path, holding: .house)
            #expect(throws: StoreError.self) { try restore.stage(Array("no database".utf8)) }
            try restore.commit()
        }
        #expect(StoreFiles.read(path) == before)
        #expect(try StoreFiles.names(folder.path) == ["fuser.sqlite", "fuser.sqlite.lock"])
    }

    @Test("Leave nothing of a restoration that is given up after it was prepared")
    func givenUp() throws {
        let folder = try TemporaryFolder()
        let (source, path) = (folder.file("source.sqlite"), folder.file("fuser.sqlite"))
        _ = try make(source, "new")
        let copy = try StateCopy(of: source, draft: folder.file("draft"))
        do {
            let restore = try StateRestore(at: path, holding: .house)
            try restore.stage(copy.bytes)
            #expect(try StoreFiles.names(folder.path).contains("fuser.sqlite.restoring"))
        }
        #expect(!(try StoreFiles.names(folder.path)).contains { $0.hasPrefix("fuser.sqlite.restoring") })
    }

    @Test("Keep nothing under a name that a link to nothing has")
    func keptName() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fuser.sqlite")
        #expect(symlink("/nothing", path + ".before-restore") == 0)
        #expect(StateRestore.keptPath(of: path) == path + ".before-restore-2")
    }

    @Test("Remove what a killed restoration left, at the next start")
    func remains() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fuser.sqlite")
        try StoreFiles.write([1], path + ".restoring")
        _ = try StateStore(path: path, holding: .house, at: Self.start)
        #expect(!(try StoreFiles.names(folder.path)).contains("fuser.sqlite.restoring"))
    }

    @Test("Replace a damaged state, with its log, and keep both")
    func damaged() throws {
        let folder = try TemporaryFolder()
        let (source, path) = (folder.file("source.sqlite"), folder.file("fuser.sqlite"))
        _ = try make(source, "new")
        let copy = try StateCopy(of: source, draft: folder.file("draft"))
        try StoreFiles.write(Array(repeating: 0xA5, count: 8192), path)
        try StoreFiles.write(Array(repeating: 0xA5, count: 8192), path + "-wal")
        do {
            let restore = try StateRestore(at: path, holding: .house)
            try restore.stage(copy.bytes)
            try restore.commit()
        }
        let store = try StateStore(path: path, holding: .house, at: Self.start)
        #expect(try store.settings()["k"] == "new")
        #expect(StoreFiles.read(path + ".before-restore").count == 8192)
    }
}
