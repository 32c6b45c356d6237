import Bytes
import LongHistory
import Store
import Support
import Testing
import WireProtocol

@testable import Fuser

/// Claims of docs/privacy.md about a fuser: each title is a line of that page.
@Suite struct PrivacyTests {
    @Test("A purge clears what the broker retains of an item that nobody hears.")
    func broker() {
        var fused = Fused()
        for node in ["hall", "kitchen"] { fused.info(node) }
        func retained() -> [String] {
            var last: [String: [UInt8]] = [:]
            for message in fused.outbox where message.retained { last[message.topic] = message.payload }
            return last.filter { !$0.value.isEmpty }.keys.filter { $0.contains("/items/keys/") }
        }
        for second in 1...20 {
            fused.interval("hall", Double(second), [])
            fused.interval("kitchen", Double(second), ["keys"], telemetry: Telemetry(batteryMillivolts: 2900))
        }
        _ = fused.settle(at: 20)
        #expect(retained().count >= 3)
        _ = fused.pipeline.purgeItem("keys", before: nil, at: Fused.time(21), &fused.outbox)
        fused.advance(to: 21)
        #expect(retained().isEmpty)
    }

    @Test("Readings of tags are stored until PostgreSQL has them, and without PostgreSQL not at all.")
    func readings() throws {
        for isExported in [true, false] {
            let folder = try TemporaryFolder()
            let memory = try FuserMemory(
                path: folder.file("fuser.sqlite"), history: .days(30), at: Fused.time(0),
                log: ExportingFuser.log, isExported: isExported)
            var effects = FuserEffects()
            effects.readings = [.init(item: "keys", at: Fused.time(1), payload: Array("{}".utf8))]
            _ = memory.persistEffects(effects, at: Fused.time(1))
            #expect(try memory.store.telemetry(after: 0, limit: 9).count == (isExported ? 1 : 0))
        }
    }

    @Test(
        "A purge deletes the item's rows in PostgreSQL, also after an outage.",
        .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    func postgres() throws {
        let server = try PostgresServer()
        let fuser = try ExportingFuser(server.connection)
        defer { fuser.end() }
        fuser.write(1000)
        var row = AuditRecord(
            number: 0, at: ExportingFuser.time(1), user: "anna", role: "admin", peer: "desk", method: "MQTT",
            path: "items/item7/config", status: 200)
        (row.action, row.subject, row.before, row.after) = ("item", "item7", #"{"name":"a"}"#, #"{"name":"b"}"#)
        fuser.memory.record([row], at: ExportingFuser.time(1))
        #expect(fuser.catchUp())
        let values = "SELECT count(*) FROM whereabouts.changes WHERE subject = 'item7' AND after->>'name' = 'b'"
        #expect(try server.number(values) == 1)
        server.stop()
        #expect(fuser.run { !fuser.export.isConnected })
        #expect(fuser.export.purge("item7", before: nil, isGone: true, at: ExportingFuser.time(300)))
        try server.start()
        #expect(fuser.run { fuser.export.purges.isEmpty })
        for table in ["events", "visits", "node_events", "telemetry"] {
            #expect(
                try server.number("SELECT count(*) FROM whereabouts.\(table) WHERE item = 'item7'") == 0, "\(table)")
        }
        #expect(try server.number(values) == 0)
        let erased = "SELECT count(*) FROM whereabouts.audit WHERE subject = 'item7' AND erased IS NOT NULL"
        #expect(try server.number(erased) == 1)
    }
}
