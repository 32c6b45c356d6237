import Testing
import WireProtocol

/// Settings of a fuser that `set` commands have changed.
@Suite struct FuserSettingsTests {
    @Test("Override and restore each setting on its own, and store what is overridden in the form of a command")
    func overrides() throws {
        let first = FuserOverrides().applying(FuserCommandTests.changes)
        #expect(first.awayAfter == .milliseconds(90_500) && first.detectsClones == false)
        #expect(first.keys == ["away_after", "detect_clones"])
        #expect(first.applying(FuserChanges()) == first)
        let second = first.applying(FuserCommandTests.restoring)
        #expect(second.awayAfter == nil && second.detectsClones == true && second.keys == ["detect_clones"])
        for overrides in [FuserOverrides(), first, second] {
            #expect(FuserOverrides().applying(overrides.changes) == overrides)
            #expect(overrides.changes.isEmpty == overrides.keys.isEmpty)
        }
        let command = FuserCommand(id: nil, action: .set(second.changes))
        #expect(String(decoding: command.payload, as: UTF8.self) == #"{"action":"set","detect_clones":true}"#)
    }
}
