import Bytes
import Store
import Support
import System
import Testing
import WireProtocol

@testable import Fuser

/// Changes that were made while no fuser was connected.
@Suite struct LateChangesAuditTests {
    private let folder: TemporaryFolder
    private let clock = ModelClock()

    init() throws {
        folder = try TemporaryFolder()
        clock.pass(100_000)
    }

    private func start() throws -> AuditedFuser { try AuditedFuser(folder.file("fuser.sqlite"), clock) }

    @Test("Record an entry that was changed while no fuser was there, whatever its date")
    func dates() throws {
        var fuser = try start()
        fuser.receiveEntry("keys", name: "Keys")
        fuser.end()
        var expected: [String?] = ["Keys"]
        // In the pause, by a clock that lags, by one that is ahead, and by a forged date.
        for (name, date) in [("Pause", -50.0), ("Lag", -3600), ("Ahead", 3600), ("Forged", -80_000)] {
            clock.pass(100)
            fuser = try start()
            fuser.receiveEntry("keys", name: name, dated: date, retained: true)
            expected.append(name)
            let rows = try fuser.rows
            #expect(rows.map(\.after).map { named($0) } == expected)
            #expect(rows.last?.before == rows.dropLast().last?.after && rows.last?.subject == "keys")
            let time = date == -50 ? fuser.now.advanced(bySeconds: date) : fuser.now
            #expect(rows.last?.at == time.floor(toMultipleOf: date == -50 ? 1000 : 1), "\(name)")
            fuser.end()
        }
        // Nothing has happened since.
        clock.pass(100)
        fuser = try start()
        fuser.receiveEntry("keys", name: "Forged", dated: -80_100, retained: true)
        #expect(try fuser.rows.count == expected.count)
        fuser.end()
    }

    @Test("Record an old entry that was put back as it was while no fuser was there, each time")
    func restored() throws {
        var fuser = try start()
        fuser.receiveEntry("keys", name: "One", dated: -20)
        fuser.receiveEntry("keys", name: "Two", dated: -10)
        var expected: [String?] = ["One", "Two"]
        for (name, date) in [("One", -120.0), ("Two", -210), ("One", -320), ("One", -420)] {
            fuser.end()
            clock.pass(100)
            fuser = try start()
            fuser.receiveEntry("keys", name: name, dated: date, retained: true)
            if name != expected.last { expected.append(name) }
            let rows = try fuser.rows
            #expect(rows.map { named($0.after) } == expected)
            #expect(Set(rows.map(\.change)).count == rows.count)
        }
        fuser.end()
    }

    @Test("Compare with the last change that was not refused")
    func refusals() throws {
        var fuser = try start()
        fuser.receiveEntry("keys", name: "Keys")
        fuser.service.record(
            [AuditChange("item", of: "keys")], by: AuditOrigin(gateway: "test"), status: 409, at: fuser.now)
        fuser.end()
        clock.pass(100)
        fuser = try start()
        fuser.receiveEntry("keys", name: "Lag", dated: -3600, retained: true)
        #expect(try fuser.rows.map { named($0.after) } == ["Keys", nil, "Lag"])
        fuser.end()
    }

    @Test("Record an old entry of another item neither at the first start nor at a later one")
    func unknown() throws {
        for _ in 0..<2 {
            let fuser = try start()
            fuser.receiveEntry("cat", name: "Cat", dated: -50_000, retained: true)
            #expect(try fuser.rows.isEmpty)
            fuser.end()
        }
    }

    @Test("Record an item that came while no fuser was there, whatever its date, once all was read before")
    func newItem() throws {
        var fuser = try start()
        fuser.readRetained { fuser.receiveEntry("cat", name: "Cat", dated: -50_000, retained: true) }
        #expect(try fuser.rows.isEmpty, "a first start makes no changes")
        for _ in 0..<2 {
            fuser.end()
            clock.pass(100)
            fuser = try start()
            fuser.receiveEntry("cat", name: "Cat", dated: -50_000, retained: true)
            fuser.receiveEntry("keys", name: "Keys", dated: -60_000, retained: true)
            let rows = try fuser.rows
            #expect(rows.map { named($0.after) } == ["Keys"] && rows.first?.before == nil)
        }
        fuser.end()
    }

    @Test("Record an entry that was changed while no fuser was there, though the audit never had it")
    func unrecorded() throws {
        var fuser = try start()
        fuser.receiveEntry("cat", name: "Cat", dated: -50_000, retained: true)
        for _ in 0..<2 {
            fuser.end()
            clock.pass(100)
            fuser = try start()
            fuser.receiveEntry("cat", name: "Tom", dated: -40_000, retained: true)
            #expect(try fuser.rows.map { named($0.after) } == ["Tom"])
        }
        fuser.end()
    }

    @Test("Record no old removal of an unknown item, and keep no digest of an entry that is gone")
    func gone() throws {
        var fuser = try start()
        fuser.readRetained {
            fuser.receiveEntry("cat", name: "Cat", dated: -50_000, retained: true)
            fuser.receiveRemoval("dog", dated: -50_000)
        }
        for _ in 0..<2 {
            fuser.end()
            clock.pass(100)
            fuser = try start()
            fuser.readRetained { fuser.receiveRemoval("dog", dated: -50_000) }
            #expect(fuser.service.audit.values["cat"] == nil && fuser.service.audit.values["dog"] == nil)
            #expect(try fuser.rows.isEmpty)
        }
        fuser.end()
    }

    @Test("Record nothing again after a restoration of the state from before the change")
    func restoration() throws {
        var fuser = try start()
        fuser.readRetained { fuser.receiveEntry("cat", name: "Cat", dated: -50_000, retained: true) }
        fuser.end()
        let path = folder.file("fuser.sqlite")
        let backup = try StateCopy(of: path, draft: folder.file("draft")).bytes
        clock.pass(100)
        fuser = try start()
        fuser.receiveEntry("cat", name: "Tom", dated: -40_000)
        fuser.receiveEntry("keys", name: "Keys", dated: -40_000)
        fuser.receiveInfo(offset: 0)
        fuser.receiveInfo(offset: 3)
        let changes = try fuser.rows.map(\.change)
        fuser.end()
        do {
            let restore = try StateRestore(at: path, holding: .house)
            try restore.stage(backup)
            try restore.commit()
        }
        clock.pass(100)
        fuser = try start()
        fuser.receiveEntry("cat", name: "Tom", dated: -40_100, retained: true)
        fuser.receiveEntry("keys", name: "Keys", dated: -40_100, retained: true)
        fuser.receiveInfo(offset: 3, retained: true)
        #expect(try changes.count == 3 && fuser.rows.map(\.change) == changes)
        fuser.end()
    }

    @Test("Record the settings of a node that changed while no fuser was there, once")
    func settings() throws {
        var fuser = try start()
        fuser.receiveInfo(offset: 0, retained: true)
        #expect(try fuser.rows.isEmpty)
        for _ in 0..<2 {
            fuser.end()
            clock.pass(100)
            fuser = try start()
            fuser.receiveInfo(offset: 3, retained: true)
            let rows = try fuser.rows
            #expect(rows.map(\.subject) == ["node/kitchen"] && rows.first?.action == "settings")
            #expect(rows.first?.before?.hasSuffix("}") == true && rows.first?.before != rows.first?.after)
        }
        fuser.end()
    }

    @Test("Record a picture that changed while no fuser was there, though the audit never had it")
    func picture() throws {
        let topic = AuditedFuser.topics.floorPicture("ground")
        var fuser = try start()
        fuser.receive(topic, [1, 2, 3], retained: true)
        for _ in 0..<2 {
            fuser.end()
            clock.pass(100)
            fuser = try start()
            fuser.receive(topic, [1, 2], retained: true)
            let rows = try fuser.rows
            #expect(rows.map(\.subject) == ["floor/ground"] && rows.first?.before?.hasPrefix("{") == true)
        }
        fuser.end()
    }

    @Test("Record a plan that was there before the first start not, and one that came while no fuser was there")
    func plan() throws {
        var plan = HousePlan(revision: 3, at: clock.reading(off: -50_000).wall, by: "anna")
        var fuser = try start()
        fuser.receive(AuditedFuser.topics.housePlan, plan.payload, retained: true)
        #expect(try fuser.rows.isEmpty)
        plan.revision = 4
        fuser.receive(AuditedFuser.topics.housePlan, plan.payload)
        #expect(try fuser.rows.map(\.user) == ["anna"])
        fuser.end()
        let other = try TemporaryFolder()
        fuser = try AuditedFuser(other.file("fuser.sqlite"), clock)
        fuser.readRetained {}
        fuser.end()
        fuser = try AuditedFuser(other.file("fuser.sqlite"), clock)
        fuser.receive(AuditedFuser.topics.housePlan, plan.payload, retained: true)
        #expect(try fuser.rows.map(\.user) == ["anna"])
        fuser.end()
    }

    @Test("Record an entry that was changed while the fuser had no connection, whatever its date")
    func reconnection() throws {
        let fuser = try start()
        fuser.receiveEntry("keys", name: "Keys", dated: -50_000, retained: true)
        #expect(try fuser.rows.isEmpty)
        clock.pass(100)
        fuser.receiveEntry("keys", name: "Lag", dated: -3600, retained: true)
        let rows = try fuser.rows
        #expect(rows.map { named($0.after) } == ["Lag"] && named(rows.first?.before ?? nil) == "Keys")
        fuser.end()
    }

    /// The name in an entry.
    private func named(_ value: String?) -> String? {
        guard let value, let begin = value.firstRange(of: #""name":""#) else { return nil }
        return String(value[begin.upperBound...].prefix { $0 != "\"" })
    }
}
