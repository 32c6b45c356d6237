import Foundation
import Support
import Testing

@testable import Store

@Suite struct KillTests {
    /// One database, killed again and again: what was acknowledged is there, whole batches only, no number lost or used twice.
    @Test(arguments: [1, 2] as [UInt64]) func aKillLosesNothingThatWasWritten(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        let output = folder.file("output")
        var epochs: Set<String> = []
        var told: UInt64 = 0
        for round in 1...12 {
            try StoreFiles.write([], output)
            let writer = try ChildProcess(Execution.path(of: "StoreWriter"), ["write", path], output: output)
            let lines = Int.random(in: 0...25, using: &random)
            _ = waitUntil(StoreFiles.patience) {
                StoreFiles.lines(output).count >= lines || !writer.isRunning
            }
            // The moment within a batch.
            usleep(UInt32.random(in: 0...3000, using: &random))
            #expect(writer.isRunning, "\(StoreFiles.lines(output).suffix(1))")
            writer.send(SIGKILL)
            writer.wait()

            let store = try StateStore(path: path, at: RoundTripTests.start)
            #expect(store.opening.setAside == nil)
            #expect(store.opening.epochReason == nil)
            epochs.insert(store.epoch)
            if let last = StoreFiles.lines(output).last?.split(separator: " "), last.count == 2 {
                told = max(told, UInt64(last[1]) ?? 0)
            }
            #expect(store.lastSeq >= told, "seed \(seed) round \(round)")
            told = store.lastSeq
            try expectWholeBatches(store, "seed \(seed) round \(round)")
        }
        #expect(epochs.count == 1)
    }

    @Test("A kill at any moment of a migration loses nothing: the state is the old or the new one, and so is its copy")
    func migration() throws {
        var random = SeededGenerator(seed: 3)
        let folder = try TemporaryFolder()
        var older = Schema.house
        older.steps.removeLast()
        older.tables.removeAll { $0 == .telemetry }
        let base = folder.file("base.sqlite")
        let count: UInt64 = 4000
        do {
            let store = try StateStore(path: base, at: RoundTripTests.start, limits: StoreLimits(), schema: older)
            _ = store.transaction(at: RoundTripTests.start) { batch in
                for number in 1...Int(count) { batch.append(RoundTripTests.event(number)) }
                batch.set(.setting(key: "plan", value: String(repeating: "x", count: 1 << 20)))
            }
            try store.close(at: RoundTripTests.start)
        }
        let bytes = StoreFiles.read(base)
        let path = folder.file("fuser.sqlite"), output = folder.file("output")
        let copy = StoreDatabase.copyPath(path, of: older.version)
        var ends: [String: Int] = [:]
        let rounds = LongProofs.areRequested ? 100 : 30
        for round in 1...rounds {
            for name in try StoreFiles.names(folder.path) where name.hasPrefix("fuser.sqlite") {
                try FileManager.default.removeItem(atPath: folder.file(name))
            }
            try StoreFiles.write(bytes, path)
            try StoreFiles.write([], output)
            let program = try ChildProcess(Execution.path(of: "StoreWriter"), ["migrate", path], output: output)
            // Half of the kills from the creation of the lock on, the others from that of the copy on.
            let sign = round.isMultiple(of: 2) ? copy : path + ".lock"
            _ = waitUntil(StoreFiles.patience) {
                FileManager.default.fileExists(atPath: sign) || !program.isRunning
            }
            #expect(program.isRunning, "round \(round): \(StoreFiles.lines(output))")
            usleep(UInt32.random(in: 0...(round.isMultiple(of: 2) ? 4000 : 40_000), using: &random))
            program.send(SIGKILL)
            program.wait()
            let isCopied = FileManager.default.fileExists(atPath: copy)
            let store = try StateStore(path: path, holding: .house, at: RoundTripTests.start)
            ends[store.opening.migratedFrom == nil ? "after" : isCopied ? "between" : "before", default: 0] += 1
            #expect(store.opening.setAside == nil && store.opening.epochReason == nil, "round \(round)")
            let events = try store.events(from: 1, limit: Int(count) + 1)
            #expect(store.lastSeq == count && events.count == Int(count), "round \(round)")
            let kept = try StateStore(path: copy, at: RoundTripTests.start, limits: StoreLimits(), schema: older)
            #expect(kept.opening.setAside == nil && kept.opening.migratedFrom == nil && kept.lastSeq == count)
            let names = try StoreFiles.names(folder.path)
            #expect(!names.contains { $0.hasSuffix("schema-new") }, "round \(round)")
        }
        print("\(rounds) kills before, between and after copy and migration: \(ends)")
    }

    private func expectWholeBatches(_ store: StateStore, _ place: String) throws {
        let extent = try #require(try store.extents().last)
        var events: [StoredEvent] = []
        while let more = try? store.events(from: (events.last?.seq ?? 0) + 1, limit: 1000), !more.isEmpty {
            events += more
        }
        #expect(extent.lastSeq == UInt64(events.count), "\(place)")
        #expect(events.map(\.seq) == events.indices.map { UInt64($0) + 1 }, "\(place)")
        var batch = ""
        var expected = (name: "", index: 0, count: 0)
        for event in events {
            let words = String(decoding: event.event.payload, as: UTF8.self).split(separator: " ").map(String.init)
            let (name, index, count) = (words[0], Int(words[1]) ?? 0, Int(words[2]) ?? 0)
            if index == 1 {
                #expect(expected.index == expected.count, "\(place): \(expected) is not whole")
            } else {
                #expect(name == expected.name && index == expected.index + 1 && count == expected.count, "\(place)")
            }
            expected = (name, index, count)
            batch = name
        }
        #expect(expected.index == expected.count, "\(place)")
        // The effect is that of the last whole batch.
        #expect(try store.settings()["batch"] == (events.isEmpty ? nil : batch), "\(place)")
    }

    @Test func aSecondProcessIsRefusedWithAWord() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        let output = folder.file("output")
        let holder = try ChildProcess(Execution.path(of: "StoreWriter"), ["hold", path], output: output)
        _ = waitUntil(StoreFiles.patience) { !StoreFiles.lines(output).isEmpty || !holder.isRunning }
        #expect(StoreFiles.lines(output) == ["opened"])
        let error = #expect(throws: StoreError.self) { try StateStore(path: path, at: RoundTripTests.start) }
        #expect(error?.kind == .otherWriter(processID: holder.processID))
        #expect(error?.description.contains("end process \(holder.processID)") == true)
        holder.send(SIGKILL)
        holder.wait()
        _ = try StateStore(path: path, at: RoundTripTests.start)
    }

    @Test func aSecondStoreInOneProcessIsRefusedToo() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        let first = try StateStore(path: path, at: RoundTripTests.start)
        let error = #expect(throws: StoreError.self) { try StateStore(path: path, at: RoundTripTests.start) }
        #expect(error?.kind == .otherWriter(processID: getpid()))
        #expect(first.heartbeat(at: RoundTripTests.start).problem == nil)
    }

    @Test func withoutPermissionTheReasonAndTheMendAreSaid() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        _ = try StateStore(path: path, at: RoundTripTests.start)
        let before = StoreFiles.read(path)
        let output = try TemporaryFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path) }
        let isRoot = getuid() == 0
        let program = Execution.path(of: "StoreWriter")
        let child = try ChildProcess(
            program, ["open", path] + (isRoot ? ["--unprivileged"] : []), output: output.file("output"))
        #expect(child.wait(atMost: 20) == 1)
        #expect(StoreFiles.lines(output.file("output")) == ["notPermitted"])
        #expect(StoreFiles.read(path) == before)
    }

    @Test func aMissingFolderIsNamedWithItsMend() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("missing/agent.sqlite")
        let error = #expect(throws: StoreError.self) { try StateStore(path: path, at: RoundTripTests.start) }
        #expect(error?.kind == .folderMissing)
        #expect(error?.description.contains(folder.file("missing")) == true)
        #expect(error?.description.contains("make the folder") == true)
        let file = try folder.write([1], to: "plain") + "/agent.sqlite"
        #expect(throws: StoreError.self) { try StateStore(path: file, at: RoundTripTests.start) }
        #expect(throws: StoreError.self) { try StateStore(path: folder.path, at: RoundTripTests.start) }
    }
}
