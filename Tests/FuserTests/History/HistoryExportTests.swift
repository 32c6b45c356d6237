import BrokerSession
import Bytes
import Foundation
import LongHistory
import Store
import Support
import System
import Testing
import WireProtocol

@testable import Fuser

/// The long history in a real PostgreSQL, from a fuser's store.
@Suite(.oneByOne, .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.missing)"))
struct HistoryExportTests {
    private static let isFull = LongProofs.areRequested

    private func expectEqual(_ server: PostgresServer, _ fuser: ExportingFuser) throws {
        #expect(try server.events() == fuser.events())
        #expect(try server.visits() == fuser.visits())
        #expect(try server.journal() == fuser.journal())
        #expect(try server.audit() == fuser.audit())
    }

    @Test("Copy all that the store has, and every change of a visit")
    func export() throws {
        let server = try PostgresServer()
        let fuser = try ExportingFuser(server.connection)
        defer { fuser.end() }
        fuser.write(5000)
        #expect(fuser.catchUp())
        try expectEqual(server, fuser)
        #expect(try server.number("SELECT count(*) FROM whereabouts.telemetry") == 500)
        fuser.write(100)
        #expect(fuser.catchUp())
        try expectEqual(server, fuser)
        #expect(fuser.export.figures.rows.values.reduce(0, +) >= 5100)
        #expect(fuser.export.figures.lost == 0 && fuser.export.problems(at: MonotonicClock.now()).isEmpty)
    }

    @Test("Lose no row and double none while the server is killed again and again")
    func kills() throws {
        let server = try PostgresServer()
        let fuser = try ExportingFuser(server.connection)
        defer { fuser.end() }
        var seed = SeededGenerator(seed: 1)
        for kill in 0..<(Self.isFull ? 20 : 4) {
            fuser.write(2000)
            let rows = fuser.export.figures.rows.values.reduce(0, +)
            let some = UInt64.random(in: 0..<1500, using: &seed)
            #expect(fuser.run { fuser.export.figures.rows.values.reduce(0, +) > rows + some }, "kill \(kill)")
            server.kill()
            fuser.write(100)
            try server.start()
        }
        #expect(fuser.catchUp())
        #expect(try server.events() == fuser.writtenEvents.sorted() && server.audit() == fuser.writtenAudit.sorted())
        #expect(try server.visits() == fuser.visits() && server.journal() == fuser.journal())
    }

    @Test("Catch up after an outage and a restart of the fuser, from where the database says it is")
    func outage() throws {
        let server = try PostgresServer()
        let folder = try TemporaryFolder()
        var fuser = try ExportingFuser(server.connection, folder: folder)
        fuser.write(1000)
        #expect(fuser.catchUp())
        server.stop()
        // More than the ledger holds by its usual bounds.
        fuser.write(30_000)
        _ = fuser.run(1) { false }
        #expect(
            !fuser.export.isConnected && fuser.memory.store.statistics.prunedEvents <= 500, "what is exported may go")
        fuser.end()
        fuser = try ExportingFuser(server.connection, folder: folder)
        #expect(fuser.export.problems(at: MonotonicClock.now() + .seconds(1)).isEmpty)
        #expect(fuser.run { fuser.export.figures.errors > 0 })
        #expect(
            fuser.export.problems(at: MonotonicClock.now() + .seconds(61)).first?.hasPrefix("long history: connect: ")
                == true)
        try server.start()
        #expect(fuser.catchUp())
        defer { fuser.end() }
        #expect(try server.number("SELECT count(*) FROM whereabouts.events") == 15_500)
        #expect(try server.number("SELECT max(seq) FROM whereabouts.events") == 15_500)
        let (there, here) = (try server.events(), try fuser.events())
        #expect(here.count >= 15_000 && Set(here).isSubset(of: there) && Set(there).count == 15_500)
        #expect(try server.visits() == fuser.visits() && server.journal() == fuser.journal())
        // What is exported falls under the usual bounds again.
        _ = fuser.memory.state.commitBatch(at: ExportingFuser.time(4000)) { batch in
            batch.append(EventDraft(at: ExportingFuser.time(4000), kind: "left", payload: Array("cat\n{}".utf8)))
        }
        #expect(fuser.memory.store.statistics.prunedEvents > 5000)
        #expect(fuser.memory.store.statistics.lostExports == 0)
        #expect(fuser.catchUp())
        #expect(try server.number("SELECT count(*) FROM whereabouts.events") == 15_501)
    }

    @Test("Write two fusers of a house beside each other, and an event of a node once")
    func twoFusers() throws {
        let server = try PostgresServer()
        let one = try ExportingFuser(server.connection, "one")
        let two = try ExportingFuser(server.remoteConnection, "two", password: PostgresServer.password)
        defer {
            one.end()
            two.end()
        }
        one.write(2000)
        two.write(2000)
        #expect(
            one.run {
                two.export.advance(to: MonotonicClock.now(), at: ExportingFuser.time(1))
                return one.isCaughtUp && two.isCaughtUp
            })
        #expect(try server.events() == (one.events() + two.events()).sorted())
        #expect(try server.visits() == (one.visits() + two.visits()).sorted())
        #expect(try server.journal() == one.journal(), "the same node told both")
        #expect(try server.number("SELECT count(*) FROM whereabouts.moves") == 1000, "a move with one id is one")
    }

    @Test("Name no item where a purge that is done is more than information")
    func purgeLog() throws {
        let server = try PostgresServer()
        let folder = try TemporaryFolder()
        let file = try FileHandle(forWritingTo: URL(filePath: folder.write([], to: "log")))
        let log = Log(level: .info, style: .journal, descriptor: file.fileDescriptor)
        let fuser = try ExportingFuser(server.connection, folder: folder, log: log)
        defer { fuser.end() }
        fuser.write(100)
        #expect(fuser.catchUp())
        #expect(fuser.export.purge("item7", before: nil, isGone: true, at: ExportingFuser.time(300)))
        #expect(fuser.run { fuser.export.purges.isEmpty })
        let lines = try String(contentsOfFile: folder.file("log"), encoding: .utf8).split(separator: "\n")
            .filter { $0.contains("is done in PostgreSQL") }
        #expect(lines.map { $0.prefix(3) } == ["<5>", "<6>"])
        #expect(lines.map { $0.contains("item7") } == [false, true])
    }

    @Test("Delete a purged item there too, after an outage and a restart, and export none of it later")
    func purge() throws {
        let server = try PostgresServer()
        let folder = try TemporaryFolder()
        var fuser = try ExportingFuser(server.connection, folder: folder)
        fuser.write(1000)
        #expect(fuser.catchUp())
        server.stop()
        fuser.write(1000)
        #expect(fuser.run { !fuser.export.isConnected })
        #expect(fuser.export.purge("item7", before: nil, isGone: true, at: ExportingFuser.time(300)))
        _ = try fuser.memory.purgeItem("item7", of: nil, before: nil, isGone: true, at: ExportingFuser.time(300))
        #expect(fuser.export.purges.inOrder.map { $0.purge.item } == ["item7"])
        fuser.end()
        fuser = try ExportingFuser(server.connection, folder: folder)
        #expect(fuser.export.purges.inOrder.map { $0.purge.item } == ["item7"], "kept over the restart")
        try server.start()
        #expect(fuser.catchUp())
        #expect(fuser.run { fuser.export.purges.isEmpty })
        defer { fuser.end() }
        for table in ["events", "visits", "node_events", "telemetry"] {
            #expect(
                try server.number("SELECT count(*) FROM whereabouts.\(table) WHERE item = 'item7'") == 0, "\(table)")
        }
        try expectEqual(server, fuser)
        #expect(fuser.memory.pendingPurges().purges.isEmpty)
    }

    @Test("Count no row that was purged before PostgreSQL had it")
    func purgedRows() throws {
        let server = try PostgresServer()
        let fuser = try ExportingFuser(server.connection)
        defer { fuser.end() }
        fuser.write(100)
        #expect(fuser.catchUp())
        server.stop()
        #expect(fuser.run { !fuser.export.isConnected })
        let at = ExportingFuser.time(20)
        _ = fuser.memory.state.commitBatch(at: at) { batch in
            batch.set(.visit(VisitRecord(item: "ghost", room: "hall", from: at, to: nil, confidence: 1)))
            batch.set(
                .journal(
                    JournalRecord(
                        number: 1000, node: "hall", epoch: "00000001", seq: 1000, last: 1000, at: at, kind: "enter",
                        region: "pets", subject: "ghost", payload: Array("{}".utf8))))
        }
        var waiting: Set<HistoryStream> { Set(fuser.export.figures.waiting.filter { $0.value > 0 }.keys) }
        #expect(fuser.run(10) { waiting == [.nodeEvents, .visits] })
        _ = try fuser.memory.purgeItem("ghost", of: nil, before: nil, isGone: true, at: at)
        #expect(fuser.run(10) { waiting.isEmpty })
    }
}

/// The choice of readings that a long history has.
@Suite struct TelemetryChangesTests {
    @Test("Take readings that have changed by more than their resolution, once a minute and item at most")
    func changes() {
        var changes = TelemetryChanges()
        func note(_ volts: Int, _ celsius: Double, _ seconds: Double, _ item: String = "bag") -> Bool {
            changes.note(
                Telemetry(batteryMillivolts: volts, temperatureCelsius: celsius), of: item, at: Fused.time(seconds))
        }
        #expect(note(3000, 20, 0) && !note(2900, 20, 59) && note(2900, 20, 60))
        #expect(!note(2890, 20.4, 200) && note(2890, 20.5, 300) && !note(2890, 20.5, 400))
        #expect(note(2900, 20, 61, "cat"))
        #expect(note(2000, 20, 10), "a clock that was set back")
        changes.forget("cat")
        #expect(note(2900, 20, 62, "cat"))
    }
}
