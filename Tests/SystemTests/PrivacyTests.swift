import Testing

@testable import System

/// A claim of docs/privacy.md about logs: the title is a line of that page. `LogNamesTests` proves it with running programs.
@Suite struct PrivacyTests {
    @Test("Warnings and errors in a log name no item and no person.")
    func names() {
        let text = WithheldNames.text("item keys, and Anna's keys-2, in keys", without: ["keys", "Anna", ""])
        #expect(text == "item …, and …'s keys-2, in …")
    }
}
