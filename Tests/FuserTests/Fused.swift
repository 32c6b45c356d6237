import Alerts
import Bytes
import Fuser
import HouseTracking
import WireProtocol

/// A fuser's pipeline on a virtual wall clock, and nodes that speak to it.
struct Fused {
    var pipeline: FuserPipeline
    var outbox: [Message] = []
    let topics = Topics()

    init(
        _ fuser: String = "main", alerts: [AlertRule] = [], remembering record: HouseholdRecord = HouseholdRecord(),
        alertMemory: String? = nil, persons: [Person] = [], personMemory: [PersonMemory] = [],
        settings: Household.Settings? = nil, plan: HousePlan? = nil, batteryMemory: [String: String] = [:],
        counting: FuserPipeline.Counting = .nothing
    ) {
        pipeline = FuserPipeline(
            settings: settings ?? Household.Settings(fuser: fuser, epoch: "00000001"), alerts: alerts,
            remembering: record,
            alertMemory: alertMemory, persons: persons, personMemory: personMemory, plan: plan,
            batteryMemory: batteryMemory, counting: counting)
    }

    static func time(_ seconds: Double) -> Timestamp {
        Timestamp(microseconds: 1_000_000_000_000).advanced(bySeconds: seconds)
    }

    mutating func receive(_ message: Message, at seconds: Double) {
        pipeline.receive(message, at: Self.time(seconds), &outbox)
        pipeline.advance(to: Self.time(seconds), &outbox)
    }

    mutating func connect(at seconds: Double) { pipeline.connected(at: Self.time(seconds), &outbox) }

    mutating func advance(to seconds: Double) { pipeline.advance(to: Self.time(seconds), &outbox) }

    private func payload(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        write(&json)
        return json.bytes
    }

    mutating func info(
        _ node: String, room: String? = nil, area: String? = nil, clock: NodeClock? = nil, offset: Int = 0
    ) {
        var info = NodeInfo(
            version: "1", room: room ?? node, adapter: "replay", started: Self.time(0), epoch: "e", window: 1,
            publishesAll: false, registry: "")
        info.clock = clock
        (info.area, info.offset) = (area, offset)
        receive(Message(topic: topics.nodeInfo(node), payload: payload { info.write(to: &$0) }), at: 0)
    }

    /// The interval that ends at a second, with the items heard in it, told `late` seconds after its end.
    mutating func interval(
        _ node: String, _ end: Double, _ items: [String], late: Double = 0.1, clock: NodeClock? = nil,
        telemetry: Telemetry? = nil, gap: Int = 0, reports: Int = 0, level: Double = -60, returns: Int? = nil,
        id: String = "0123456789ab"
    ) {
        let (from, to) = (Self.time(end - 1), Self.time(end))
        for item in items {
            var window = Window(
                seq: UInt64(abs(end)), from: from, to: to, node: node, epoch: "e", id: id, item: item, count: 1)
            window.rssi = Window.Levels(
                mean: level, median: level, minimum: Int(level), maximum: Int(level), deviation: nil)
            (window.telemetry, window.addressReturns) = (telemetry, returns)
            receive(
                Message(topic: topics.window(beacon: item, node: node), payload: payload { window.write(to: &$0) }),
                at: end + late)
        }
        var scan = Scan(from: from, to: to, seq: UInt64(abs(end)), registry: "", epoch: "e")
        scan.windows = items.count
        scan.clock = clock
        (scan.gapMilliseconds, scan.reports) = (gap, reports)
        receive(Message(topic: topics.scan(node), payload: payload { scan.write(to: &$0) }), at: end + late)
    }

    /// Keeps what has happened, and publishes the states that follow from it; its events.
    mutating func settle(at seconds: Double) -> [FuserEffects.Event] {
        let effects = pipeline.takeEffects(at: Self.time(seconds))
        outbox += effects.states
        return effects.events
    }

    func texts(_ topic: String) -> [String] {
        outbox.filter { $0.topic == topic }.map { String(decoding: $0.payload, as: UTF8.self) }
    }
}
