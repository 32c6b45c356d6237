import BrokerSession
import Bytes
import Configuration
import Support
import System
import Testing
import WireProtocol

@testable import Agent
@testable import Store

/// An agent as it is shipped, whose state is found to be corrupt while it runs: without a connection, and without packets.
@Suite struct LostStateTests {
    private final class SilentSource: PacketSource {
        let adapter = "silent"
        var next: Upcoming { .ended }
        func beginRecording(atWall wall: Timestamp) throws(SourceFault) -> SourceTime? { .wall }
        func deliverEvents(
            until: Timestamp?, limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void
        ) throws(SourceFault) {}
    }

    private static let log = Log(level: .error, style: .plain, descriptor: 2)
    private static let node = "kitchen"

    private static func memory(_ path: String) throws -> NodeMemory {
        try NodeMemory(path: path, node: node, at: WallClock.now(), log: log)
    }

    private static func agent(_ memory: NodeMemory) throws -> AgentService {
        let (now, topics) = (WallClock.now(), Topics())
        let settings = NodeSettings(node: node, version: "0", adapter: "silent")
        let registry = NodeRegistry(topics: topics, entries: [], items: [], regions: [], log: log)
        return try AgentService(
            pipeline: NodePipeline(settings: settings, registry: registry.registry, epoch: memory.epoch, started: now),
            configured: settings, overrides: memory.state.overrides(), registry: registry, memory: memory,
            discovery: NodeDiscovery(
                memory.state.discoveryDesk(.node, name: node, prefix: topics.prefix, at: now), node: node,
                area: "Kitchen", regions: [], hasRadio: false, topics: topics),
            source: SilentSource(),
            session: try Session(
                MQTTSettings(url: try BrokerURL("mqtt://broker")), clientID: "agent", statusTopic: nil, log: log),
            loop: try RunLoop(), log: log, notifier: ServiceNotifier(environment: [:]))
    }

    @Test("Store the settings of a command again with the state that replaces a corrupt one")
    func settings() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("agent.sqlite")
        do {
            let memory = try Self.memory(path)
            let agent = try Self.agent(memory)
            _ = try agent.beginRecording()
            agent.pipeline.advance(to: agent.now, &agent.outgoing.outbox)
            var changes = NodeChanges()
            changes.offset = .override(-3)
            let command = NodeCommand(id: "1", action: .set(changes))
            agent.performCommand(
                Message(topic: "command", payload: command.payload), by: CommandSender(.administer, user: "anna"))
            let damage = StoreError(.corrupt, purpose: "append an event", words: "damage", path: path)
            memory.store.forceFailure(damage, at: agent.now)
            agent.storeAndPublish()
            memory.close(at: agent.now)
        }
        let kept: NodeOverrides = try Self.memory(path).state.overrides()
        #expect(kept.offset == -3 && kept.keys == ["offset_db"])
    }
}
