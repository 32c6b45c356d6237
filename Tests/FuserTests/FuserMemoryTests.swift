import BrokerSession
import Bytes
import Foundation
import Integrations
import Support
import Testing
import WireProtocol

@testable import Fuser
import HouseTracking
import Store
import System

/// A fuser with a real database: what it tells, and what it knows after it was killed.
private final class RememberingFuser {
    let memory: FuserMemory
    var fused: Fused
    var events: [FuserEffects.Event] = []

    init(_ folder: TemporaryFolder?, at seconds: Double) throws {
        memory = try FuserMemory(
            path: folder?.file("fuser.sqlite"), history: .seconds(86400), at: Fused.time(seconds),
            log: Log(level: .error, style: .plain, descriptor: 2))
        fused = Fused(remembering: memory.remembered())
        for node in ["hall", "kitchen"] { fused.info(node) }
    }

    /// Keys that are heard in a room from one second to another, both nodes listening.
    func keys(in room: String?, _ seconds: ClosedRange<Int>) {
        for second in seconds {
            for node in ["hall", "kitchen"] {
                fused.interval(node, Double(second), node == room ? ["keys"] : [])
            }
            let now = Fused.time(Double(second) + 0.1)
            events += memory.persistEffects(fused.pipeline.takeEffects(at: now), at: now)
        }
    }

    var lines: [String] {
        events.map { "\($0.item) \($0.event.kind) \($0.event.room ?? "-") #\($0.event.seq)/\($0.event.itemSeq)" }
    }

    func visits(limit: Int = 100) throws -> [String] {
        try memory.store.visits(of: "keys", limit: limit).map { visit in
            let seconds = { (time: Timestamp) in Int(time.seconds(since: Fused.time(0))) }
            return "\(visit.room) \(seconds(visit.from))-\(visit.to.map { "\(seconds($0))" } ?? "")"
        }
    }
}

@Suite struct FuserMemoryTests {
    @Test("A node of another system that was let go doesn't come back from the state")
    func letGo() throws {
        let folder = try TemporaryFolder()
        let fuser = try RememberingFuser(folder, at: 0)
        fuser.fused.pipeline.listen(to: IntegrationInputs([.mqttRoom: "room_presence"]), aliases: ["wallet": "keys"])
        fuser.fused.receive(
            Message(topic: "room_presence/den", text: #"{"id":"wallet","distance":1}"#), at: 0.5)
        fuser.keys(in: "hall", 1...12)
        #expect(fuser.memory.remembered().nodes.map(\.id).contains("mqtt_room-den"))
        let gone = fuser.fused.pipeline.tracking.remove(external: "mqtt_room-den")
        fuser.keys(in: "hall", 13...15)
        #expect(gone && Set(fuser.memory.remembered().nodes.map(\.id)) == ["hall", "kitchen"])
    }

    @Test("A fuser that is killed goes on with its epoch, its numbers, its answers and its visits")
    func restart() throws {
        let folder = try TemporaryFolder()
        var epoch = ""
        do {
            let fuser = try RememberingFuser(folder, at: 0)
            epoch = fuser.memory.epoch
            fuser.keys(in: "hall", 1...10)
            fuser.keys(in: "kitchen", 11...30)
            #expect(fuser.lines == ["keys moved kitchen #1/1"])
            #expect(fuser.events.allSatisfy { $0.event.epoch == epoch })
        }
        for start in [40, 80] {
            let fuser = try RememberingFuser(folder, at: Double(start))
            fuser.keys(in: "kitchen", (start + 1)...(start + 20))
            #expect(fuser.events.isEmpty)
            #expect(fuser.fused.texts(fuser.fused.topics.room("keys")) == ["kitchen"])
            #expect(try fuser.visits().count == 2)
        }
        let fuser = try RememberingFuser(folder, at: 120)
        #expect(fuser.memory.epoch == epoch && fuser.memory.lastEvent == 1)
        fuser.keys(in: "hall", 121...140)
        fuser.keys(in: nil, 141...210)
        #expect(fuser.lines == ["keys moved hall #2/2", "keys left - #3/3"])
        let moved = try #require(fuser.events.first).event
        #expect(moved.notBefore < Fused.time(121) && moved.at >= Fused.time(121))
        let visits = try fuser.visits()
        #expect(visits.count == 4 && visits[3] == "away 140-" && visits[0].hasPrefix("hall 1-"), "\(visits)")
        let rows = try fuser.memory.store.visits(of: "keys", limit: 9)
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.to == $1.from })
        let again = try fuser.memory.replayEvents(epoch: epoch, from: 2)
        #expect(again.events.first?.event.kind == .moved && again.report.last == fuser.memory.lastEvent)
        #expect(again.events.allSatisfy { $0.event.isReplayed && $0.item == "keys" })
    }

    @Test("What a broker kept and the state remembers agree, and are told anew")
    func retained() throws {
        let folder = try TemporaryFolder()
        var before: [Message] = []
        do {
            let fuser = try RememberingFuser(folder, at: 0)
            fuser.keys(in: "kitchen", 1...60)
            before = fuser.fused.outbox.filter(\.retained)
        }
        let fuser = try RememberingFuser(folder, at: 70)
        fuser.fused.connect(at: 70)
        for message in before { fuser.fused.receive(message, at: 70.1) }
        fuser.keys(in: "kitchen", 71...90)
        #expect(fuser.fused.texts(fuser.fused.topics.room("keys")) == ["kitchen"])
        #expect(fuser.fused.texts(fuser.fused.topics.occupancy("kitchen")).last?.contains("keys") == true)
        #expect(fuser.events.isEmpty)
    }

    @Test("Where no node comes back, what is remembered is taken back after ten seconds")
    func nobody() throws {
        let folder = try TemporaryFolder()
        do {
            let fuser = try RememberingFuser(folder, at: 0)
            fuser.keys(in: "kitchen", 1...60)
        }
        let fuser = try RememberingFuser(folder, at: 70)
        fuser.fused.connect(at: 70)
        fuser.fused.advance(to: 79)
        #expect(fuser.fused.texts(fuser.fused.topics.room("keys")) == [])
        fuser.fused.advance(to: 81)
        #expect(fuser.fused.texts(fuser.fused.topics.room("keys")) == ["unknown"])
        _ = fuser.memory.persistEffects(fuser.fused.pipeline.takeEffects(at: Fused.time(81)), at: Fused.time(81))
        #expect(fuser.events.isEmpty)
        // It was heard until 60; how late is kept every eighth of its stay.
        let visits = try fuser.visits()
        #expect(visits == ["kitchen 2-59"], "\(visits)")
    }

    @Test("Without a file a fuser has its events and its history all the same, until it ends")
    func inMemory() throws {
        let fuser = try RememberingFuser(nil, at: 0)
        fuser.keys(in: "hall", 1...10)
        fuser.keys(in: "kitchen", 11...30)
        #expect(fuser.lines == ["keys moved kitchen #1/1"])
        #expect(try fuser.visits().count == 2)
        #expect(try fuser.memory.store.trackers().isEmpty, "nobody would read them")
    }

    @Test("Undone lessons are stored with their times; those that an earlier version stored have none")
    func undoneLessons() throws {
        let folder = try TemporaryFolder()
        let fuser = try RememberingFuser(folder, at: 0)
        #expect(fuser.memory.undoneLessons().isEmpty)
        fuser.memory.state.commitBatch(at: Fused.time(1)) { batch in
            batch.set(.setting(key: "undone lessons", value: "keys-1 cat-2"))
        }
        #expect(fuser.memory.undoneLessons().map(\.key) == ["keys-1", "cat-2"])
        #expect(fuser.memory.undoneLessons().allSatisfy { $0.at == nil })
        var effects = FuserEffects()
        effects.undone = [UndoneLesson(key: "keys-1", at: Fused.time(5)), UndoneLesson(key: "cat-2", at: nil)]
        _ = fuser.memory.persistEffects(effects, at: Fused.time(6))
        #expect(fuser.memory.undoneLessons() == effects.undone)
        #expect(try fuser.memory.store.settings()["undone lessons"] == nil)
    }

    @Test("After a purge no byte of the item's name is in the file, with those of its battery and its alerts")
    func purgedBytes() throws {
        let folder = try TemporaryFolder()
        let fuser = try RememberingFuser(folder, at: 0)
        func persist(_ seconds: Double, _ change: (inout FuserEffects) -> Void) {
            var effects = FuserEffects()
            change(&effects)
            _ = fuser.memory.persistEffects(effects, at: Fused.time(seconds))
        }
        func isThere() -> Bool {
            ["", "-wal", "-shm"].contains { end in
                let bytes = FileManager.default.contents(atPath: folder.file("fuser.sqlite" + end)) ?? Data()
                return bytes.range(of: Data("zz-keys".utf8)) != nil
            }
        }
        persist(1) { effects in
            effects.stays = [.init(item: "zz-keys", room: "hall", from: Fused.time(1), confidence: 1)]
            effects.batteries = ["zz-keys": "a history", "cat": "another"]
            effects.alerts = #"{"v":1,"alerts":[{"alert":"in_room-zz-keys"}]}"#
        }
        #expect(isThere())
        _ = try fuser.memory.purgeItem("zz-keys", of: nil, before: nil, isGone: true, at: Fused.time(2))
        persist(2) { effects in
            effects.goneBatteries = ["zz-keys"]
            effects.alerts = #"{"v":1,"alerts":[]}"#
        }
        try fuser.memory.store.completePurge()
        #expect(!isThere())
        #expect(fuser.memory.batteries() == ["cat": "another"])
    }

    @Test("What is purged is not told again, and the visit that lasts begins anew")
    func purge() throws {
        let folder = try TemporaryFolder()
        do {
            let fuser = try RememberingFuser(folder, at: 0)
            fuser.keys(in: "hall", 1...10)
            fuser.keys(in: "kitchen", 11...30)
            fuser.keys(in: "hall", 31...60)
            let counts = try fuser.memory.purgeItem(
                "keys", of: nil, before: Fused.time(50), isGone: false, at: Fused.time(60))
            #expect(counts.visits == 3 && counts.events == 2)
            #expect(try fuser.visits() == ["hall 50-"])
            let kept = try fuser.memory.replayEvents(epoch: fuser.memory.epoch, from: 1)
            #expect(kept.events.isEmpty && kept.report.first == 1 && kept.report.last == 2)
            fuser.keys(in: nil, 61...130)
            #expect(try fuser.visits() == ["hall 50-60", "away 60-"])
        }
        let fuser = try RememberingFuser(folder, at: 140)
        #expect(fuser.memory.lastEvent == 3)
        fuser.keys(in: "hall", 141...150)
        let counts = try fuser.memory.purgeItem("keys", of: nil, before: nil, isGone: true, at: Fused.time(150))
        #expect(counts.visits == 3 && counts.events == 2)
        #expect(try fuser.visits().isEmpty && fuser.memory.store.trackers().isEmpty)
    }
}

@Suite struct VisitBookTests {
    private func time(_ seconds: Double) -> Timestamp { Fused.time(seconds) }

    @Test("A visit ends where the next begins, and never before it began")
    func chain() {
        var book = VisitBook()
        #expect(book.beginVisit("keys", in: "hall", from: time(1), confidence: 0.5).map(\.to) == [nil])
        #expect(book.beginVisit("keys", in: "hall", from: time(2), confidence: 0.5).isEmpty)
        book.updateVisit("keys", confidence: 0.9, at: time(1))
        let rows = book.beginVisit("keys", in: "away", from: time(0), confidence: 0.96)
        #expect(rows.map(\.room) == ["hall", "away"] && rows[0].to == rows[1].from)
        #expect(rows[1].from == time(1).advanced(byMicroseconds: 1))
        let next = book.beginVisit("keys", in: "den", from: time(9), confidence: 0.7)
        #expect(next.map(\.room) == ["away", "den"] && next[0].to == time(9) && next[0].confidence == 0.96)
        #expect(book.beginVisit("keys", in: nil, from: time(12), confidence: 0).map(\.to) == [time(12)])
        #expect(book.visits(at: time(12)).isEmpty)
    }

    @Test("A visit is as sure as its answers were on average, not as the one that ended it")
    func average() throws {
        var book = VisitBook()
        _ = book.beginVisit("keys", in: "hall", from: time(0), confidence: 0.5)
        book.updateVisit("keys", confidence: 0.9, at: time(2))
        book.updateVisit("keys", confidence: 0.1, at: time(18))
        #expect(abs(try #require(book.confidence(of: "keys", at: time(18))) - (1 + 14.4) / 18) < 1e-9)
        let rows = book.beginVisit("keys", in: "den", from: time(20), confidence: 0.6)
        #expect(abs(rows[0].confidence - (1 + 14.4 + 0.2) / 20) < 1e-9)
        #expect(book.confidence(of: "keys", at: time(20)) == 0.6 && book.confidence(of: "cat", at: time(20)) == nil)
    }

    @Test("A visit of an earlier run averages the answers of this one")
    func restored() throws {
        let stored = VisitRecord(item: "keys", room: "hall", from: time(0), to: nil, confidence: 0.4)
        var book = VisitBook([stored])
        #expect(book.confidence(of: "keys", at: time(900)) == 0.4)
        book.updateVisit("keys", confidence: 0.9, at: time(1000))
        book.updateVisit("keys", confidence: 0.7, at: time(1010))
        #expect(abs(try #require(book.confidence(of: "keys", at: time(1020))) - 0.8) < 1e-9)
        #expect(book.visits(at: time(1020)).map(\.from) == [time(0)])
    }
}
