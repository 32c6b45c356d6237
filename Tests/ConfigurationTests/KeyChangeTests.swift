import Configuration
import Support
import Testing

/// Two readings of a configuration, compared key by key.
@Suite struct KeyChangeTests {
    private static func agent(_ lines: String) throws -> AgentConfiguration {
        try AgentConfiguration.load(
            text: "node: kitchen\nmqtt: {url: \"mqtt://localhost\"}\n\(lines)\n", file: "agent.yaml", opensFiles: false)
    }

    @Test("Keys that differ are named with the time at which they take effect, others are not")
    func changes() throws {
        let old = try Self.agent("room: hall\nwindow: 1s\nradio: {scan: passive}")
        let new = try Self.agent("room: pantry\nradio: {scan: active}\nalerts: [{gone: {item: keys}}]")
        let changes = old.changes(to: new)
        #expect(changes.keys(.atRunTime) == ["room", "alerts"])
        #expect(changes.keys(.atStart) == ["radio.scan"])
        #expect(old.changes(to: old).isEmpty)
    }

    @Test("What waits for a restart keeps its value, and is a change again the next time")
    func adoption() throws {
        let old = try Self.agent("room: hall\nradio: {scan: passive}")
        let new = try Self.agent("room: pantry\nradio: {scan: active}")
        let adopted = old.adopting(new)
        #expect(adopted.room == "pantry" && adopted.radio.scan == .passive)
        #expect(adopted.changes(to: new).map(\.key) == ["radio.scan"])
        #expect(adopted.changes(to: old).map(\.key) == ["room"])
    }

    @Test("Reactions of a region belong to its key, those of an item to their own")
    func reactions() throws {
        let reaction = "[{publish: {topic: home/light, payload: \"on\"}}]"
        let old = try Self.agent("regions: [{id: pets, tag: pet}]")
        let region = try Self.agent("regions: [{id: pets, tag: pet, on_enter: \(reaction)}]")
        let item = try Self.agent(
            "regions: [{id: pets, tag: pet}]\nreactions: [{item: guest, on_enter: \(reaction)}]")
        #expect(old.changes(to: region).map(\.key) == ["regions"])
        #expect(old.changes(to: item).map(\.key) == ["reactions"])
        #expect(old.adopting(region).reactions == region.reactions)
        #expect(old.adopting(item).reactions == item.reactions)
    }

    @Test("Other content of the items file and other tokens are changes, though their paths are the same")
    func contents() throws {
        let folder = try TemporaryFolder()
        func load(_ item: String, _ token: String) throws -> FuserConfiguration {
            _ = try folder.write(
                Array("- {id: \(item), address: \"aa:bb:cc:dd:ee:ff\"}\n".utf8), to: "items.yaml")
            _ = try folder.write(Array("admin:\(token)\n".utf8), to: "tokens")
            try setMode(0o600, of: folder.file("tokens"))
            return try FuserConfiguration.load(
                text: """
                    mqtt: {url: "mqtt://localhost"}
                    items: items.yaml
                    web: {listen: "127.0.0.1:8099", token_file: tokens}

                    """, file: folder.file("fuser.yaml"))
        }
        let old = try load("keys", "0123456789abcdef")
        let new = try load("bag", "fedcba9876543210")
        #expect(old.changes(to: new).map(\.key) == ["items", "web.token_file"])
        #expect(old.changes(to: new).allSatisfy { $0.effect == .atRunTime })
        // A page that begins takes its tokens along, at the next start.
        var without = old
        without.web = nil
        #expect(without.changes(to: old).map(\.key) == ["web.listen"])
        #expect(without.adopting(old).web == nil)
    }
}
