import BrokerSession
import Bytes
import Store
import Support
import Testing
import WireProtocol

@testable import Fuser

/// Purges of a fuser whose state is a file.
@Suite struct PurgedStateTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func purge(_ item: String, _ fuser: StoredFuser) throws -> FuserAnswer {
        try fuser.answer(to: .purge(item: item, before: nil)).answer
    }

    /// The statuses of the purges that the audit has.
    private func statuses(_ fuser: StoredFuser) throws -> [Int] {
        fuser.service.persistAudit()
        return try fuser.memory.store.audit(after: 0, limit: 99).filter { $0.action == "purge" }.map(\.status)
    }

    private func isPurged(_ answer: FuserAnswer) -> Bool { if case .purged = answer { true } else { false } }

    @Test("Purge an item of which rows alone are left, as after a restart, and refuse it once there are none")
    func rowsAlone() throws {
        let fuser = try StoredFuser(folder)
        let now = fuser.now
        var row = AuditRecord(
            number: 0, at: now, user: "anna", role: "admin", peer: "desk", method: "MQTT", path: "items/keys/config",
            status: 200)
        (row.change, row.action, row.subject, row.after) = ("c", "item", "keys", #"{"name":"Annas keys"}"#)
        let truth = TruthRecord(item: "ring", at: now, room: "hall", user: "anna")
        let journal = JournalRecord(
            number: 1, node: "hall", epoch: "e", seq: 1, last: 1, at: now, kind: "enter", subject: "bag")
        fuser.memory.record([row], at: now)
        fuser.memory.state.commitBatch(at: now) { batch in
            batch.set(.truth(truth))
            batch.set(.journal(journal))
        }
        for item in ["keys", "ring", "bag"] {
            #expect(!fuser.service.pipeline.knows(item))
            let (first, second) = (try purge(item, fuser), try purge(item, fuser))
            #expect(isPurged(first), "\(item): \(first)")
            #expect(second.failure?.contains("there is no item '\(item)'") == true, "\(item): \(second)")
        }
        #expect(try statuses(fuser) == [200, 409, 200, 409, 200, 409])
        #expect(!fuser.text.contains("Annas keys"))
    }

    @Test("Purge an item of which the course of its battery alone is left")
    func batteryAlone() throws {
        let history: String
        do {
            let fuser = try StoredFuser(folder)
            fuser.listen(5, receiving: ["keys"])
            history = try #require(fuser.memory.batteries()["keys"])
        }
        let other = try TemporaryFolder()
        do {
            let fuser = try StoredFuser(other)
            fuser.memory.state.commitBatch(at: fuser.now) { $0.set(.setting(key: "battery of keys", value: history)) }
        }
        let fuser = try StoredFuser(other)
        let answer = try purge("keys", fuser)
        #expect(isPurged(answer) && fuser.memory.batteries().isEmpty)
        #expect(!fuser.text.contains("battery of keys"))
    }

    @Test("Find a silence at a node by its item, and erase it with the item; others are the node's")
    func silence() throws {
        let fuser = try StoredFuser(folder)
        for subject in [NodeCommand.Subject.item("keys"), .region("office"), .all] {
            let command = NodeCommand(id: "s", action: .silence(subject, for: .seconds(60)))
            fuser.receive(
                Message(
                    topic: "\(fuser.topics.prefix)/nodes/hall/operate/anna", payload: command.payload,
                    qos: .atLeastOnce))
            fuser.pass()
        }
        var rows = try fuser.memory.store.audit(after: 0, limit: 9)
        #expect(rows.map(\.subject) == ["keys", "node/hall", "node/hall"])
        #expect(rows.allSatisfy { $0.action == "silence" && $0.path == "nodes/hall/operate/anna" && $0.user == "anna" })
        #expect(rows[0].after?.contains("keys") == true)
        let answer = try purge("keys", fuser)
        #expect(isPurged(answer))
        rows = try fuser.memory.store.audit(after: 0, limit: 9)
        #expect(rows[0].after == nil && rows[0].erased != nil && rows[1].after != nil)
    }
}
