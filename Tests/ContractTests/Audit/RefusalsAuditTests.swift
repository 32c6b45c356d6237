import BrokerSession
import Store
import Support
import Testing
import WireProtocol

@testable import Fuser

/// The rows of what is refused, of which anybody with a right can make as many as there are commands.
@Suite struct RefusalsAuditTests {
    private let folder: TemporaryFolder
    private let clock = ModelClock()
    private let topics = AuditedFuser.topics

    init() throws { folder = try TemporaryFolder() }

    private func start() throws -> AuditedFuser { try AuditedFuser(folder.file("fuser.sqlite"), clock) }

    private func purge(_ item: String, by user: String, at fuser: AuditedFuser) {
        clock.pass(0.2)
        fuser.receive(
            topics.fuserCommand("main", .operate, user: user),
            Array(#"{"id":"1","action":"purge","item":"\#(item)"}"#.utf8))
    }

    @Test("Record equal refusals of a user once a minute")
    func repetitions() throws {
        let fuser = try start()
        for _ in 0..<100 { purge("keys", by: "anna", at: fuser) }
        purge("keys", by: "bert", at: fuser)
        purge("cat", by: "anna", at: fuser)
        clock.pass(60)
        for _ in 0..<100 { purge("keys", by: "anna", at: fuser) }
        let rows = try fuser.rows
        #expect(rows.map(\.user) == ["anna", "bert", "anna", "anna"])
        #expect(rows.map(\.subject) == ["keys", "keys", "cat", "keys"])
        #expect(rows.allSatisfy { $0.status == 403 && $0.action == "purge" })
        fuser.end()
    }

    @Test("Record ten different refusals of a user a minute, of commands to nodes as well")
    func differences() throws {
        let fuser = try start()
        for number in 0..<30 { purge("item-\(number)", by: "anna", at: fuser) }
        for number in 0..<30 {
            fuser.receive(
                topics.nodeCommand("node-\(number)", .operate, user: "bert"),
                Array(#"{"id":"1","action":"set","window":2}"#.utf8))
        }
        let users = try fuser.rows.map(\.user)
        #expect(users.count { $0 == "anna" } == 10 && users.count { $0 == "bert" } == 10 && users.count == 20)
        fuser.end()
    }

    @Test("Name it among the problems when rows go before their time")
    func problem() throws {
        let fuser = try start()
        fuser.service.record([AuditChange("plan", of: nil)], by: AuditOrigin(gateway: "a"), status: 200, at: fuser.now)
        var last = try #require(fuser.rows.first)
        last.number = 100_002
        fuser.service.memory.state.commitBatch(at: fuser.now) { $0.set(.audit(last)) }
        #expect(fuser.service.problems.isEmpty)
        clock.pass(7200)
        fuser.service.memory.state.commitBatch(at: fuser.now) { _ in }
        #expect(fuser.service.problems.map { $0.prefix(22) } == ["audit: rows were delet"])
        fuser.end()
    }
}
