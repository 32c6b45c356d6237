import Alerts
import Bytes
import Configuration
import Identity
import Testing
import WireProtocol

@testable import Agent

/// Other settings of a node that hears on.
@Suite("A configuration that changes at run time")
struct ConfigurationChangeTests {
    private static let keys = Node.iBeacon(1)

    /// A kitchen with the keys in it, whose departure would be told.
    private static func node() -> Node {
        var node = Node(regions: [Region(id: "bunch", name: nil, members: .item("keys"))])
        for second in 0..<20 { node.hear(Double(second) + 0.5, 0x0B0B, keys) }
        node.advance(to: 20)
        _ = node.pipeline.takeEffects()
        return node
    }

    @Test("Another room takes effect with an interval, and resets nothing")
    func room() throws {
        var node = Self.node()
        var settings = node.pipeline.settings
        settings.room = "pantry"
        node.pipeline.use(settings)
        for second in 20..<30 { node.hear(Double(second) + 0.5, 0x0B0B, Self.keys) }
        node.advance(to: 31)
        let info = try #require(node.outbox.last { $0.topic.hasSuffix("/info") })
        #expect(try NodeInfo(payload: info.payload.span).room == "pantry")
        #expect(try node.scans.map(\.seq) == Array(1...UInt64(node.scans.count)))
        #expect(try node.windows.map(\.count).reduce(0, +) == 30)
        #expect(node.pipeline.takeEffects()?.events.isEmpty == true)
    }

    @Test("What a command has set stays in force over the file")
    func precedence() throws {
        let configured = NodeSettings(node: "kitchen", version: "1", adapter: "replay")
        var overrides = NodeOverrides()
        overrides.window = .seconds(5)
        var intake = CommandIntake(configured, overrides)
        var file = configured
        file.use(
            try AgentConfiguration.load(
                text: "node: kitchen\nroom: pantry\nwindow: 2s\noffset_db: 3\nmqtt: {url: \"mqtt://localhost\"}\n",
                file: "agent.yaml"))
        let settings = intake.use(configured: file)
        #expect(settings.room == "pantry" && settings.offset == 3)
        #expect(settings.window == .seconds(5) && settings.overridden == ["window"])
        // Once the command takes it back, the new file counts.
        var changes = NodeChanges()
        changes.window = .restore
        let after = intake.applyChanges(changes)
        #expect(after.window == .seconds(2) && after.room == "pantry")
    }

    @Test("An alert of an item that is here already tells its departure, one that goes is cleared")
    func alerts() {
        var node = Self.node()
        let rule = AlertRule(.gone, item: "keys", companions: [], grace: .seconds(1))
        node.pipeline.use(rules: [rule], reactions: [], at: Node.time(20))
        node.pipeline.use(
            Registry(
                items: node.pipeline.builder.resolver.currentRegistry.items,
                regions: node.pipeline.watched(beside: [Region(id: "bunch", name: nil, members: .item("keys"))])))
        for second in 20..<30 { node.hear(Double(second) + 0.5, 0x0B0B, Self.keys) }
        node.advance(to: 120)
        let told = (node.pipeline.takeEffects()?.events ?? []).filter { $0.alert != nil }
        #expect(told.map(\.kind) == [.alert] && told.first?.alert == "gone-keys")
        node.pipeline.use(rules: [], reactions: [], at: Node.time(120))
        node.advance(to: 122)
        let cleared = (node.pipeline.takeEffects()?.events ?? []).filter { $0.alert != nil }
        #expect(cleared.map(\.kind) == [.cleared] && cleared.first?.reason == "removed")
    }
}
