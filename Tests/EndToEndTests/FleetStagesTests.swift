import Bytes
import Support
import Testing
import WireProtocol

extension Live {
    /// `whereabouts fleet upgrade` of more nodes than it asks at once, which a client stands in for.
    @Suite(.enabled(if: Live.isFull, "a minute each: WHEREABOUTS_FULL=1")) struct FleetStages {
        @Test("Give each node of a large stage the whole time for its answer, however long those before it took")
        func batches() async throws {
            let house = try await CrowdedFleet(nodes: 203)
            // Longer than the time in which a node must answer.
            house.pauses["node000"] = .seconds(33)
            let tool = try house.upgrade(through: house.url)
            #expect(try await house.serve(tool, within: 120) == 0, "\(tool.errors)\n\(tool.output)")
            #expect(tool.output.contains("done: 203 of 203 nodes have 0.1.0-990"), "\(tool.output)")
            #expect(house.asked.count == 203 && Set(house.asked).count == 203)
        }

        @Test("Ask a stage that begins while the broker is away as soon as it is back, each node once")
        func outage() async throws {
            let house = try await CrowdedFleet(nodes: 3)
            let relay = try Relay(to: house.port)
            let tool = try house.upgrade(through: "mqtt://127.0.0.1:\(relay.port)")
            #expect(try await until(20) { tool.output.contains("measuring the house") }, "\(tool.errors)")
            relay.cut = true
            relay.breakAll()
            #expect(try await until(20) { tool.output.contains("asked for 0.1.0-990") }, "\(tool.output)")
            // Longer than the tool waits for one connection.
            try await Task.sleep(for: .seconds(13))
            #expect(house.asked.isEmpty)
            relay.cut = false
            #expect(try await house.serve(tool, within: 90) == 0, "\(tool.errors)\n\(tool.output)")
            #expect(house.asked.sorted() == ["node000", "node001", "node002"])
        }
    }
}

/// Nodes that a client stands in for: they describe themselves, and come back with the version that they are asked for.
private final class CrowdedFleet {
    private static let topics = Topics()

    /// The nodes that were asked, in that order.
    private(set) var asked: [String] = []
    /// The time that a node takes; no time for one that is not listed.
    var pauses: [String: Duration] = [:]
    var url: String { broker.url }
    var port: UInt16 { broker.port }

    private let broker: Broker
    private let recorder: Recorder
    private var due: [(node: String, version: String, at: ContinuousClock.Instant)] = []
    private var read = 0

    init(nodes: Int) async throws {
        broker = try Broker(["max_queued_messages 0"])
        recorder = try Recorder(broker, [Self.topics.allNodes("administer/+")], qos: .atLeastOnce)
        #expect(try await recorder.wait(20) { $0.isConnected })
        for number in 0..<nodes {
            let digits = "\(number)"
            let node = "node" + String(repeating: "0", count: 3 - digits.count) + digits
            let status = Message(
                topic: Self.topics.nodeStatus(node), text: "online", qos: .atLeastOnce, retained: true)
            recorder.publish(status)
            describe(node, "0.1.0-989")
        }
    }

    private func describe(_ node: String, _ version: String) {
        var info = NodeInfo(
            version: version, room: "hall", adapter: "hci0", started: Timestamp(microseconds: 0), epoch: "e", window: 1,
            publishesAll: false, registry: "")
        info.upgrade = UpgradeReport()
        var json = JSONWriter()
        info.write(to: &json)
        recorder.publish(
            Message(topic: Self.topics.nodeInfo(node), payload: json.bytes, qos: .atLeastOnce, retained: true))
    }

    func upgrade(through url: String) throws -> RunningProgram {
        try RunningProgram(
            "whereabouts",
            [
                "fleet", "upgrade", "0.1.0-990", "--yes", "--broker", url, "--baseline", "3s", "--wait", "12s",
                "--limit",
                "60s", "--canary", "1000", "--ring", "100",
            ])
    }

    /// Does what nodes do until the tool ends; returns the tool's exit status.
    func serve(_ tool: RunningProgram, within seconds: Double) async throws -> Int32? {
        _ = try await until(seconds) {
            try answerCommands()
            return !tool.isRunning
        }
        return try await tool.status(within: 1)
    }

    private func answerCommands() throws {
        recorder.poll()
        for message in recorder.messages[read...] {
            guard case .nodeCommand(let node, _)? = Self.topics.kind(of: message.topic) else { continue }
            let command = try NodeCommand(payload: message.payload.span)
            guard case .upgrade(let version) = command.action else { continue }
            asked.append(node)
            recorder.publish(
                Message(
                    topic: message.responseTopic ?? Self.topics.commandResult(node),
                    payload: CommandResult(to: command, .done, at: Timestamp(microseconds: 0)).payload,
                    qos: .atLeastOnce))
            due.append((node, version, .now + (pauses[node] ?? .zero)))
        }
        read = recorder.messages.count
        let now = ContinuousClock.now
        for (node, version, at) in due where at <= now { describe(node, version) }
        due.removeAll { $0.at <= now }
    }
}
