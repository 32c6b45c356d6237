import Foundation
import Glibc
import WireProtocol
import Store
import Support
import Testing

@testable import Fuser
import HouseTracking
import System

/// A fuser with a real database and two persons in it, until it is killed.
private final class KeepingFuser {
    static let everybody = [
        Person(id: "anna", name: "Anna", items: ["phone", "keys"]), Person(id: "bob", items: ["watch"]),
    ]

    let memory: FuserMemory
    var fused: Fused
    var story: [String] = []
    /// Of whom something was written, batch by batch.
    var written: [[String]] = []

    init(_ folder: TemporaryFolder, persons: [Person] = everybody, at seconds: Double) throws {
        let log = open(folder.file("log"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        memory = try FuserMemory(
            path: folder.file("fuser.sqlite"), history: .seconds(86400), at: Fused.time(seconds),
            log: Log(level: .error, style: .plain, descriptor: log))
        fused = Fused(remembering: memory.remembered(), persons: persons, personMemory: memory.persons())
        fused.connect(at: seconds)
        for node in ["hall", "kitchen"] { fused.info(node) }
    }

    /// Items are heard where they are from one second to another, and all is kept once a second.
    func live(_ rooms: [String: String], _ seconds: ClosedRange<Int>) {
        for second in seconds {
            for node in ["hall", "kitchen"] {
                fused.interval(node, Double(second), rooms.filter { $0.value == node }.keys.sorted())
            }
            let now = Fused.time(Double(second) + 0.5)
            fused.advance(to: Double(second) + 0.5)
            let effects = fused.pipeline.takeEffects(at: now)
            if !effects.persons.isEmpty { written.append(effects.persons.map(\.person)) }
            for event in memory.persistEffects(effects, at: now) where event.event.kind.isMove {
                story.append("\(event.item) \(event.event.previous ?? "-")→\(event.event.room ?? "-")")
            }
        }
    }

    func told(_ person: String) -> String? { fused.texts(fused.topics.room(person)).last }

    /// What is kept of each person, as a text.
    func rows() throws -> [String: String] {
        let rows = try memory.store.persons().map { ($0.person, String(decoding: $0.detail, as: UTF8.self)) }
        return Dictionary(rows) { first, _ in first }
    }
}

@Suite("What is kept of persons") struct PersonsKeptTests {
    private static let home = ["phone": "hall", "keys": "hall", "watch": "kitchen"]
    private static let moved = ["phone": "kitchen", "keys": "hall", "watch": "kitchen"]

    private static func log(_ folder: TemporaryFolder) -> String {
        (try? String(contentsOfFile: folder.file("log"), encoding: .utf8)) ?? ""
    }

    /// A fuser that was killed when Anna had gone to the kitchen without her keys.
    private static func killed(_ folder: TemporaryFolder) throws {
        let fuser = try KeepingFuser(folder, at: 0)
        fuser.live(home, 1...20)
        fuser.written = []
        fuser.live(moved, 21...110)
        #expect(fuser.story.filter { $0.hasPrefix("anna") } == ["anna hall→kitchen"])
        #expect(!fuser.written.isEmpty && fuser.written.allSatisfy { $0 == ["anna"] }, "nobody else's changed")
        #expect(fuser.told("anna") == "kitchen" && fuser.told("bob") == "kitchen")
    }

    @Test("Each person has a row; after a kill all goes on, and nothing is told twice")
    func restart() throws {
        let folder = try TemporaryFolder()
        try Self.killed(folder)
        let fuser = try KeepingFuser(folder, at: 115)
        #expect(try fuser.rows().keys.sorted() == ["anna", "bob"])
        #expect(try fuser.rows()["anna"]?.contains("\"left_behind\":true") == true)
        fuser.live(Self.moved, 116...130)
        #expect(fuser.story.isEmpty && fuser.told("anna") == "kitchen" && fuser.told("bob") == "kitchen")
        fuser.live(Self.home, 131...160)
        #expect(fuser.story.filter { $0.hasPrefix("anna") } == ["anna kitchen→hall"])
        #expect(Self.log(folder) == "")
    }

    @Test("The one row of all persons of before is taken over with the first batch, and nobody moves for it")
    func olderForm() throws {
        let folder = try TemporaryFolder()
        try Self.killed(folder)
        do {
            // As the version before left it.
            let store = try StateStore(
                path: folder.file("fuser.sqlite"), holding: .house, at: Fused.time(112))
            let rows = try store.persons().map {
                String(decoding: $0.detail, as: UTF8.self).replacing("\"v\":1,", with: "")
            }
            _ = store.transaction(at: Fused.time(112)) { batch in
                batch.set(.setting(key: "persons", value: "{\"v\":1,\"persons\":[\(rows.joined(separator: ","))]}"))
                for person in ["anna", "bob"] { batch.set(.forgetPerson(person)) }
            }
        }
        // Killed before anything was kept: it is all there still.
        for start in [115, 120] {
            let fuser = try KeepingFuser(folder, at: Double(start))
            #expect(try fuser.rows().isEmpty && fuser.memory.store.settings()["persons"] != nil)
        }
        do {
            let fuser = try KeepingFuser(folder, at: 125)
            fuser.live(Self.moved, 126...140)
            #expect(fuser.story.isEmpty && fuser.told("anna") == "kitchen" && fuser.told("bob") == "kitchen")
            #expect(try fuser.rows().count == 2 && fuser.memory.store.settings()["persons"] == nil)
        }
        let fuser = try KeepingFuser(folder, at: 145)
        fuser.live(Self.moved.filter { $0.key != "phone" }, 146...240)
        #expect(fuser.story.filter { $0.hasPrefix("anna") } == ["anna kitchen→-"], "the keys stay left behind")
        #expect(Self.log(folder) == "")
    }

    @Test("One row of all that is spoilt is told, and all are found anew")
    func olderFormSpoilt() throws {
        let folder = try TemporaryFolder()
        do {
            let store = try StateStore(path: folder.file("fuser.sqlite"), holding: .house, at: Fused.time(0))
            _ = store.transaction(at: Fused.time(0)) { $0.set(.setting(key: "persons", value: "{\"persons\":[{")) }
        }
        let fuser = try KeepingFuser(folder, at: 1)
        #expect(Self.log(folder).contains("what was remembered of persons can't be read"))
        fuser.live(Self.home, 2...20)
        #expect(try fuser.rows().count == 2 && fuser.memory.store.settings()["persons"] == nil)
        #expect(fuser.told("anna") == "hall" && fuser.story.isEmpty)
    }

    @Test("A row that can't be read costs that person what was remembered, is told, and costs nobody else anything")
    func spoiltRow() throws {
        let folder = try TemporaryFolder()
        try Self.killed(folder)
        do {
            let store = try StateStore(
                path: folder.file("fuser.sqlite"), holding: .house, at: Fused.time(112))
            _ = store.transaction(at: Fused.time(112)) { batch in
                batch.set(.person(PersonRecord(person: "anna", detail: Array("{\"v\":1,\"person".utf8))))
            }
        }
        let fuser = try KeepingFuser(folder, at: 115)
        #expect(Self.log(folder).contains("what was remembered of person 'anna' can't be read"))
        #expect(!Self.log(folder).contains("bob"))
        let since = try fuser.fused.pipeline.explain("bob", at: Fused.time(115)).since
        fuser.live(Self.moved, 116...130)
        #expect(fuser.story.isEmpty && fuser.told("anna") == "kitchen" && fuser.told("bob") == "kitchen")
        #expect(try fuser.fused.pipeline.explain("bob", at: Fused.time(130)).since == since)
        #expect(try fuser.rows()["anna"]?.contains("\"room\":\"kitchen\"") == true, "it is written anew")
    }

    @Test("The row of a person that the configuration names no more goes when what stands is cleared")
    func takenOut() throws {
        let folder = try TemporaryFolder()
        try Self.killed(folder)
        let bob = KeepingFuser.everybody.filter { $0.id == "bob" }
        let fuser = try KeepingFuser(folder, persons: bob, at: 115)
        fuser.live(Self.moved, 116...120)
        #expect(try fuser.rows().count == 2, "not before the registry has come")
        fuser.live(Self.moved, 121...130)
        #expect(try fuser.rows().keys.sorted() == ["bob"])
        #expect(fuser.told("anna") == "" && fuser.told("bob") == "kitchen")
        // And so when she is spoilt.
        let other = try TemporaryFolder()
        do {
            let store = try StateStore(path: other.file("fuser.sqlite"), holding: .house, at: Fused.time(0))
            _ = store.transaction(at: Fused.time(0)) { $0.set(.person(PersonRecord(person: "anna", detail: [1]))) }
        }
        let again = try KeepingFuser(other, persons: bob, at: 1)
        again.live(Self.moved, 2...20)
        #expect(try again.rows().keys.sorted() == ["bob"])
    }

    @Test("A database that is found corrupt is made anew with all persons")
    func lost() throws {
        let folder = try TemporaryFolder()
        let fuser = try KeepingFuser(folder, at: 0)
        fuser.live(Self.home, 1...20)
        fuser.fused.pipeline.rememberAll()
        #expect(fuser.fused.pipeline.takeEffects(at: Fused.time(21)).persons.map(\.person) == ["anna", "bob"])
        // What is only later than what was kept is kept at the end.
        let isQuiet = fuser.fused.pipeline.takeEffects(at: Fused.time(22)).persons.isEmpty
        #expect(isQuiet)
        let last = fuser.fused.pipeline.takeEffects(at: Fused.time(23), isLast: true)
        #expect(last.persons.count == 2)
    }
}
