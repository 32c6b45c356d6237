internal import Bytes
internal import Identity
internal import Integrations
internal import WireProtocol

/// The messages of a node in the formats of other systems: ESPresense's and `mqtt_room`'s.
struct IntegrationPublisher: Sendable {
    private let node: String
    private var room: String
    private let espresense: ESPresenseTopics?
    private let mqttRoom: String?
    private let version: String
    private let started: Timestamp
    /// The names of items that have one.
    private var names: [String: String] = [:]
    private var adverts: UInt64 = 0
    private var reported: UInt64 = 0
    /// The time of the last telemetry, by the intervals.
    private var published: Timestamp?

    init(_ settings: NodeSettings, started: Timestamp) {
        node = settings.node
        room = settings.room
        espresense = settings.espresense.map { ESPresenseTopics(root: $0) }
        mqttRoom = settings.mqttRoom
        version = settings.version
        self.started = started
    }

    /// True if no other system is served.
    private var isSilent: Bool { espresense == nil && mqttRoom == nil }

    /// Applies the names of another registry.
    mutating func use(_ registry: Registry) {
        guard !isSilent else { return }
        names = registry.items.reduce(into: [:]) { $0[$1.id] = $1.name }
    }

    /// Applies the room of other settings.
    mutating func use(_ settings: NodeSettings) { room = settings.room }

    /// The retained status of the node; nil if ESPresense isn't served.
    func status(isOnline: Bool) -> Message? {
        espresense.map {
            Message(topic: $0.status(node), text: isOnline ? "online" : "offline", qos: .atLeastOnce, retained: true)
        }
    }

    /// The retained topics of an earlier run for other systems, by its `info`, that this one doesn't publish.
    func leavings(of info: NodeInfo) -> [String] {
        guard let root = info.espresense, root != espresense?.root else { return [] }
        return [ESPresenseTopics(root: root).status(node)]
    }

    /// Publishes a window, without retaining any of it: a small distance of yesterday must not take precedence over
    /// those of today.
    ///
    /// - Parameter offset: decibels that the node has added to each level.
    mutating func publish(_ window: Window, offset: Int, _ outbox: inout [Message]) {
        guard !isSilent, let level = window.rssi?.mean else { return }
        let power = window.power.map { Double($0) } ?? ESPresenseDevice.usualLevelAtOneMetre
        let distance = ESPresenseDevice.distance(level: level, atOneMetre: power)
        if let espresense, let id = Self.id(of: window) {
            var device = ESPresenseDevice()
            device.id = id
            if case .address = BeaconID(window.id) { device.mac = window.id }
            device.name = window.item.flatMap { names[$0] }
            (device.levelAtOneMetre, device.level, device.adjustment) = (power, level, Double(-offset))
            device.levelVariance = window.rssi?.deviation.map { $0 * $0 }
            device.distance = distance
            device.distanceVariance = ESPresenseDevice.variance(
                of: distance, deviation: window.rssi?.deviation ?? Self.usualDeviation)
            let length = Double(window.to.microseconds(since: window.from)) / 1000
            device.interval = Int(length / max(1, window.expected ?? Double(window.count)))
            device.millivolts = window.telemetry?.batteryMillivolts
            device.temperature = window.telemetry?.temperatureCelsius
            device.battery = window.telemetry?.number("battery_percent")
            device.humidity = window.telemetry?.number("humidity_percent")
            device.origin = ESPresenseDevice.ownOrigin
            outbox.append(Message(topic: espresense.device(id, room: node), payload: Self.payload(device.write)))
            reported += 1
        }
        if let mqttRoom {
            let id = window.item ?? window.id
            let message = MQTTRoomMessage(id: id, name: window.item.flatMap { names[$0] }, distance: distance)
            outbox.append(
                Message(
                    topic: MQTTRoomMessage.topic(room, root: mqttRoom), payload: Self.payload(message.write)))
        }
    }

    /// Publishes the node's own telemetry, once in fifteen seconds of its intervals.
    mutating func publish(_ scan: Scan, _ outbox: inout [Message]) {
        adverts += UInt64(max(0, scan.reports))
        guard let espresense else { return }
        if let published, abs(scan.to.seconds(since: published)) < Double(ESPresenseTelemetry.spacing) { return }
        published = scan.to
        var telemetry = ESPresenseTelemetry()
        telemetry.uptime = Int(max(0, min(scan.to.seconds(since: started), 1e9)))
        (telemetry.firmware, telemetry.version) = (ESPresenseDevice.ownOrigin, version)
        (telemetry.adverts, telemetry.seen, telemetry.reported) = (adverts, adverts, reported)
        outbox.append(Message(topic: espresense.telemetry(node), payload: Self.payload(telemetry.write)))
    }

    /// The deviation in dB of a level from a single packet.
    private static let usualDeviation = 5.0

    /// ESPresense's name for the beacon of a window. A beacon with a key is named by its item, since its own id is
    /// private; one without item or id isn't published.
    private static func id(of window: Window) -> String? { BeaconID(window.id)?.espresense ?? window.item }

    private static func payload(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        write(&json)
        return json.bytes
    }
}

extension NodePipeline {
    /// The node's retained messages for other systems, as after a new connection, or at its end.
    func integrationStatus(isOnline: Bool) -> Message? { integrations.status(isOnline: isOnline) }

    /// The retained topics for other systems in an earlier run's `info` that no longer apply.
    func leavings(of info: Message) -> [String] {
        (try? NodeInfo(payload: info.payload.span)).map(integrations.leavings) ?? []
    }
}
