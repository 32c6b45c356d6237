import Bytes
import MQTT
import WireProtocol
import Support
import System

/// Thirty nodes and two thousand things as their nodes publish them, drawn by a seed, in real time: each thing sends
/// every ten seconds, is received by three nodes, and now and then one goes to another room.
actor CrowdedHall {
    static let nodes = (0..<30).map { "hall-\($0)" }
    private static let cadence = 10

    nonisolated let items: [String]
    private let client: MQTTClient
    private let topics = Topics()
    private var random: SeededGenerator
    private var places: [Int]
    private var json = JSONWriter()
    private var seq: UInt64 = 0
    private var told: Timestamp

    init(url: String, items count: Int, seed: UInt64) throws {
        items = (0..<count).map { "thing-\($0)" }
        var random = SeededGenerator(seed: seed)
        places = (0..<count).map { _ in .random(in: Self.nodes.indices, using: &random) }
        self.random = random
        told = WallClock.now().floor(toMultipleOf: 1_000_000)
        var configuration = MQTTConfiguration(address: try BrokerAddress(url: url), clientID: "crowded-hall")
        configuration.outgoing = .init(messages: 1 << 16, bytes: 64 << 20)
        client = try MQTTClient(configuration)
        try client.start()
    }

    deinit { client.stop(timeout: 1) }

    /// Publishes until its task is cancelled.
    func run() async {
        introduce()
        while !Task.isCancelled {
            tell()
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    private func introduce() {
        for message in topics.introductions(of: Self.nodes, started: told) { client.publish(message) }
    }

    /// The registry, as a fuser's items file.
    nonisolated var registry: String {
        items.indices.map { index in
            let identity = "{uuid: 48534442-4c45-4144-80c0-1800fffffff0, major: \(index >> 8), minor: \(index & 255)}"
            return "- {id: \(items[index]), name: Thing \(index), ibeacon: \(identity), expected_interval: 10s}\n"
        }.joined()
    }

    /// Publishes all intervals that have ended, a move in each.
    private func tell() {
        let now = WallClock.now()
        while told.advanced(bySeconds: 1) <= now {
            told = told.advanced(bySeconds: 1)
            seq += 1
            places[.random(in: places.indices, using: &random)] = .random(in: Self.nodes.indices, using: &random)
            var windows = [Int](repeating: 0, count: Self.nodes.count)
            for index in items.indices where index % Self.cadence == Int(seq) % Self.cadence {
                for (step, level) in [(0, -56.0), (1, -78.0), (7, -82.0)] {
                    let node = (places[index] + step) % Self.nodes.count
                    windows[node] += 1
                    tell(items[index], Self.nodes[node], level + .random(in: -4...4, using: &random).rounded())
                }
            }
            for (node, name) in Self.nodes.enumerated() {
                var scan = Scan(
                    from: told.advanced(bySeconds: -1), to: told, seq: seq, registry: "", epoch: "0000000a")
                scan.windows = windows[node]
                publish(topics.scan(name), payload(scan.write))
            }
        }
    }

    private func tell(_ item: String, _ node: String, _ level: Double) {
        let (from, whole) = (told.advanced(bySeconds: -1), Int(level))
        var window = Window(
            seq: seq, from: from, to: told, node: node, epoch: "0000000a", id: "00000000000a", item: item, count: 1)
        window.expected = 0.1
        window.rssi = Window.Levels(mean: level, median: level, minimum: whole, maximum: whole, deviation: nil)
        publish(topics.window(beacon: item, node: node), payload(window.write))
    }

    private func publish(_ topic: String, _ payload: [UInt8]) {
        client.publish(Message(topic: topic, payload: payload))
    }

    private func payload(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        json.removeAll()
        write(&json)
        return json.bytes
    }
}
