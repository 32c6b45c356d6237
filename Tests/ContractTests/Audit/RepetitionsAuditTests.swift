import Bytes
import Store
import Support
import Testing
import WireProtocol

@testable import Fuser

/// Changes that are repeated so often that rows of their own would push others out of the audit.
@Suite struct RepetitionsAuditTests {
    private let folder: TemporaryFolder
    private let clock = ModelClock()
    private let topics = AuditedFuser.topics

    init() throws { folder = try TemporaryFolder() }

    private func start() throws -> AuditedFuser { try AuditedFuser(folder.file("fuser.sqlite"), clock) }

    /// Has a user silence the alerts about an item so many times, once a second.
    private func silence(_ times: Int, by user: String, at fuser: AuditedFuser) {
        for _ in 0..<times {
            clock.pass(1)
            fuser.receive(
                topics.fuserCommand("main", .operate, user: user),
                Array(#"{"id":"1","action":"silence","item":"keys","for":60}"#.utf8))
        }
    }

    @Test("Count what an automation repeats in one row a day, as long as it goes on, and list what others do")
    func flood() throws {
        var fuser = try start()
        fuser.receiveEntry("keys", name: "Keys")
        silence(100, by: "robot", at: fuser)
        #expect(fuser.service.problems.isEmpty)
        let begin = fuser.now.advanced(bySeconds: 1)
        silence(200, by: "robot", at: fuser)
        let end = fuser.now
        silence(1, by: "anna", at: fuser)
        #expect(fuser.service.problems.map { $0.prefix(26) } == ["audit: changes are counted"])
        var rows = try fuser.rows
        #expect(rows.map(\.user) == [""] + Array(repeating: "robot", count: 100) + ["anna"])
        #expect(rows.allSatisfy { $0.times == 1 && $0.since == nil })
        clock.pass(86_400)
        fuser.service.storeAudit(isLast: false)
        rows = try fuser.rows
        var row = try #require(rows.last)
        #expect(rows.count == 103 && row.times == 200 && row.since == begin && row.at == end)
        #expect(row.user == "robot" && row.proof == "broker" && row.action == "silence" && row.subject == "keys")
        #expect(row.before != nil && row.before != row.after && row.status == 200)
        #expect(fuser.service.problems.isEmpty)
        // It goes on, slower.
        silence(50, by: "robot", at: fuser)
        silence(1, by: "anna", at: fuser)
        #expect(try fuser.rows.count == 104)
        fuser.end()
        fuser = try start()
        rows = try fuser.rows
        row = try #require(rows.last)
        #expect(rows.count == 105 && row.user == "robot" && row.times == 50)
        fuser.end()
    }

    @Test("Count a command of the page once, though it comes back")
    func echo() throws {
        var fuser = try start()
        fuser.connect()
        let topic = topics.nodeCommand("kitchen")
        for number in 0..<150 {
            _ = fuser.service.setOffset(number % 5, of: "kitchen", by: "anna")
            fuser.service.record(
                fuser.service.audit.changes, by: AuditOrigin(gateway: "page"), status: 200, at: fuser.now)
            fuser.service.audit.changes.removeAll()
            let sent = fuser.service.outbox.last { $0.topic == topic }
            fuser.receive(topic, try #require(sent).payload)
        }
        fuser.disconnect()
        fuser.end()
        fuser = try start()
        let rows = try fuser.rows
        #expect(rows.count == 101 && rows.last?.times == 50 && rows.allSatisfy { $0.peer == "node page" })
        fuser.end()
    }

    @Test("Erase the values of changes that are counted, with the item's purge")
    func purge() throws {
        var fuser = try start()
        for number in 0..<150 {
            clock.pass(1)
            fuser.receiveEntry("keys", name: "Annas keys \(number)")
        }
        clock.pass(1)
        fuser.receive(
            topics.fuserCommand("main", .administer, user: "chief"),
            Array(#"{"id":"1","action":"purge","item":"keys"}"#.utf8))
        var rows = try fuser.rows
        #expect(rows.map(\.action) == Array(repeating: "item", count: 101) + ["purge"])
        #expect(rows.dropLast().allSatisfy { $0.before == nil && $0.after == nil && $0.erased != nil })
        #expect(rows.dropLast().last?.times == 50)
        fuser.end()
        fuser = try start()
        rows = try fuser.rows
        #expect(rows.count == 102)
        fuser.end()
    }

    // MARK: Many kinds

    private func row(_ number: Int, by user: String = "robot", proof: String = "broker") -> AuditRecord {
        var row = AuditRecord(
            number: 0, at: ModelClock.begin.advanced(byMicroseconds: Int64(number)), user: user, role: "operator",
            peer: "", method: "MQTT", path: "fuser/main/operate/\(user)", status: 200)
        (row.change, row.proof, row.action, row.subject) = ("change-\(number)", proof, "silence", "item-\(number)")
        return row
    }

    @Test(
        "Count the changes of a user beyond 10,000 a day, each item's in a row, and of too many items in one of the user"
    )
    func many() {
        var repetitions = AuditedRepetitions()
        func admit(_ row: AuditRecord) -> Bool { repetitions.admit(row, at: ModelClock.begin) }
        let rows = (0..<12_000).map { row($0) }
        #expect(rows.map(admit).count { $0 } == 10_000)
        let isListed = admit(row(1, by: "anna"))
        #expect(isListed && repetitions.isCounting)
        let counted = repetitions.takeRows()
        #expect(counted.count == 1001 && counted.map(\.times).reduce(0, +) == 2000)
        // One change alone is the row that it would have been.
        #expect(counted.first == rows[10_000])
        let rest = counted.last
        #expect(rest?.times == 1000 && rest?.user == "robot" && rest?.subject == nil && rest?.path == "")
        #expect(rest?.at == rows.last?.at && rest?.since == rows[11_000].at && rest?.action == "silence")
        #expect(!repetitions.isCounting)
    }

    @Test("Leave others their rows, on the next day too, where a user has made too many of all kinds")
    func others() {
        var repetitions = AuditedRepetitions()
        var now = ModelClock.begin
        for number in 0..<60_000 { _ = repetitions.admit(row(number), at: now) }
        let isListed = repetitions.admit(row(1, by: "anna"), at: now)
        var purge = row(2)
        purge.action = "purge"
        let isPurgeListed = repetitions.admit(purge, at: now)
        #expect(isListed && isPurgeListed)
        now = now.advanced(bySeconds: 86_400)
        let isListedAgain = repetitions.admit(row(3), at: now)
        #expect(isListedAgain)
    }

    @Test("Record what a killed fuser had counted, as far as the broker still shows it")
    func killed() throws {
        var fuser = try start()
        fuser.readRetained {}
        for number in 0..<150 {
            clock.pass(1)
            fuser.receiveEntry("keys", name: "Keys \(number)")
        }
        fuser.service.storeAudit(isLast: false)
        let last = try #require(try fuser.rows.last)
        #expect(last.after?.contains("Keys 99") == true)
        fuser.kill()
        clock.pass(10)
        fuser = try start()
        fuser.receiveEntry("keys", name: "Keys 149", dated: -10, retained: true)
        #expect(try fuser.rows.last?.after?.contains("Keys 149") == true)
        fuser.end()
    }

    @Test("Take all for one user whose names nobody proves")
    func unproven() {
        var repetitions = AuditedRepetitions()
        let rows = (0..<12_000).map { row($0, by: "user-\($0)", proof: $0 % 2 == 0 ? "sender" : "") }
        #expect(rows.map { repetitions.admit($0, at: ModelClock.begin) }.count { $0 } == 10_000)
    }
}
