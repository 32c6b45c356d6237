import CommandLine
import Configuration
import Testing

/// Misspelt words of every kind, with what is asked about each.
@Suite struct SpellingTests {
    private static let items = Command(
        "tool items", summary: "Keeps items.",
        positionals: .init("list|add", 1...1, firstWords: ["list", "add", "remove"], help: "what to do"),
        options: [CommandOption("--name", .text("NAME"), help: "a name")])
    private static let watch = Command(
        "tool watch", summary: "Watches.",
        options: [
            CommandOption("--json", help: "objects"), CommandOption("--colour", .word(["red", "blue"]), help: "which"),
        ])

    private static func faults(_ command: Command, _ words: [String]) -> [String] {
        do {
            _ = try command.parse(words)
            return []
        } catch { return error.faults }
    }

    @Test("Suggest the nearest word for a misspelt one of a command line, and report nothing after it")
    func commandLines() {
        let rows: [(Command, [String], String)] = [
            (
                Self.items, ["ad", "keys", "--nme", "x", "--address"],
                "unknown word 'ad' after 'items'; did you mean 'add'?"
            ),
            (Self.items, ["keys"], "unknown word 'keys' after 'items'; known are list, add, remove"),
            (Self.items, ["add", "--nme"], "unknown option '--nme'; did you mean --name?"),
            (Self.watch, ["json"], "unexpected 'json'; did you mean --json?"),
            (Self.watch, ["elephant"], "unexpected 'elephant'"),
            (Self.watch, ["--colour", "rde"], "--colour: 'rde' is not one of red, blue; did you mean 'red'?"),
            (Self.watch, ["--colour", "yellow"], "--colour: 'yellow' is not one of red, blue"),
        ]
        for (command, words, message) in rows {
            #expect(Self.faults(command, words) == [message])
            print("| \(command.name) \(words.joined(separator: " ")) | \(message) | \(UsageError.exitStatus) |")
        }
        #expect(Self.faults(Self.items, ["add"]).isEmpty)
        #expect(Self.faults(Self.items, []) == ["list|add is missing"])
    }

    @Test(
        "Suggest the nearest word for a misspelt one of a configuration",
        arguments: [
            ("romo: x\n", "unknown key 'romo'; did you mean 'room'?"),
            ("publish: regstered\n", "expected one of registered, all, found 'regstered'; did you mean 'registered'?"),
            ("publish: nothing\n", "expected one of registered, all, found 'nothing'"),
            (
                "source: 'relpay:x'\n",
                "expected hci:ADAPTER, replay:FILE[,FILE…] or simulate:FILE, found the text 'relpay:x'; did you mean 'replay'?"
            ),
            (
                "items: i\nregions: [{id: Büro, item: keys}]\n",
                "'Büro' can't be an id (up to 64 of a-z, 0-9, '_' and '-'); 'buero' would do"
            ),
            (
                "room: Living Room\n",
                "'Living Room' can't be an id (up to 64 of a-z, 0-9, '_' and '-'); 'living-room' would do"
            ),
        ])
    func configurations(_ lines: String, _ message: String) {
        do {
            _ = try AgentConfiguration.load(text: "node: n\n\(lines)mqtt: {url: 'mqtt://h'}\n", file: "f")
            Issue.record("no fault")
        } catch {
            #expect(error.faults.contains { $0.message == message }, "\(error)")
        }
    }

    @Test("Propose different ids for two regions with similar names")
    func uniqueIDs() {
        let text = """
            node: n
            regions: [{id: My Desk, item: a}, {id: my-desk, item: b}, {id: my desk, item: c}]
            mqtt: {url: 'mqtt://h'}

            """
        do {
            _ = try AgentConfiguration.load(text: text, file: "f")
            Issue.record("no fault")
        } catch {
            let proposals = error.faults.compactMap { fault in
                ["'my-desk-2' would do", "'my-desk-3' would do"].first { fault.message.contains($0) }
            }
            #expect(Set(proposals).count == 2, "\(error)")
        }
    }
}
