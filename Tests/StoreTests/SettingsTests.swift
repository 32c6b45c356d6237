import Support
import Testing

@testable import Store

/// Settings that are read by their keys, or by what these begin with.
@Suite struct SettingsTests {
    private static let now = RoundTripTests.start

    @Test("Read one setting, or those of a prefix, from the disk and from what waits for it")
    func prefixes() throws {
        let folder = try TemporaryFolder()
        let store = try StateStore(path: folder.file("state.sqlite"), holding: .house, at: Self.now)
        func set(_ changes: [StoreChange]) {
            _ = store.transaction(at: Self.now) { batch in for change in changes { batch.set(change) } }
        }
        let room = "room of ä\u{1F600}"
        set([
            .setting(key: "room of", value: "0"), .setting(key: room, value: "1"),
            .setting(key: "room of b", value: "2"), .setting(key: "rooms", value: "3"),
        ])
        #expect(try store.settings(withPrefix: "room of ") == [room: "1", "room of b": "2"])
        #expect(try store.setting("room of") == "0" && store.setting("room") == nil)
        #expect(try store.settings().count == 4)
        store.forceFailure(StoreError(.full, purpose: "test", words: "full", path: nil), at: Self.now)
        set([.setting(key: "room of c", value: "4"), .forgetSetting("room of b"), .setting(key: "rooms", value: "5")])
        #expect(try store.settings(withPrefix: "room of ") == [room: "1", "room of c": "4"])
        #expect(try store.setting("room of b") == nil && store.setting("rooms") == "5")
    }
}
