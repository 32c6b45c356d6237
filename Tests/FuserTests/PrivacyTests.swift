import Alerts
import Batteries
import BrokerSession
import Bytes
import Configuration
import Foundation
import HouseTracking
import Identity
import LongHistory
import Metrics
import Store
import Support
import System
import Testing
import WireProtocol

@testable import Fuser

/// Claims of docs/privacy.md about a fuser: each title is a line of that page.
@Suite struct PrivacyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Keys that are warned of in the kitchen, where they have been received for some seconds.
    private func heard() throws -> StoredFuser {
        var rule = AlertRule(.inRoom, item: "keys", companions: [], grace: .seconds(5))
        rule.rooms = ["kitchen"]
        let fuser = try StoredFuser(folder, alerts: [rule])
        fuser.listen(20, receiving: ["keys"])
        return fuser
    }

    private func entry(_ fuser: StoredFuser, name: String?) -> Message {
        var entry = ItemEntry(removed: "keys", at: fuser.now)
        if let name {
            entry = ItemEntry(Item(id: "keys", name: name, identities: [.address(0x0A0A)]), at: fuser.now)
        }
        return Message(
            topic: fuser.topics.itemConfig("keys"), payload: ItemChange(entry).payload, qos: .atLeastOnce,
            retained: true)
    }

    private func purge(_ fuser: StoredFuser) throws -> PurgeReport {
        guard case .purged(let report) = try fuser.answer(to: .purge(item: "keys", before: nil)).answer else {
            return PurgeReport()
        }
        return report
    }

    // MARK: The state

    @Test("A purge deletes an item's visits, lessons, true rooms, readings, battery, gateways' events and last answer.")
    func purge() throws {
        let fuser = try heard()
        let (now, memory) = (fuser.now, fuser.memory)
        memory.state.commitBatch(at: now) { batch in
            batch.set(.lesson(LessonRecord(id: "9", item: "keys", room: "hall", taughtAt: now, from: now, to: now)))
            batch.set(.truth(TruthRecord(item: "keys", at: now, room: "hall", user: "anna")))
            batch.set(.telemetry(TelemetryRecord(item: "keys", at: now, payload: [1])))
            batch.set(
                .journal(
                    JournalRecord(
                        number: 9, node: "hall", epoch: "e", seq: 9, last: 9, at: now, kind: "enter", subject: "keys")))
        }
        #expect(try memory.store.visits(of: "keys", limit: 9).map(\.room) == ["kitchen"])
        #expect(try memory.store.trackers().map(\.room) == ["kitchen"])
        #expect(memory.batteries().keys.sorted() == ["keys"])
        let report = try purge(fuser)
        #expect(report.visits == 1 && report.messages == 5)
        #expect(try memory.store.visits(of: "keys", limit: 9).isEmpty && memory.store.lessons().isEmpty)
        #expect(try memory.store.truth(of: "keys", limit: 9).isEmpty)
        #expect(try memory.store.telemetry(after: 0, limit: 9).isEmpty)
        #expect(try memory.store.journal(after: 0, limit: 9).isEmpty && memory.batteries().isEmpty)
        #expect(try memory.store.trackers().allSatisfy { $0.room == nil && $0.previous == nil })
    }

    @Test("A purge leaves of an item its id with the number of its last event, and of its events their numbers.")
    func numbers() throws {
        let fuser = try heard()
        let before = try fuser.memory.store.events(from: 1, limit: 9)
        #expect(before.map(\.event.kind) == ["alert"])
        _ = try purge(fuser)
        let after = try fuser.memory.store.events(from: 1, limit: 9)
        #expect(after.map(\.seq) == before.map(\.seq))
        #expect(after.allSatisfy { $0.event.kind.isEmpty && $0.event.payload.isEmpty })
        let left = try fuser.memory.store.trackers()
        #expect(left.map(\.item) == ["keys"] && left.map(\.itemSeq) == [1] && left.map(\.state) == ["unknown"])
    }

    @Test("A purge ends the item's alerts by events that are published and not stored.")
    func alerts() throws {
        let fuser = try heard()
        let payload = try #require(fuser.retained["items/keys/alert"])
        let alert = try #require(ItemAlerts(payload: payload.span).alerts.first?.id)
        _ = try purge(fuser)
        fuser.pass()
        let topic = fuser.topics.itemEvents("keys")
        let last = try #require(fuser.service.outbox.last { $0.topic == topic })
        let event = try ItemEvent(payload: last.payload.span)
        #expect(event.kind == .cleared && event.alert == alert && event.seq == 2)
        let stored = try fuser.memory.store.events(from: 1, limit: 9)
        #expect(stored.map(\.seq) == [1, 2])
        #expect(stored.allSatisfy { $0.event.kind.isEmpty && $0.event.payload.isEmpty })
        guard case .replayed(let report) = try fuser.answer(to: .replay(epoch: nil, fromSeq: 1)).answer else {
            Issue.record("it is not replayed")
            return
        }
        #expect(report.last == 2 && report.failure == nil)
        #expect(fuser.service.outbox.filter { $0.topic == topic }.count == 2, "nobody gets them again")
        #expect(!fuser.text.contains(alert))
    }

    @Test("A purge overwrites in the file what it deletes.")
    func overwrites() throws {
        let fuser = try heard()
        fuser.receive(entry(fuser, name: "Annas keys"))
        let payload = try #require(fuser.retained["items/keys/alert"])
        let alert = try #require(ItemAlerts(payload: payload.span).alerts.first?.id)
        for item in ["keys", "cat"] { _ = try fuser.answer(to: .silence(item: item, for: .seconds(3600))) }
        fuser.pass()
        let words = ["Annas keys", "battery of keys", alert]
        for word in words { #expect(fuser.text.contains(word), "\(word)") }
        _ = try purge(fuser)
        for word in words { #expect(!fuser.text.contains(word), "\(word)") }
        let stored = try #require(fuser.memory.alerts().flatMap(AlertMemory.init))
        #expect(stored.alerts.silences.map(\.subject) == [.item("cat")], "a silence names the item, too")
        // No rule names it.
        _ = try fuser.answer(to: .purge(item: "cat", before: nil))
        #expect(fuser.memory.alerts().flatMap(AlertMemory.init)?.alerts.silences.isEmpty == true)
    }

    @Test("The audit keeps an entry as it was before its removal, until a purge that comes later.")
    func order() throws {
        let fuser = try heard()
        func names() throws -> [String] {
            try fuser.memory.store.audit(after: 0, limit: 9).flatMap { [$0.before, $0.after].compactMap { $0 } }
                .filter { $0.contains("Annas keys") }
        }
        fuser.receive(entry(fuser, name: "Annas keys"))
        fuser.pass()
        _ = try purge(fuser)
        #expect(try names().isEmpty)
        fuser.pass()
        fuser.receive(entry(fuser, name: nil))
        #expect(try names().count == 1, "a removal that comes later has the entry before it")
        fuser.pass()
        _ = try purge(fuser)
        #expect(try names().isEmpty)
    }

    @Test("Of an entry of the registry a digest stays until the entry is removed.")
    func digest() throws {
        let fuser = try heard()
        func values() throws -> [String] {
            try fuser.memory.store.settings().filter { $0.key.hasPrefix("value of keys") }.map(\.value)
        }
        fuser.receive(entry(fuser, name: "Annas keys"))
        fuser.pass()
        let digest = try values()
        #expect(digest.count == 1 && digest.first?.utf8.count == 64)
        fuser.receive(entry(fuser, name: nil))
        fuser.pass()
        #expect(try values().isEmpty)
        _ = try purge(fuser)
        #expect(try values().isEmpty)
    }

    @Test("The course of an item's battery, 120 days of it at most, stays until the item is removed or purged.")
    func battery() throws {
        #expect(BatteryHistory.dayBound == 120)
        let fuser = try heard()
        fuser.receive(entry(fuser, name: "Annas keys"))
        fuser.pass(200 * 86_400)
        #expect(fuser.memory.batteries().keys.sorted() == ["keys"])
        fuser.receive(entry(fuser, name: nil))
        #expect(fuser.memory.batteries().isEmpty, "the title of the purge proves the other")
    }

    @Test(
        "An alert stays until it ends, a silence at most until the next one after its end, and of an item in a rule the last departure."
    )
    func silences() throws {
        let fuser = try heard()
        func silence(_ item: String) throws {
            _ = try fuser.answer(to: .silence(item: item, for: .seconds(60)))
            fuser.listen(1, receiving: ["keys"])
        }
        try silence("keys")
        func stored() throws -> AlertSnapshot { try #require(fuser.memory.alerts().flatMap(AlertMemory.init)).alerts }
        #expect(try stored().alerts.count == 1 && stored().silences.count == 1)
        fuser.listen(70, receiving: ["keys"])
        try silence("cat")
        #expect(try stored().alerts.count == 1 && stored().silences.map(\.subject) == [.item("cat")])
        // Nobody hears them for so long that they are away.
        fuser.listen(600, receiving: [])
        #expect(try stored().alerts.isEmpty)
        #expect(try stored().items.map(\.item) == ["keys"] && stored().items.first?.exited != nil)
    }

    // MARK: The broker

    @Test("That a lesson was undone stays for 30 days, in `state` too, with the item's id and the times of both.")
    func undone() throws {
        var fleet = FuserFleet()
        for name in ["a", "b"] { fleet.start(name) }
        for room in ["kitchen", "hall"] { try fleet.teach("a", room) }
        try fleet.ask("a", .undo("2"))
        let time = fleet.time
        let key = try #require(fleet.kept["b"]?.undone.first?.key)
        #expect(SharedLesson.parts(ofKey: key)?.item == "keys")
        func words() -> [SharedLesson] {
            fleet.broker.retainedMessages.filter { $0.topic == fleet.topics.lesson(key) }
                .compactMap { SharedLesson(payload: $0.payload.span) }
        }
        let word = try #require(words().first)
        guard case .undone(let at?) = word else {
            Issue.record("it has no time")
            return
        }
        #expect(abs(at.seconds(since: time)) < 1)
        // One that is off meanwhile goes by the same time.
        fleet.stop("b")
        fleet.pass(20 * 86_400)
        fleet.start("b")
        fleet.pass(9.9 * 86_400)
        #expect(words().count == 1)
        for name in ["a", "b"] { #expect(fleet.kept[name]?.undone.map(\.key) == [key]) }
        fleet.pass(0.2 * 86_400)
        #expect(words().isEmpty)
        for name in ["a", "b"] {
            #expect(fleet.kept[name]?.undone == [])
            fleet.stop(name)
            fleet.start(name)
        }
        fleet.start("c")
        fleet.pass(5)
        for name in ["a", "b", "c"] { #expect(try fleet.taught(name) == ["1 kitchen"]) }
        #expect(words().isEmpty)
    }

    @Test("With Home Assistant an item has a device there with its name, until its entry is removed.")
    func device() throws {
        var house = try HouseDiscoveryTests.House()
        house.register("keys", "Annas keys")
        house.connect()
        house.run(10)
        #expect(house.text("item_keys")?.contains("Annas keys") == true)
        _ = house.fused.pipeline.purgeItem("keys", before: nil, at: Fused.time(11), &house.fused.outbox)
        house.run(10)
        #expect(house.text("item_keys") != nil, "a purge leaves the entry")
        house.remove("keys", at: 30)
        house.run(5)
        #expect(house.text("item_keys") == nil)
    }

    @Test(
        "With Home Assistant a person has a device there with the name, for up to an hour after the fuser's file names the person no more."
    )
    func personDevice() throws {
        var house = try HouseDiscoveryTests.House()
        house.fused = Fused(persons: [Person(id: "anna", name: "Anna A.", items: ["keys"])])
        house.connect()
        house.run(10)
        #expect(house.text("item_anna")?.contains("Anna A.") == true)
        house.fused = Fused()
        house.run(3700)
        #expect(house.text("item_anna") == nil)
    }

    @Test("A purge clears what the broker retains of an item that nobody hears, occupancy and lessons included.")
    func occupancyAndLessons() throws {
        var fleet = FuserFleet()
        fleet.start("a")
        try fleet.teach("a", "kitchen")
        func naming() -> [String] {
            fleet.broker.retainedMessages.filter { message in
                message.topic.contains("keys") || String(decoding: message.payload, as: UTF8.self).contains("\"keys\"")
            }.map { String($0.topic.dropFirst("whereabouts/".count)) }.sorted()
        }
        let lesson = try #require(fleet.kept["a"]?.lessons.first?.key)
        #expect(naming() == ["items/keys/location", "items/keys/room", "lessons/\(lesson)", "rooms/kitchen/occupancy"])
        _ = fleet.purge("a")
        fleet.pass(1)
        // That it was undone has a line of its own.
        #expect(naming() == ["lessons/\(lesson)"])
        let word = fleet.broker.retainedMessages.first { $0.topic == fleet.topics.lesson(lesson) }
        #expect(word.flatMap { SharedLesson(payload: $0.payload.span) }?.isUndone == true)
    }

    @Test("Clear all topics of an item that is purged")
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

    // MARK: Metrics, PostgreSQL

    @Test("Metrics name no item, unless `web.metrics_items` is on.")
    func metrics() throws {
        for counting in [FuserPipeline.Counting.house, .items] {
            let fuser = try StoredFuser(
                TemporaryFolder(), counting: counting, persons: [Person(id: "zz-anna", items: ["zz-keys"])])
            fuser.listen(20, receiving: ["zz-keys"])
            let text = String(decoding: MetricsText.prometheus.write(fuser.service.metrics), as: UTF8.self)
            #expect(text.contains("whereabouts_items{") || text.contains("whereabouts_items "))
            #expect(text.contains("zz-") == (counting == .items), "\(text)")
        }
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

    /// Runs a new fuser beside a server until a condition is met.
    private func export(
        to server: PostgresServer, keep: Duration, until condition: (ExportingFuser) -> Bool
    ) throws {
        let fuser = try ExportingFuser(server.connection, folder: TemporaryFolder(), keep: keep)
        defer { fuser.end() }
        let isMet = fuser.run { condition(fuser) }
        #expect(isMet)
    }

    @Test(
        "Rows are deleted after 400 days, by `history.postgres.keep`.",
        .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    func kept() throws {
        let server = try PostgresServer()
        for (days, line) in [(400, ""), (90, ", keep: 90d")] {
            let configuration = try FuserConfiguration.load(
                text: "name: main\nmqtt: {url: 'mqtt://h'}\nstate: /var/lib/x.sqlite\n"
                    + "history: {postgres: {connection: \"dbname=house\"\(line)}}\n", file: "f")
            let keep = try #require(HistorySettings(configuration)?.keep)
            try export(to: server, keep: keep) { $0.export.isConnected }
            for age in [days - 1, days + 1] {
                try server.execute(
                    """
                    INSERT INTO whereabouts.events (site, publisher, epoch, seq, at, item, kind, payload)
                    VALUES ('whereabouts', 'main', 'e', \(age), now() - interval '\(age) days', 'keys', 'moved', '{}')
                    """)
            }
            try export(to: server, keep: keep) { _ in
                (try? server.number("SELECT count(*) FROM whereabouts.events")) == 1
            }
            #expect(try server.number("SELECT max(seq) FROM whereabouts.events") == days - 1)
        }
    }

    @Test(
        "A visit counts from its end in PostgreSQL too, and one that lasts is kept.",
        .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    func visitsInPostgres() throws {
        let server = try PostgresServer()
        try export(to: server, keep: .days(90)) { $0.export.isConnected }
        for (item, end) in [
            ("lasts", "NULL"), ("young", "now() - interval '89 days'"), ("old", "now() - interval '91 days'"),
        ] {
            try server.execute(
                """
                INSERT INTO whereabouts.visits (site, publisher, item, began, ended, room, confidence)
                VALUES ('whereabouts', 'main', '\(item)', now() - interval '95 days', \(end), 'hall', 1)
                """)
        }
        let items = "SELECT item FROM whereabouts.visits ORDER BY item"
        try export(to: server, keep: .days(90)) { _ in (try? server.rows(items)) == ["lasts", "young"] }
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
        fuser.memory.persistAudit(at: ExportingFuser.time(1))
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
    @Test(
        "What a purge deletes stands in PostgreSQL's files until its tables are written anew.",
        .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    func files() throws {
        let server = try PostgresServer(["autovacuum=off"])
        let fuser = try ExportingFuser(server.connection)
        defer { fuser.end() }
        fuser.write(1000)
        fuser.write(of: "bag", named: "Annas bag")
        #expect(fuser.catchUp())
        // The server notes values of the tables.
        try server.execute("ANALYZE")
        #expect(fuser.export.purge("bag", before: nil, isGone: true, at: ExportingFuser.time(300)))
        #expect(fuser.run { fuser.export.purges.isEmpty })
        #expect(try server.number("SELECT count(*) FROM whereabouts.events WHERE item = 'bag'") == 0)
        #expect(try !server.files(with: "Annas bag").isEmpty)
        let page = try String(contentsOfFile: Repository.root + "/docs/privacy.md", encoding: .utf8)
        let line = try #require(page.split(separator: "\n").first { $0.hasPrefix("sudo -u postgres psql whereabouts") })
        let statements = line.split(separator: "'").filter { !$0.hasSuffix("-c ") }
        #expect(statements == ["DELETE FROM pg_statistic", "ANALYZE", "VACUUM FULL"])
        for statement in statements { try server.execute(String(statement)) }
        #expect(try server.files(with: "Annas bag") == [])
        #expect(try server.number("SELECT count(*) FROM whereabouts.events") > 0)
    }
}
