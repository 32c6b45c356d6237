import Foundation
import Support
import Testing
import WireProtocol

/// Rooms with a node and some tags each, and fusers; the receiver of the living room is 3 dB too loud.
final class FleetHouse {
    static let rooms = ["bath", "bed", "hall", "kitchen", "living", "office"]
    private static let topics = Topics()

    let nodes: [String]
    private let items: [(room: Int, number: Int)]

    let recorder: Recorder
    private(set) var agents: [String: RunningProgram] = [:]
    private let broker: Broker
    private let deployment: Deployment
    private let scenario: String
    private var fusers: [String: RunningProgram] = [:]

    /// Makes it, with so many tags in a room by its index; the rooms lie in a grid, sixty in rows of nine.
    ///
    /// - Parameter radio: further lines of the simulated house.
    init(
        _ nodes: [String] = rooms, fusers names: [String] = ["main"], radio: String = "walls: {attenuation: 8}",
        tags: (Int) -> Int = { _ in 3 }
    ) async throws {
        self.nodes = nodes
        items = nodes.indices.flatMap { room in (0..<tags(room)).map { (room, $0) } }
        broker = try Broker()
        let folder = try TemporaryFolder()
        let uuid = "48534442-4c45-4144-80c0-1800fffffff0"
        let list = items.map { "- {id: tag-\($0)-\($1), ibeacon: {uuid: \(uuid), major: \($0), minor: \($1)}}" }
        let path = try folder.write(Array((list.joined(separator: "\n") + "\n").utf8), to: "items.yaml")
        deployment = try Deployment(broker, items: path)
        scenario = try deployment.folder.write(Array(Self.house(nodes, items, uuid, radio).utf8), to: "house.yaml")
        recorder = try Recorder(broker, qos: .atLeastOnce)
        for name in names { try startFuser(name) }
        for node in nodes { try startAgent(node) }
        #expect(try await hasSettled(), "\(problems)")
    }

    private static func house(
        _ nodes: [String], _ items: [(room: Int, number: Int)], _ uuid: String, _ radio: String
    ) -> String {
        let columns = Int(Double(nodes.count).squareRoot().rounded()) + 1
        func corner(_ room: Int) -> (x: Int, y: Int) { (room % columns * 5, room / columns * 5) }
        var text = "name: Six rooms\nseed: 35\n\(radio)\nrooms:\n"
        for (index, room) in nodes.enumerated() {
            let (x, y) = corner(index)
            text += "  - {id: \(room), from: [\(x), \(y)], to: [\(x + 5), \(y + 5)]}\n"
        }
        text += "nodes:\n"
        for (index, room) in nodes.enumerated() {
            let (x, y) = corner(index)
            let offset = room == "living" ? ", offset_db: 3" : ""
            text += "  - {id: \(room), room: \(room), x: \(x + 2), y: \(y + 2), z: 1\(offset)}\n"
        }
        text += "beacons:\n"
        for (room, number) in items {
            let (x, y) = corner(room)
            text += "  - {id: tag-\(room)-\(number), ibeacon: {uuid: \(uuid), major: \(room), minor: \(number)}, "
            text += "interval: 800ms, x: \(x + 2 + number % 2), y: \(y + 1 + number % 3)}\n"
        }
        return text
    }

    func startAgent(_ node: String) throws {
        agents[node] = try RunningProgram(
            "whereabouts-agent",
            ["--config", deployment.agent(node, source: "simulate:\(scenario)", ["state: \(node).sqlite"])])
    }

    func startFuser(_ name: String) throws {
        let file = try deployment.file(
            "\(name).yaml", ["name: \(name)", "items: items.yaml", "state: \(name)-fuser.sqlite"])
        fusers[name] = try RunningProgram("whereabouts-fuser", ["--config", file])
    }

    /// Ends a fuser, and waits until its status says so.
    func stopFuser(_ name: String) async throws {
        fusers.removeValue(forKey: name)?.process.terminate()
        #expect(try await recorder.wait(20) { $0.text(Self.topics.fuserStatus(name)) == "offline" })
    }

    /// Kills the broker, which loses all that it retains, and starts it again after some seconds.
    func restartBroker() async throws {
        broker.kill()
        _ = try await recorder.wait(4)
        try broker.start()
    }

    var problems: String { (agents.values.map(\.errors) + fusers.values.map(\.errors)).joined(separator: "\n") }

    /// Waits until every tag is in its room.
    func hasSettled() async throws -> Bool {
        try await recorder.wait(90) { seen in
            items.allSatisfy { seen.text("whereabouts/items/tag-\($0.room)-\($0.number)/room") == nodes[$0.room] }
        }
    }

    func settings(_ text: String, _ name: String) throws -> String {
        try deployment.folder.write(Array(text.utf8), to: name)
    }

    func apply(_ file: String, _ words: [String]) throws -> RunningProgram {
        try RunningProgram(
            "whereabouts", ["fleet", "apply", "--yes", "--broker", broker.url, "--file", file] + words)
    }

    func run(_ command: String, _ file: String) throws -> Execution.Outcome {
        try CommandLineTests.run("whereabouts", ["fleet", command, "--broker", broker.url, "--file", file])
    }

    func info(_ node: String, _ recorder: Recorder) -> NodeInfo? {
        recorder.poll()
        return recorder.latest[Self.topics.nodeInfo(node)].flatMap { try? NodeInfo(payload: $0.payload.span) }
    }

    /// The settings in a fuser's last claim.
    func settings(_ fuser: String) -> FuserSettings? {
        recorder.poll()
        return recorder.latest[Self.topics.fuserClaim(fuser)].flatMap { try? Claim(payload: $0.payload.span) }?
            .settings
    }

    /// The changes that a fuser was sent so far.
    func fuserCommands(_ fuser: String) -> [FuserChanges] {
        recorder.poll()
        return recorder.messages.filter {
            guard case .fuserCommand(fuser, _)? = Self.topics.kind(of: $0.topic) else { return false }
            return true
        }.compactMap { message in
            guard case .set(let changes)? = (try? FuserCommand(payload: message.payload.span))?.action else {
                return nil
            }
            return changes
        }
    }

    /// The changes that a node was sent so far.
    func commands(_ node: String) -> [NodeChanges] {
        recorder.poll()
        return recorder.messages.filter {
            guard case .nodeCommand(node, _)? = Self.topics.kind(of: $0.topic) else { return false }
            return true
        }.compactMap { message in
            guard case .set(let changes)? = (try? NodeCommand(payload: message.payload.span))?.action else {
                return nil
            }
            return changes
        }
    }
}
