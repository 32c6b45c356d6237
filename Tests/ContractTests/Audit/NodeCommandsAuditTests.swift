import Store
import Support
import Testing
import WireProtocol

/// Commands to nodes, which a fuser sees and nodes obey or refuse.
@Suite struct NodeCommandsAuditTests {
    @Test("Record a command as refused that the node refuses for lack of the right")
    func rights() throws {
        let folder = try TemporaryFolder()
        let fuser = try AuditedFuser(folder.file("fuser.sqlite"), ModelClock())
        let set = #"{"id":"1","action":"set","window":2}"#
        let upgrade = #"{"id":"2","action":"upgrade","version":"2.0"}"#
        let silence = #"{"id":"3","action":"silence","all":true,"for":60}"#
        let topics = AuditedFuser.topics
        for command in [set, upgrade, silence] {
            for (right, user) in [(CommandRight.operate, "anna"), (.administer, "chief")] {
                fuser.receive(topics.nodeCommand("kitchen", right, user: user), Array(command.utf8))
            }
        }
        fuser.receive(topics.nodeCommand("kitchen", .operate, user: "peer-second"), Array(silence.utf8))
        fuser.receive(topics.nodeCommand("kitchen"), Array(#"{"id":"4","action":"set","window":3}"#.utf8))
        let rows = try fuser.rows
        let twice = ["settings", "settings", "upgrade", "upgrade", "silence", "silence"]
        #expect(rows.map(\.action) == twice + ["silence", "settings"])
        #expect(rows.map(\.user) == ["anna", "chief", "anna", "chief", "anna", "chief", "peer-second", ""])
        #expect(rows.map(\.status) == [403, 202, 403, 202, 202, 202, 403, 202])
        fuser.end()
    }
}
