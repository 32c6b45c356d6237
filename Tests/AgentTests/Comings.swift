import Identity
import Presence
import WireProtocol

@testable import Agent
import Alerts
import Bytes
import Configuration
import System

/// A node with phone and keys about it, each of which sends once a second while it is there, unless said otherwise; and
/// what it would keep in its store, so that it can be started again.
struct Comings {
    /// The stay of one of them, in seconds: from a packet on, up to its last one.
    typealias Stay = (item: String, from: Int, to: Int)

    /// Seconds between two packets, where that isn't one.
    var periods: [String: Int] = [:]

    private static let minors: [String: UInt16] = ["keys": 1, "phone": 2]
    private let rules: [AlertRule]
    private let reactions: [Reactions]
    private let regions: [Region]
    private var pipeline: NodePipeline
    private var rows: [String: PresenceRecord.Region] = [:]
    private var beacons: [BeaconID: PresenceRecord.Beacon] = [:]
    private var last: PresenceRecord?
    private(set) var memory: String?
    private(set) var events: [NodeEvent] = []
    private(set) var actions: [NodeAction] = []
    /// True to make all offers fail; with the number of failures.
    var failsOffers = false
    private(set) var failures = 0
    private var time = Node.time(0)
    var problems: [String] { pipeline.offerProblems }
    private(set) var reports: [String: RegionReport] = [:]
    private(set) var toldRegions: Set<String> = []

    init(_ rules: [AlertRule] = [], reactions: [Reactions] = [], regions: [Region] = []) {
        (self.rules, self.reactions, self.regions) = (rules, reactions, regions)
        pipeline = Self.pipeline(rules, reactions, regions, nil, nil)
    }

    private static func pipeline(
        _ rules: [AlertRule], _ reactions: [Reactions], _ regions: [Region], _ record: PresenceRecord?,
        _ memory: String?
    ) -> NodePipeline {
        let all = NodeReactions(node: "hall", rules: rules, reactions: reactions, remembering: memory)
        return NodePipeline(
            settings: NodeSettings(node: "hall", version: "0.1.0", adapter: "replay"),
            registry: registry(all.watched(beside: regions)), epoch: "5f1c09aa",
            started: Node.time(0), remembering: record, reactions: all)
    }

    private static func registry(_ regions: [Region], without removed: String? = nil) -> Registry {
        let items = minors.filter { $0.key != removed }.map { id, minor in
            Item(id: id, identities: [.iBeacon(uuid: Node.uuid, major: 100, minor: minor)])
        }
        return Registry(items: items, regions: regions)
    }

    /// Takes an item out of the registry, from the next interval on.
    mutating func remove(_ item: String) {
        let all = NodeReactions(node: "hall", rules: rules, reactions: reactions)
        pipeline.use(Self.registry(all.watched(beside: regions), without: item))
    }

    /// Lets the stays go on from one second to another; what happened is taken each second, or only at the end.
    mutating func play(_ stays: [Stay], from start: Int = 0, until end: Int, atOnce: Bool = false) {
        var outbox: [Message] = []
        for second in start...end {
            for stay in stays
            where (stay.from...stay.to).contains(second) && second % (periods[stay.item] ?? 1) == 0 {
                let minor = Self.minors[stay.item] ?? 0
                pipeline.receive(
                    Node.event(UInt64(minor), Node.iBeacon(minor)).span, at: Node.time(Double(second)), &outbox)
            }
            guard !atOnce else { continue }
            time = Node.time(Double(second) + 0.5)
            pipeline.advance(to: time, &outbox)
            settle()
        }
        settle()
    }

    /// Ends as a power cut does, and starts again with what was kept; under other rules where they are given.
    mutating func restart(_ rules: [AlertRule]? = nil) {
        var record = last
        record?.regions = rows.sorted { $0.key < $1.key }.map(\.value)
        record?.beacons = beacons.values.sorted { $0.id.text < $1.id.text }
        pipeline = Self.pipeline(rules ?? self.rules, reactions, regions, record, memory)
    }

    mutating func silence(_ subject: Crossing.Subject, for seconds: Int, at second: Int) throws(CommandFault) {
        try pipeline.silence(subject, for: .seconds(seconds), at: Node.time(Double(second)))
        settle()
    }

    private mutating func settle() {
        guard let effects = pipeline.takeEffects() else { return }
        events += effects.events
        for action in effects.actions {
            guard case .offer(let attempt) = action, failsOffers else {
                actions.append(action)
                continue
            }
            failures += 1
            pipeline.delay(attempt, because: "guests.passphrase can't be read", at: time)
        }
        memory = effects.memory ?? memory
        for (region, report) in effects.regions {
            reports[region] = report
            toldRegions.insert(region)
        }
        toldRegions.formUnion(
            pipeline.regionMessages().compactMap { $0.topic.split(separator: "/").last.map(String.init) })
        for row in effects.record.regions { rows[row.id] = row }
        for row in effects.record.beacons { beacons[row.id] = row }
        last = effects.record
    }

    /// Alerts as `170 alert left_behind-keys 1` and `400 cleared left_behind-keys returned`.
    var alerts: [String] {
        events.filter { $0.kind == .alert || $0.kind == .cleared }.map { event in
            let detail = event.count.map(String.init) ?? event.reason ?? "-"
            return "\(event.at.microseconds / 1_000_000) \(event.kind.rawValue) \(event.alert ?? "-") \(detail)"
        }
    }

    /// The actions, as `run greet keys`, `publish on` and `offer`.
    var deeds: [String] {
        actions.map { action in
            switch action {
            case .publish(let message): "publish \(message.topic) \(String(decoding: message.payload, as: UTF8.self))"
            case .run(let command, _): "run \(([command.program] + command.arguments).joined(separator: " "))"
            case .offer(let attempt): "offer \(attempt.subject.id)"
            }
        }
    }
}
