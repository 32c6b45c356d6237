import WireProtocol
import Testing

/// The author that a message names.
@Suite struct SignatureTests {
    @Test("Read the author that a command or an entry is signed with, whatever the names hold")
    func bothWays() throws {
        let command = FuserCommand(id: "7", action: .why(item: "keys"))
        for (user, host) in [("anna", "desk"), ("anna@ward", "desk"), ("Ann\"a\\", "d"), ("anna", "")] {
            let signature = Signature(user: user, host: host)
            let payload = signature.sign(command.payload)
            let again = try FuserCommand(payload: payload.span)
            #expect(again == command)
            let read = Signature(in: payload.span)
            #expect(read?.text == signature.text)
            if !host.isEmpty { #expect(read == signature) }
        }
        for text in ["", "{\"by\":7}", "{\"by\":\"\"}", "{\"by\":\"\(String(repeating: "a", count: 500))\"}"] {
            let signature = Signature(in: Array(text.utf8).span)
            #expect(signature == nil)
        }
    }

    @Test("Let another fuser request a replay, and nothing else")
    func peers() throws {
        let topics = Topics()
        guard case .fuserCommand("b", let sender?)? = topics.kind(of: topics.fuserCommand("b", byPeer: "a")) else {
            Issue.record("no command")
            return
        }
        #expect(sender.peer == "a" && CommandSender(.operate, user: "anna").peer == nil)
        #expect(throws: Never.self) { try CommandSender.check(sender, may: "replay", .operate) }
        for action in ["why", "learn", "purge", "set"] {
            #expect(throws: CommandFault.self) { try CommandSender.check(sender, may: action, .operate) }
        }
    }

    @Test("Let an operator do what needs no more, and an administrator and a program all")
    func rights() {
        let anna = CommandSender(.operate, user: "anna")
        let set = FuserCommand.Action.set(FuserCommandTests.changes)
        #expect(throws: CommandFault.self) { try CommandSender.check(anna, may: set.name, set.right) }
        #expect(throws: CommandFault.self) { try CommandSender.check(anna, may: "purge", .administer) }
        #expect(throws: Never.self) { try CommandSender.check(anna, may: "learn", .operate) }
        for sender in [CommandSender(.administer, user: "chief"), nil] {
            for right in CommandRight.allCases {
                #expect(throws: Never.self) { try CommandSender.check(sender, may: "purge", right) }
            }
        }
    }
}
