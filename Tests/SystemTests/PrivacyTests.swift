import Support
import Testing

@testable import System

/// A claim of docs/privacy.md about logs: the title is a line of that page. `LogNamesTests` proves it with running programs.
@Suite struct PrivacyTests {
    @Test("Warnings and errors in a log name no item and no person.")
    func names() {
        let text = WithheldNames.text("item keys, and Anna's keys-2, in keys", without: ["keys", "Anna", ""])
        #expect(text == "item …, and …'s keys-2, in …")
    }

    @Test("Lines of a log at `info`, the default level, name items and persons.")
    func information() {
        let pipe = ReadablePipe()
        Log(style: .plain, descriptor: pipe.writing).write(.warning, "keys of Anna", about: ["keys", "Anna"])
        let lines = pipe.available().split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasSuffix("… of …") == true && lines.last?.hasSuffix("keys of Anna") == true, "\(lines)")
    }
}
