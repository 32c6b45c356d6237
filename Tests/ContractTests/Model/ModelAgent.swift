import Advertising
import BeaconFrames
import Bytes
import Identity
import WireProtocol
import Store
import Support

@testable import Agent
@testable import BrokerSession
import Configuration
import System

/// Three beacons that come and go.
final class ModelSource: PacketSource {
    let adapter = "model"
    private let clock: ModelClock
    private var given: Int64 = .min
    /// Which of them are there.
    var present: Set<Int> = []

    init(_ clock: ModelClock) { self.clock = clock }

    func beginRecording(atWall wall: Timestamp) throws(SourceFault) -> SourceTime? { .wall }

    var next: Upcoming { .due(.init(microseconds: .max)) }

    func deliverEvents(until: Timestamp?, limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void) throws(SourceFault) {
        guard let until, given == .min || clock.now - given >= 400_000_000 else { return }
        given = clock.now
        for beacon in present.sorted() {
            var encoder = AdvertisingReportEncoder(.legacy)
            encoder.append(
                AdvertisingReport(
                    eventType: .advInd, address: DeviceAddress(Self.address(beacon), .random), rssi: -60),
                EddystoneTLM(batteryMillivolts: 2950, temperature: 0, advertisements: 1, uptime: 1)
                    .advertisingData.span)
            body(until, encoder.takeEvent().span)
        }
    }

    static func address(_ beacon: Int) -> UInt64 { 0x0A0A_0000 + UInt64(beacon) }
}

/// An agent as it is shipped, but for its source, its line and its clock.
final class ModelAgent {
    static let beacons = 3
    static let regions = 40
    let service: AgentService
    let source: ModelSource

    init(_ path: String, _ world: ModelClock, off: @escaping () -> Double, events: Int, _ log: Log) throws {
        let clocks = { world.reading(off: off()) }
        var limits = StoreLimits()
        limits.events = events
        let now = clocks().wall
        let memory = try NodeMemory(path: path, node: "hall", at: now, limits: limits, log: log)
        var mqtt = MQTTSettings(url: try BrokerURL("mqtt://broker"))
        mqtt.keepAlive = .seconds(10)
        let topics = Topics()
        let session = try Session(
            mqtt, clientID: "agent", statusTopic: topics.nodeStatus("hall"), log: log)
        let regions = (0..<Self.regions).map { number in
            Region(
                id: "region-\(number)", members: .item(number < Self.beacons ? "item-\(number)" : "item-0"),
                exitAfter: number < Self.beacons ? .seconds(2) : .minutes(15))
        }
        let items = (0..<Self.beacons).map {
            Item(id: "item-\($0)", identities: [.address(ModelSource.address($0))])
        }
        let registry = NodeRegistry(
            topics: topics, entries: memory.entries(), items: items, regions: regions, log: log)
        let settings = NodeSettings(node: "hall", version: "0", adapter: "model")
        let pipeline = NodePipeline(
            settings: settings, registry: registry.registry, epoch: memory.epoch, started: now,
            remembering: memory.remembered(), after: memory.lastInterval(),
            reactions: NodeReactions(node: "hall"))
        source = ModelSource(world)
        service = try AgentService(
            pipeline: pipeline, configured: settings, overrides: memory.state.overrides(), registry: registry,
            memory: memory,
            discovery: NodeDiscovery(
                memory.state.discoveryDesk(.node, name: "hall", prefix: topics.prefix, at: now), node: "hall",
                area: "Hall", regions: [], hasRadio: false, topics: topics),
            source: source,
            session: session, loop: try RunLoop(), log: log,
            notifier: ServiceNotifier(environment: [:]), clocks: clocks)
    }

    func start() throws {
        try service.session.start(subscriptions: service.subscriptions)
        _ = try service.beginRecording()
    }

    func turn() throws {
        service.receiveNotices()
        _ = try service.processTurn()
    }

    /// An event for each region.
    func determineAll() throws {
        try service.pipeline.determine(nil, at: service.now)
        service.storeAndPublish()
    }
}
