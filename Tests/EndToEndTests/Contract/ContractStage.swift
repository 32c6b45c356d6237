import Advertising
import BeaconFrames
import Bytes
import Foundation
import WireProtocol
import Store
import Support

/// A node with beacons that come and go in its hall, a fuser, and a subscriber in Python, each on a line of its own to
/// a mosquitto.
final class ContractStage {
    static let beacons = 6
    static let subscriber = Repository.root + "/Tests/Subscriber/subscriber.py"
    /// Debian's own, which includes its paho-mqtt.
    static let python = "/usr/bin/python3"

    let broker: Broker
    let isOld: Bool
    let folder: TemporaryFolder
    let lines: [String: Relay]
    private(set) var programs: [String: RunningProgram] = [:]
    /// Receives all that the broker sends while it runs.
    let recorder: Recorder
    static let names = ["agent", "fuser", "subscriber"]

    init(persistence: Bool, isOld: Bool, seed: UInt64) throws {
        broker = try Broker(["max_queued_messages 0"], persistence: persistence)
        self.isOld = isOld
        folder = try TemporaryFolder()
        var lines: [String: Relay] = [:]
        for name in Self.names { lines[name] = try Relay(to: broker.port, refusingVersion5: isOld) }
        self.lines = lines
        recorder = try Recorder(broker, qos: .atLeastOnce)
        try configure(seed)
    }

    private func configure(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed &+ 1000)
        func write(_ lines: [String], _ name: String) throws {
            _ = try folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: name)
        }
        let line = { (name: String) in
            "mqtt: {url: \"mqtt://127.0.0.1:\(self.lines[name]?.port ?? 0)\", keepalive: 5s}"
        }
        try write(
            (0..<Self.beacons).map { "- {id: item-\($0), address: \"c0:00:00:00:00:0\($0)\"}" }, "items.yaml")
        try write(
            [
                "node: hall", "source: \"replay:\(folder.file("hall.btsnoop"))\"", "items: items.yaml",
                "state: agent.sqlite", line("agent"), "regions:",
            ] + (0..<Self.beacons).map { "  - {id: r-\($0), item: item-\($0), exit_after: 1s}" }, "agent.yaml")
        try write(["name: main", "state: fuser.sqlite", "away_after: 5s", line("fuser")], "fuser.yaml")
        // Five minutes, in which each beacon is there for some seconds and then is not; the last one for so long that
        // its item leaves and arrives.
        let begin = Int64(Date().timeIntervalSince1970) - 3600
        var bytes = PacketPipe.header
        var until = [Int](repeating: 0, count: Self.beacons)
        var isThere = [Bool](repeating: false, count: Self.beacons)
        for tick in 0..<1500 {
            for beacon in 0..<Self.beacons {
                if tick >= until[beacon] {
                    isThere[beacon].toggle()
                    until[beacon] =
                        tick + Int.random(in: beacon == Self.beacons - 1 ? 50...80 : 8...20, using: &generator)
                }
                guard isThere[beacon] else { continue }
                var encoder = AdvertisingReportEncoder(.legacy)
                encoder.append(
                    AdvertisingReport(
                        eventType: .advInd, address: DeviceAddress(0xC000_0000_0000 + UInt64(beacon), .random),
                        rssi: -60),
                    EddystoneTLM(batteryMillivolts: 2950, temperature: 0, advertisements: 1, uptime: 1)
                        .advertisingData.span)
                let time = Timestamp(microseconds: begin * 1_000_000 + Int64(tick * 200_000 + beacon))
                bytes += PacketPipe.record(encoder.takeEvent(), at: time)
            }
        }
        _ = try folder.write(bytes, to: "hall.btsnoop")
    }

    // MARK: Programs

    func start(_ name: String) throws {
        guard programs[name] == nil else { return }
        switch name {
        case "agent":
            programs[name] = try RunningProgram(
                "whereabouts-agent", ["--config", folder.file("agent.yaml"), "--speed", "1"])
        case "fuser":
            programs[name] = try RunningProgram("whereabouts-fuser", ["--config", folder.file("fuser.yaml")])
        default:
            programs[name] = try RunningProgram(
                Self.python,
                [
                    Self.subscriber, "run", "127.0.0.1", "\(lines[name]?.port ?? 0)",
                    folder.file("subscriber.sqlite"),
                ] + (isOld ? ["--v311"] : []))
        }
    }

    func kill(_ name: String) {
        programs[name]?.process.send(SIGKILL)
        _ = programs[name]?.process.wait()
        programs[name] = nil
    }

    func forget(_ name: String) {
        for end in ["", "-wal", "-shm", ".lock"] {
            try? FileManager.default.removeItem(atPath: folder.file("\(name).sqlite\(end)"))
        }
    }

    /// Ends all faults.
    func heal() throws {
        for line in lines.values { (line.cut, line.delay) = (false, 0) }
        if broker.processID == nil { try broker.start() }
        for name in Self.names { try start(name) }
    }

    // MARK: State

    /// The position of the node: by its own `scan`s, epoch and last event.
    var node: (epoch: String, last: UInt64)? {
        let scan = recorder.messages.last { $0.topic == "whereabouts/nodes/hall/scan" }
        return scan.flatMap { try? Scan(payload: $0.payload.span) }.map { ($0.epoch, $0.lastEvent) }
    }

    /// The rows of the fuser's journal, as its command prints them.
    func fuserRows() throws -> [Row] {
        let outcome = try Execution.run(
            Execution.path(of: "whereabouts"), ["history", "--node", "hall", "--json", "--broker", broker.url])
        guard outcome.status == 0 else { throw BrokerWords(words: outcome.error) }
        return try outcome.lines.map { try Row(String($0)) }
    }

    /// The rows of the subscriber's.
    func subscriberRows(_ publisher: String = "nodes/hall") throws -> [Row] {
        let outcome = try Execution.run(
            Self.python, [Self.subscriber, "dump", folder.file("subscriber.sqlite"), publisher])
        guard outcome.status == 0 else { throw BrokerWords(words: outcome.error) }
        return try outcome.lines.map { try Row(String($0)) }
    }

    /// The contents of a store, read from a copy of its files: the events of each epoch, and the first and the last
    /// number.
    func kept(_ name: String) throws -> (extents: [LedgerExtent], events: [String: [UInt64: String]]) {
        let copy = try TemporaryFolder()
        for end in ["", "-wal"] {
            try? FileManager.default.copyItem(
                atPath: folder.file("\(name).sqlite\(end)"), toPath: copy.file("\(name).sqlite\(end)"))
        }
        let store = try StateStore(
            path: copy.file("\(name).sqlite"), holding: name == "fuser" ? .house : .node,
            at: Timestamp(microseconds: 0))
        var events: [String: [UInt64: String]] = [:]
        for extent in try store.extents() {
            for stored in try store.events(epoch: extent.epoch, from: 0, limit: 10_000) {
                let payload = stored.event.payload
                let body = name == "fuser" ? payload.firstIndex(of: 0x0A).map { Array(payload[($0 + 1)...]) } : payload
                guard let body, let row = try? Row(String(decoding: body, as: UTF8.self)) else { continue }
                events[stored.epoch, default: [:]][stored.seq] = row.what
            }
        }
        return (try store.extents(), events)
    }
}

struct BrokerWords: Error, CustomStringConvertible {
    var words: String
    var description: String { words }
}

/// A row of a journal, as it was printed.
struct Row {
    var epoch: String
    var seq: UInt64
    /// The last lost number; nil for an event, and if it is unknown.
    var last: UInt64?
    /// The reason; nil for an event.
    var reason: String?
    /// Its contents, independent of its writer.
    var what: String

    init(_ line: String) throws {
        guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
            throw BrokerWords(words: line)
        }
        let number = { (key: String) in (object[key] as? NSNumber)?.uint64Value }
        epoch = object["epoch"] as? String ?? ""
        let isLost = object["kind"] as? String == "lost"
        seq = number(isLost ? "first_seq" : "seq") ?? 0
        last = isLost ? number("last_seq") : nil
        reason = isLost ? object["reason"] as? String : nil
        what = ["at", "not_before", "kind", "region", "beacon", "item", "room", "previous"].map { key in
            object[key].map { "\($0)" } ?? "-"
        }.joined(separator: " ")
    }
}
