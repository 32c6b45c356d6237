import Bytes
import Foundation
import Support
import Testing

@testable import Store

/// The state of a fuser: whereabouts, visits and lessons, beside its events.
@Suite struct HouseStateTests {
    static let start = RoundTripTests.start

    static func time(_ seconds: Double) -> Timestamp { start.advanced(bySeconds: seconds) }

    static func visit(_ room: String, _ from: Double, _ to: Double?, item: String = "keys") -> VisitRecord {
        VisitRecord(item: item, room: room, from: time(from), to: to.map(time), confidence: 0.875)
    }

    static let tracker: TrackerRecord = {
        var tracker = TrackerRecord(item: "keys", at: time(9), state: "quiet", since: time(1), heard: time(8))
        (tracker.room, tracker.silence, tracker.itemSeq, tracker.belief) = ("hall", .seconds(1), 7, [0, 1, 255])
        return tracker
    }()
    static let lesson = LessonRecord(
        id: "l1", item: "keys", room: "hall", taughtAt: time(5), from: time(1), to: time(4), detail: [9])

    static let person = PersonRecord(person: "anna", detail: Array("attic".utf8))

    static func event(_ item: String, _ seconds: Double) -> EventDraft {
        EventDraft(at: time(seconds), kind: "moved", payload: Array("\(item)\n{}".utf8))
    }

    private func open(_ folder: TemporaryFolder, limits: StoreLimits = StoreLimits()) throws -> StateStore {
        try StateStore(path: folder.file("fuser.sqlite"), holding: .house, at: Self.start, limits: limits)
    }

    @Test("Restore a fuser's state after a restart")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let other = TrackerRecord(
            item: "cat", at: Self.time(2), state: "away", since: Self.time(2), heard: Self.time(1))
        do {
            let store = try open(folder)
            let written = store.transaction(at: Self.time(10)) { batch in
                batch.append(Self.event("keys", 3))
                batch.set(.tracker(Self.tracker))
                batch.set(.tracker(other))
                batch.set(.person(Self.person))
                batch.set(.person(PersonRecord(person: "bob", detail: [])))
                batch.set(.lesson(Self.lesson))
                batch.set(.visit(Self.visit("kitchen", 0, 3)))
                batch.set(.visit(Self.visit("hall", 3, nil)))
            }
            #expect(written.events.map(\.seq) == [1] && written.problem == nil)
            _ = store.transaction(at: Self.time(11)) { batch in
                batch.set(.visit(Self.visit("hall", 3, 11)))
                batch.set(.forgetTracker("cat"))
                batch.set(.forgetPerson("bob"))
            }
        }
        let store = try open(folder)
        #expect(try store.trackers() == [Self.tracker] && store.persons() == [Self.person])
        #expect(try store.lessons() == [Self.lesson])
        #expect(
            try store.visits(of: "keys", limit: 10) == [Self.visit("kitchen", 0, 3), Self.visit("hall", 3, 11)])
        #expect(store.lastSeq == 1)
    }

    @Test("Return the visits that overlap a time span, from the first on")
    func stretches() throws {
        let store = try StateStore(inMemoryAt: Self.start, holding: .house)
        _ = store.transaction(at: Self.start) { batch in
            for number in 0..<20 {
                batch.set(.visit(Self.visit("r\(number)", Double(number), Double(number) + 1)))
                batch.set(.visit(Self.visit("other", Double(number), Double(number) + 1, item: "cat")))
            }
            batch.set(.visit(Self.visit("last", 20, nil)))
        }
        func rooms(_ from: Double, _ to: Double, _ limit: Int = 100) throws -> [String] {
            try store.visits(of: "keys", from: Self.time(from), to: Self.time(to), limit: limit).map(\.room)
        }
        #expect(try rooms(3, 5) == ["r3", "r4"])
        #expect(try rooms(3.5, 5.5) == ["r3", "r4", "r5"])
        #expect(try rooms(18.5, 99) == ["r18", "r19", "last"])
        #expect(try rooms(0, 99, 2) == ["r0", "r1"])
        #expect(try rooms(-9, 0) == [])
    }

    @Test("Bound visits by age and by count, except for the open one")
    func bounds() throws {
        var limits = StoreLimits()
        (limits.visits, limits.visitAge) = (5, .seconds(100))
        let store = try StateStore(inMemoryAt: Self.start, holding: .house, limits: limits)
        _ = store.transaction(at: Self.start) { batch in
            batch.set(.visit(Self.visit("lasting", -500, nil, item: "cat")))
            for number in 0..<20 { batch.set(.visit(Self.visit("r\(number)", Double(number), Double(number) + 1))) }
        }
        _ = store.heartbeat(at: Self.time(3601))
        #expect(try store.visits(of: "keys", limit: 100).isEmpty)
        #expect(try store.visits(of: "cat", limit: 100).map(\.room) == ["lasting"])
        _ = store.transaction(at: Self.time(7200)) { batch in
            for number in 0..<20 {
                batch.set(.visit(Self.visit("r\(number)", 7190 + Double(number), 7191 + Double(number))))
            }
        }
        _ = store.heartbeat(at: Self.time(7202))
        #expect(try store.visits(of: "keys", limit: 100).map(\.room) == (15..<20).map { "r\($0)" })
    }

    @Test("Erase purged data from the file, and retain the ledger's numbers")
    func purge() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fuser.sqlite")
        do {
            let store = try open(folder)
            _ = store.transaction(at: Self.start) { batch in
                for (place, item) in ["keys", "key", "keys", "cat", "keys"].enumerated() {
                    batch.append(Self.event(item, Double(place)))
                }
                for (number, room) in ["attic", "cellar", "garage"].enumerated() {
                    batch.set(.visit(Self.visit(room, Double(number), room == "garage" ? nil : Double(number) + 1)))
                }
                batch.set(.visit(Self.visit("attic", 0, 1, item: "cat")))
                batch.set(.lesson(Self.lesson))
                batch.set(.tracker(Self.tracker))
            }
            let counts = try store.purge("keys", before: Self.time(2.5), at: Self.time(9))
            #expect(counts == (3, 2, 5))
            #expect(try store.trackers().count == 1 && store.lessons().count == 1, "taught later")
            #expect(try store.visits(of: "keys", limit: 9) == [Self.visit("garage", 2.5, nil)])
            #expect(try store.visits(of: "cat", limit: 9).count == 1)
            let events = try store.events(from: 1, limit: 9)
            #expect(events.map(\.seq) == [1, 2, 3, 4, 5])
            #expect(events.map { !$0.event.payload.isEmpty } == [false, true, false, true, true])
            let all = try store.purge("keys", before: nil, isGone: true, at: Self.time(9))
            #expect(all == (1, 1, 4))
            #expect(try store.trackers().isEmpty && store.lessons().isEmpty)
            #expect(try store.visits(of: "keys", limit: 9).isEmpty && store.visits(of: "cat", limit: 9).count == 1)
        }
        for file in [path, path + "-wal"] {
            let text = String(decoding: StoreFiles.read(file), as: UTF8.self)
            for word in ["cellar", "garage"] { #expect(!text.contains(word), "\(file)") }
        }
        #expect(try open(folder).lastSeq == 5)
    }

    @Test("Purge the state of an item's person with the item, and of no other person")
    func purgePerson() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fuser.sqlite")
        let bob = PersonRecord(person: "bob", detail: [1])
        do {
            let store = try open(folder)
            _ = store.transaction(at: Self.start) { batch in
                for person in [Self.person, bob] { batch.set(.person(person)) }
                batch.set(.tracker(Self.tracker))
            }
            _ = try store.purge("keys", of: "anna", before: Self.time(2), at: Self.time(9))
            #expect(try store.persons() == [Self.person, bob], "the keys were heard since")
            _ = try store.purge("keys", of: "anna", before: nil, isGone: true, at: Self.time(9))
            #expect(try store.persons() == [bob])
            _ = try store.purge("bob", before: nil, isGone: true, at: Self.time(9))
            #expect(try store.persons().isEmpty)
        }
        for file in [path, path + "-wal"] {
            #expect(!String(decoding: StoreFiles.read(file), as: UTF8.self).contains("attic"), "\(file)")
        }
    }

    @Test("Migrate a file without rows of persons with all of its data")
    func withoutPersons() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fuser.sqlite")
        var older = Schema.house
        older.steps.removeLast(7)
        older.tables.removeAll { [.persons, .audit, .truth, .telemetry].contains($0) }
        let word = StoreChange.setting(key: "persons", value: "{}")
        do {
            let store = try StateStore(path: path, at: Self.start, limits: StoreLimits(), schema: older)
            _ = store.transaction(at: Self.time(1)) { batch in
                batch.append(Self.event("keys", 1))
                batch.set(.tracker(Self.tracker))
                batch.set(word)
            }
        }
        let store = try open(folder)
        #expect(store.opening.migratedFrom == older.steps.count && store.lastSeq == 1)
        #expect(try store.trackers() == [Self.tracker] && store.settings() == ["persons": "{}"])
        _ = store.transaction(at: Self.time(2)) { $0.set(.person(Self.person)) }
        #expect(try store.persons() == [Self.person])
    }

    @Test("Have one row of the journal for each event of a node, also for those doubled by an older version")
    func journalRows() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fuser.sqlite")
        var older = Schema.house
        older.steps.removeLast(6)
        for number in 1...2 {
            older.steps[older.steps.count - 1] += """
                ;INSERT INTO journal (number, node, epoch, seq, last, at, kind, payload)
                VALUES (\(number), 'hall', 'a', 1, 1, \(Self.start.microseconds), 'enter', x'')
                """
        }
        do { _ = try StateStore(path: path, at: Self.start, limits: StoreLimits(), schema: older) }
        let store = try open(folder)
        func rows() throws -> [String] {
            try store.journal(JournalQuery(node: "hall")).map { "\($0.number) \($0.epoch)\($0.seq) \($0.kind)" }
        }
        #expect(try rows() == ["1 a1 enter"])
        var number: UInt64 = 2
        func add(_ node: String, _ seq: UInt64, _ last: UInt64?, _ kind: String) {
            number += 1
            _ = store.transaction(at: Self.time(1)) { batch in
                batch.set(
                    .journal(
                        JournalRecord(
                            number: number, node: node, epoch: "a", seq: seq, last: last, at: Self.time(1), kind: kind))
                )
            }
        }
        for _ in 0..<2 {
            add("hall", 1, 1, "enter")
            add("hall", 2, 2, "exit")
            add("hall", 2, nil, "lost")
            add("attic", 2, 2, "exit")
        }
        #expect(try rows() == ["1 a1 enter", "4 a2 exit", "5 a2 lost"])
        #expect(try store.journal(JournalQuery(node: "attic")).count == 1)
    }

    @Test("Bound a flood of a node's events within the hour")
    func flood() throws {
        var limits = StoreLimits()
        limits.journal = 80
        let store = try StateStore(inMemoryAt: Self.start, holding: .house, limits: limits)
        for number in 1...500 {
            _ = store.transaction(at: Self.time(1)) { batch in
                batch.set(
                    .journal(
                        JournalRecord(
                            number: UInt64(number), node: "hall", epoch: "e\(number)", seq: 1, last: 1,
                            at: Self.time(1), kind: "enter")))
            }
        }
        let rows = try store.journal(JournalQuery(node: "hall"))
        #expect((80...91).contains(rows.count) && rows.last?.number == 500, "\(rows.count)")
    }

    @Test("Keep marks of true rooms within the bound and the age, and erase them with an item")
    func truth() throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        (limits.truth, limits.visitAge) = (10, .days(1))
        func mark(_ second: Double, _ item: String = "keys") -> StoreChange {
            .truth(TruthRecord(item: item, at: Self.time(second), room: second > 5 ? "hall" : nil, user: "anna"))
        }
        let store = try StateStore(path: folder.file("fuser.sqlite"), holding: .house, at: Self.start, limits: limits)
        for second in 1...20 { _ = store.transaction(at: Self.time(20)) { $0.set(mark(Double(second))) } }
        _ = store.transaction(at: Self.time(20)) { $0.set(.forgetTruth(item: "keys", at: Self.time(20))) }
        #expect(try store.truth(of: "keys", limit: 2).map(\.at) == [18, 19].map(Self.time))
        _ = store.heartbeat(at: Self.time(7200))
        #expect(try store.truth(of: "keys", limit: 100).map(\.at) == (10..<20).map { Self.time(Double($0)) })
        _ = store.transaction(at: Self.time(7200)) { $0.set(mark(15, "cat")) }
        try store.purge("keys", before: Self.time(15), at: Self.time(7201))
        #expect(try store.truth(of: "keys", limit: 100).first?.at == Self.time(15))
        _ = store.heartbeat(at: Self.time(2 * 86_400))
        #expect(try store.truth(of: "keys", limit: 100).isEmpty && store.truth(of: "cat", limit: 100).isEmpty)
    }

    @Test("Reject an agent's file for a fuser, and a fuser's for an agent")
    func mixedUp() throws {
        let folder = try TemporaryFolder()
        _ = try StateStore(path: folder.file("agent.sqlite"), at: Self.start)
        let error = #expect(throws: StoreError.self) {
            try StateStore(path: folder.file("agent.sqlite"), holding: .house, at: Self.start)
        }
        #expect(error?.kind == .notOurs)
        _ = try open(folder)
        let other = #expect(throws: StoreError.self) {
            try StateStore(path: folder.file("fuser.sqlite"), at: Self.start)
        }
        #expect(other?.kind == .notOurs)
    }

    @Test("Create a removed file anew with all data of a house")
    func removed() throws {
        let folder = try TemporaryFolder()
        let store = try open(folder)
        _ = store.transaction(at: Self.start) { batch in
            batch.set(.tracker(Self.tracker))
            batch.set(.person(Self.person))
            batch.set(.lesson(Self.lesson))
            batch.set(.visit(Self.visit("hall", 3, nil)))
        }
        for name in try StoreFiles.names(folder.path) where !name.hasSuffix(".lock") {
            try FileManager.default.removeItem(atPath: folder.file(name))
        }
        _ = store.heartbeat(at: Self.time(1))
        _ = store.heartbeat(at: Self.time(10))
        #expect(store.problem == nil)
        #expect(try store.trackers() == [Self.tracker] && store.persons() == [Self.person])
        #expect(try store.lessons() == [Self.lesson])
        #expect(try store.visits(of: "keys", limit: 9) == [Self.visit("hall", 3, nil)])
    }
}
