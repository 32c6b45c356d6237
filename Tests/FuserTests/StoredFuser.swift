import Alerts
import BrokerSession
import Bytes
import Configuration
import Foundation
import HouseTracking
import Support
import System
import Testing
import WireProtocol

@testable import Fuser

/// A fuser as it is shipped, with its state in a file: without a connection, on a clock that the test moves.
final class StoredFuser {
    /// The time of day and the time since the start, which pass together.
    private final class Clock {
        let start = WallClock.now()
        var seconds = 0.0

        var reading: ClockReading {
            let passed = MonotonicTime(nanoseconds: 1_000_000_000 + Int64(seconds * 1e9))
            return ClockReading(wall: start.advanced(bySeconds: seconds), sinceStart: passed, awake: passed)
        }
    }

    let service: FuserService
    let topics = Topics()
    private let folder: TemporaryFolder
    private let clock: Clock
    private var seq: UInt64 = 0

    init(
        _ folder: TemporaryFolder, alerts: [AlertRule] = [], counting: FuserPipeline.Counting = .nothing,
        persons: [Person] = []
    ) throws {
        self.folder = folder
        let clock = Clock()
        self.clock = clock
        let log = Log(level: .error, style: .plain, descriptor: 2)
        let memory = try FuserMemory(
            path: folder.file("fuser.sqlite"), history: .days(30), at: clock.start, log: log)
        let pipeline = FuserPipeline(
            settings: Household.Settings(fuser: "main", epoch: memory.epoch), alerts: alerts,
            remembering: memory.remembered(), lessons: memory.lessons(), undoneLessons: memory.undoneLessons(),
            alertMemory: memory.alerts(), persons: persons, personMemory: memory.persons(),
            batteryMemory: memory.batteries(), counting: counting)
        let file = try FuserConfiguration.load(
            text: "name: main\nmqtt: {url: \"mqtt://broker\"}\n", file: "fuser.yaml")
        service = FuserService(
            pipeline: pipeline, failover: FailoverCoordinator(name: "main", shards: 0...255), memory: memory,
            configuration: ConfigurationInForce(ConfigurationReload(file) { file }, memory.state.overrides()),
            discovery: HouseDiscovery(
                memory.state.discoveryDesk(.fuser, name: "main", prefix: Topics().prefix, at: clock.start),
                HouseDescription(fuser: "main", topics: Topics())),
            session: try Session(
                MQTTSettings(url: try BrokerURL("mqtt://broker")), clientID: "fuser", statusTopic: nil, log: log),
            loop: try RunLoop(), log: log, notifier: ServiceNotifier(environment: [:]),
            clocks: { clock.reading })
    }

    var memory: FuserMemory { service.memory }
    /// The time of the house.
    var now: Timestamp { clock.reading.wall }

    /// The content of the state's files.
    var text: String {
        ["", "-wal", "-shm"].map { end in
            let bytes = FileManager.default.contents(atPath: folder.file("fuser.sqlite" + end)) ?? Data()
            return String(decoding: bytes, as: UTF8.self)
        }.joined()
    }

    /// Lets time pass with a turn at its end.
    func pass(_ seconds: Double = 1) {
        clock.seconds += seconds
        turn()
    }

    /// Receives a message now, with a turn behind it.
    func receive(_ message: Message) {
        service.receive(message, at: now)
        turn()
    }

    /// Lets seconds pass in which the nodes of the hall and the kitchen listen, and the kitchen's receives items that send a
    /// voltage.
    func listen(_ seconds: Int, receiving items: [String]) {
        for node in ["hall", "kitchen"] where seq == 0 {
            let info = NodeInfo(
                version: "1", room: node, adapter: "hci0", started: now, epoch: "e", window: 1, publishesAll: false,
                registry: "")
            receive(message(topics.nodeInfo(node)) { info.write(to: &$0) })
        }
        for _ in 0..<seconds {
            seq += 1
            clock.seconds += 1
            let (from, to) = (now.advanced(bySeconds: -1), now)
            for node in ["hall", "kitchen"] {
                for item in items where node == "kitchen" {
                    var window = Window(
                        seq: seq, from: from, to: to, node: node, epoch: "e", id: "0123456789ab", item: item, count: 1)
                    window.rssi = Window.Levels(mean: -60, median: -60, minimum: -60, maximum: -60, deviation: nil)
                    window.telemetry = Telemetry(batteryMillivolts: 2900)
                    service.receive(
                        message(topics.window(beacon: item, node: node)) { window.write(to: &$0) }, at: now)
                }
                let scan = Scan(from: from, to: to, seq: seq, registry: "", epoch: "e")
                service.receive(message(topics.scan(node)) { scan.write(to: &$0) }, at: now)
            }
            turn()
        }
    }

    /// The answer to a command.
    func answer(to action: FuserCommand.Action) throws -> FuserResult {
        clock.seconds += 1
        let command = FuserCommand(id: "c", action: action)
        service.performCommand(
            Message(topic: topics.fuserCommand("main"), payload: command.payload, qos: .atLeastOnce))
        let topic = topics.fuserCommandResult("main")
        let message = try #require(service.outbox.last { $0.topic == topic })
        return try FuserResult(payload: message.payload.span)
    }

    /// The last retained payloads that are not empty, by their topics without the prefix.
    var retained: [String: [UInt8]] {
        var last: [String: [UInt8]] = [:]
        for message in service.outbox where message.retained {
            last[String(message.topic.dropFirst(topics.prefix.count + 1))] = message.payload
        }
        return last.filter { !$0.value.isEmpty }
    }

    private func turn() {
        service.pipeline.advance(to: now, &service.outbox)
        service.storeAndPublish(isAsked: true)
    }

    private func message(_ topic: String, _ write: (inout JSONWriter) -> Void) -> Message {
        var json = JSONWriter()
        write(&json)
        return Message(topic: topic, payload: json.bytes)
    }
}
