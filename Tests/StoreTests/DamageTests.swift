import Bytes
import Foundation
import Support
import Testing

@testable import Store

@Suite struct DamageTests {
    static let now = RoundTripTests.start

    /// The files of a database that was closed, and of one that ended in the middle of its work.
    struct Image {
        var files: [String: [UInt8]] = [:]
        var epoch: String
        var lastSeq: UInt64

        init(isClosed: Bool) throws {
            let folder = try TemporaryFolder()
            let path = folder.file("agent.sqlite")
            let store = try StateStore(path: path, at: now)
            for number in 1...120 {
                _ = store.transaction(at: now) { batch in
                    batch.append(RoundTripTests.event(number * 2))
                    batch.append(RoundTripTests.event(number * 2 + 1))
                    // The removal of an item empties the log.
                    for change in RoundTripTests.changes where number == 1 || !change.removesItem { batch.set(change) }
                }
                // Half of it in the pages, half in the log.
                if number == 60 { _ = try store.database?.connection.values("PRAGMA wal_checkpoint(TRUNCATE)", "") }
            }
            epoch = store.epoch
            lastSeq = store.lastSeq
            if isClosed { try store.close(at: now) }
            for name in try StoreFiles.names(folder.path) { files[name] = StoreFiles.read(folder.file(name)) }
        }

        func restore(into folder: TemporaryFolder) throws {
            for (name, bytes) in files { try StoreFiles.write(bytes, folder.file(name)) }
        }
    }

    /// Opens what is there; whatever that gives, no number that was told before is told again.
    func expectNoReuse(_ folder: TemporaryFolder, _ image: Image, _ place: String) throws {
        let store: StateStore
        do {
            store = try StateStore(path: folder.file("agent.sqlite"), at: Self.now)
        } catch {
            // The two numbers of the header that say whose it is, and how new.
            switch error.kind {
            case .newerSchema, .notOurs: return
            default:
                Issue.record("\(place): \(error)")
                return
            }
        }
        if let setAside = store.opening.setAside {
            #expect(FileManager.default.fileExists(atPath: setAside.path), "\(place)")
            #expect(setAside.reason.kind == .corrupt)
            #expect(store.opening.isNew)
        }
        let written = store.transaction(at: Self.now) { $0.append(RoundTripTests.event(1000)) }
        #expect(written.problem == nil || written.setAside != nil, "\(place): \(String(describing: written.problem))")
        let stored = try #require(written.events.first)
        #expect(stored.epoch != image.epoch || stored.seq == image.lastSeq + 1, "\(place): \(stored.seq)")
        #expect(store.epoch == stored.epoch)
        #expect(try store.events(epoch: stored.epoch, from: stored.seq, limit: 2) == [stored], "\(place)")
        try store.close(at: Self.now)
        let again = try StateStore(path: folder.file("agent.sqlite"), at: Self.now)
        #expect(again.epoch == stored.epoch && again.lastSeq == stored.seq, "\(place)")
    }

    @Test func aDamagedDatabaseNeverStopsANodeNorDoublesANumber() throws {
        for (isClosed, name) in [(true, "agent.sqlite"), (false, "agent.sqlite"), (false, "agent.sqlite-wal")] {
            let image = try Image(isClosed: isClosed)
            let whole = try #require(image.files[name])
            for seed in stride(from: UInt64(0), to: 40, by: LongProofs.areRequested ? 1 : 3) {
                var random = SeededGenerator(seed: seed)
                let folder = try TemporaryFolder()
                try image.restore(into: folder)
                var bytes = whole
                // The header, and anywhere.
                let isHeader = seed < 14
                let offset = Int.random(in: 0..<(isHeader ? 100 : bytes.count), using: &random)
                let length = min(Int.random(in: 1...(isHeader ? 4 : 300), using: &random), bytes.count - offset)
                for index in offset..<offset + length { bytes[index] ^= UInt8.random(in: 1...255, using: &random) }
                try StoreFiles.write(bytes, folder.file(name))
                try expectNoReuse(folder, image, "\(name) closed \(isClosed) seed \(seed) at \(offset)+\(length)")
            }
        }
    }

    @Test func aTruncatedDatabaseNeverStopsANodeNorDoublesANumber() throws {
        for (isClosed, name) in [(true, "agent.sqlite"), (false, "agent.sqlite"), (false, "agent.sqlite-wal")] {
            let image = try Image(isClosed: isClosed)
            let whole = try #require(image.files[name])
            var random = SeededGenerator(seed: 7)
            let lengths =
                [0, 1, 15, 16, 99, 100, 512, 4096]
                + (0..<8).map { _ in Int.random(in: 0..<whole.count, using: &random) }
            for length in lengths where length < whole.count {
                let folder = try TemporaryFolder()
                try image.restore(into: folder)
                try StoreFiles.write(Array(whole.prefix(length)), folder.file(name))
                try expectNoReuse(folder, image, "\(name) closed \(isClosed) cut to \(length)")
            }
        }
    }

    @Test func aLostLogOrAnOldCopyBeginsANewEpoch() throws {
        let image = try Image(isClosed: false)
        let folder = try TemporaryFolder()
        try image.restore(into: folder)
        try FileManager.default.removeItem(atPath: folder.file("agent.sqlite-wal"))
        let store = try StateStore(path: folder.file("agent.sqlite"), at: Self.now)
        #expect(store.opening.epochReason != nil)
        #expect(store.epoch != image.epoch)
        #expect(store.lastSeq == 0)
        // The rest of the old epoch can still be read.
        #expect(try store.events(epoch: image.epoch, from: 1, limit: 1000).count == 120)
        #expect(try store.regions().count == 2)
        let written = store.transaction(at: Self.now) { $0.append(RoundTripTests.event(1)) }
        #expect(written.problem == nil)
        #expect(written.events.map(\.seq) == [1])
        #expect(
            try store.extents() == [
                LedgerExtent(epoch: image.epoch, firstSeq: 1, lastSeq: 120),
                LedgerExtent(epoch: store.epoch, firstSeq: 1, lastSeq: 1),
            ])
    }

    @Test func aLostLogThatHeldANewEpochBeginsAnotherOne() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        var told: Set<String> = []
        do {
            let store = try StateStore(path: path, at: Self.now)
            let connection = try #require(store.database).connection
            for number in 1...9 {
                // The first in the pages; the rest, and an epoch that a failing disk began, in the log.
                if number == 4 { _ = try connection.values("PRAGMA wal_checkpoint(TRUNCATE)", "") }
                _ = try connection.values("PRAGMA query_only=\(number == 7 ? 1 : 0)", "")
                let at = Self.now.advanced(bySeconds: Double(number) * 10)
                for event in store.transaction(at: at, { $0.append(RoundTripTests.event(number)) }).events {
                    #expect(told.insert("\(event.epoch) \(event.seq)").inserted)
                }
            }
            #expect(store.problem == nil)
            let image = try TemporaryFolder()
            for name in ["agent.sqlite", "agent.sqlite.lock"] {
                try StoreFiles.write(StoreFiles.read(folder.file(name)), image.file(name))
            }
            for _ in 0..<2 {
                let copy = try StateStore(path: image.file("agent.sqlite"), at: Self.now)
                let written = copy.transaction(at: Self.now) { $0.append(RoundTripTests.event(1)) }
                for event in written.events {
                    #expect(told.insert("\(event.epoch) \(event.seq)").inserted)
                }
            }
        }
        #expect(told.count == 11)
    }

    @Test func whatIsNoDatabaseIsSetAsideWhole() throws {
        let folder = try TemporaryFolder()
        let text = Array(String(repeating: "not a database\n", count: 100).utf8)
        let path = try folder.write(text, to: "agent.sqlite")
        _ = try folder.write([1, 2, 3], to: "agent.sqlite-wal")
        let store = try StateStore(path: path, at: Self.now)
        let setAside = try #require(store.opening.setAside)
        #expect(setAside.path == path + ".corrupt-1700000000")
        #expect(StoreFiles.read(setAside.path) == text)
        #expect(StoreFiles.read(setAside.path + "-wal") == [1, 2, 3])
        #expect(setAside.reason.description.contains("not a database"))
        #expect(store.heartbeat(at: Self.now).problem == nil)
    }

    @Test func damageFoundWhileWritingIsSetAsideAndTheNodeGoesOn() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        let store = try StateStore(path: path, at: Self.now)
        _ = store.transaction(at: Self.now) { $0.append(RoundTripTests.event(1)) }
        let old = store.epoch
        store.forceFailure(StoreError(.corrupt, purpose: "append an event", words: "damage", path: path), at: Self.now)
        let written = store.transaction(at: Self.now) { $0.append(RoundTripTests.event(2)) }
        #expect(written.setAside != nil)
        #expect(written.problem == nil)
        #expect(written.hasRecovered)
        #expect(written.events.map(\.seq) == [1])
        #expect(store.epoch != old)
        #expect(try store.events(from: 1, limit: 5) == written.events)
    }

    @Test func anotherProgramsDatabaseIsLeftAlone() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([], to: "other.sqlite")
        do {
            let other = try SQLiteConnection(path: path)
            try other.execute("CREATE TABLE photos (name TEXT); INSERT INTO photos VALUES ('cat')", "")
        }
        let before = StoreFiles.read(path)
        let error = #expect(throws: StoreError.self) { try StateStore(path: path, at: Self.now) }
        #expect(error?.kind == .notOurs)
        #expect(StoreFiles.read(path) == before)
    }
}
