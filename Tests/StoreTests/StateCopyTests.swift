import Foundation
import Support
import Testing

@testable import Store

@Suite struct StateCopyTests {
    private static let start = RoundTripTests.start

    @Test("Copy a state that its program has open, as of the last write")
    func open() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fuser.sqlite")
        let store = try StateStore(path: path, holding: .house, at: Self.start)
        _ = store.transaction(at: Self.start) {
            $0.append(EventDraft(at: Self.start, kind: "enter", payload: [1, 2]))
            $0.set(.setting(key: "k", value: "v"))
        }
        let copy = try StateCopy(of: path, draft: folder.file("draft"))
        #expect(copy.contents == .house && copy.schema == StateStore.Contents.house.newestSchema)
        #expect(copy.epoch == store.epoch && copy.lastSeq == 1)
        #expect(try StoreFiles.names(folder.path).filter { $0.hasPrefix("draft") } == [])
        let other = folder.file("other.sqlite")
        try StoreFiles.write(copy.bytes, other)
        let second = try StateStore(path: other, holding: .house, at: Self.start)
        #expect(try second.settings()["k"] == "v" && second.lastSeq == 1)
    }

    @Test("Refuse what is no state of ours, and what is missing")
    func foreign() throws {
        let folder = try TemporaryFolder()
        let draft = folder.file("draft")
        let text = try folder.write(Array("no database".utf8), to: "text")
        #expect(throws: StoreError.self) { try StateCopy(of: text, draft: draft) }
        #expect(throws: StoreError.self) { try StateCopy(of: folder.file("missing"), draft: draft) }
        // Neither a pipe, which never answers, nor a device, which never ends.
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        for path in [folder.file("pipe"), "/dev/zero"] {
            let error = #expect(throws: StoreError.self) { try StateCopy(of: path, draft: draft) }
            #expect(error?.kind == .notOurs)
        }
        #expect(try StoreFiles.names(folder.path).filter { $0 != "pipe" } == ["text"])
    }

    @Test("Copy a state while another process writes as fast as it can: whole batches, and all that was told before")
    func writing() throws {
        let folder = try TemporaryFolder()
        let (path, output) = (folder.file("agent.sqlite"), folder.file("output"))
        try StoreFiles.write([], output)
        let writer = try ChildProcess(Execution.path(of: "StoreWriter"), ["write", path], output: output)
        _ = waitUntil(StoreFiles.patience) { StoreFiles.lines(output).count > 5 || !writer.isRunning }
        try #require(writer.isRunning, "\(StoreFiles.lines(output))")
        var (readings, events) = (0, UInt64(0))
        let rounds = LongProofs.areRequested ? 40 : 12
        for round in 1...rounds {
            let told = StoreFiles.lines(output).last?.split(separator: " ").last.flatMap { UInt64($0) } ?? 0
            let copy = try StateCopy(of: path, draft: folder.file("draft"))
            readings += copy.readings
            events = copy.lastSeq
            #expect(copy.lastSeq >= told, "round \(round)")
            try StoreFiles.write(copy.bytes, folder.file("copy.sqlite"))
            try expectWhole(folder.file("copy.sqlite"), "round \(round)")
        }
        #expect(writer.isRunning)
        writer.send(SIGKILL)
        writer.wait()
        print("\(rounds) copies of \(events) events in \(readings) readings")
    }

    /// The last batch of events is whole, their numbers have no gap, and the setting is that batch's.
    private func expectWhole(_ path: String, _ place: String) throws {
        let store = try StateStore(path: path, at: Self.start)
        #expect(store.opening.setAside == nil && store.opening.epochReason == nil, "\(place)")
        let extent = try #require(try store.extents().last)
        let first = try #require(extent.firstSeq)
        let events = try store.events(from: max(first, extent.lastSeq - min(extent.lastSeq, 50)), limit: 100)
        #expect(events.last?.seq == store.lastSeq, "\(place)")
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.seq + 1 == $1.seq }, "\(place)")
        let words = String(decoding: events.last?.event.payload ?? [], as: UTF8.self).split(separator: " ")
        #expect(words.count >= 3 && words[1] == words[2], "\(place): \(words.prefix(3))")
        #expect(try store.settings()["batch"] == words.first.map(String.init), "\(place)")
        let check = try store.database?.connection.values("PRAGMA integrity_check", "check")
        #expect(check == ["ok"], "\(place)")
    }
}
