internal import BeaconFrames
internal import Bytes
internal import Identity
internal import WireProtocol

/// A message of Theengs Gateway or OpenMQTTGateway about a device on `<root>/<gateway>/BTtoMQTT/<address>`: decoded, or
/// with its manufacturer or service data in hexadecimal (docs of both, "BLE").
struct TheengsMessage {
    private var id: String?
    private var mac: String?
    private var level: Double?
    private var power: Double?
    private var uuid: String?
    private var major: Double?
    private var minor: Double?
    private var distance: Double?
    private var volts: Double?
    private var battery: Double?
    private var celsius: Double?
    private var humidity: Double?
    private var manufacturerData: String?
    private var serviceData: String?
    private var serviceUUID: String?

    /// The meaning of a message on a topic with these levels below the root.
    static func word(_ levels: [Substring], _ payload: Span<UInt8>) throws(IntegrationFault) -> ExternalMessage {
        guard levels.count >= 2, Plausible.isName(String(levels[0])) else { throw .otherTopic }
        let gateway = String(levels[0])
        switch (levels[1], levels.count) {
        case ("BTtoMQTT", 3): return .reading(try TheengsMessage(payload).reading(of: gateway))
        case ("LWT", 2): return .status(node: gateway, isOnline: try isOnline(payload))
        case ("presence", 2): return try readPresence(payload, gateway)
        default: throw .otherTopic
        }
    }

    private init(_ payload: Span<UInt8>) throws(IntegrationFault) {
        var message = TheengsMessage()
        try readNeighbour(payload, limit: Plausible.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "id": message.id = try json.stringOrNull()
                case "mac": message.mac = try json.stringOrNull()
                case "rssi": message.level = try json.numberOrNull()
                case "txpower": message.power = try json.numberOrNull()
                case "uuid": message.uuid = try json.stringOrNull()
                case "major": message.major = try json.numberOrNull()
                case "minor": message.minor = try json.numberOrNull()
                case "distance": message.distance = try json.numberOrNull()
                case "volt": message.volts = try json.numberOrNull()
                case "batt": message.battery = try json.numberOrNull()
                case "tempc": message.celsius = try json.numberOrNull()
                case "hum": message.humidity = try json.numberOrNull()
                case "manufacturerdata": message.manufacturerData = try json.stringOrNull()
                case "servicedata": message.serviceData = try json.stringOrNull()
                case "servicedatauuid": message.serviceUUID = try json.stringOrNull()
                default: try json.skip()
                }
            }
        }
        self = message
    }

    private init() {}

    private func reading(of gateway: String) throws(IntegrationFault) -> ExternalReading {
        guard let id else { throw .missing("id") }
        // With `presenceUseBeaconUuid` the id is an iBeacon's UUID, and the address is in `mac`.
        guard let address = ExternalName.address(id) ?? mac.flatMap({ ExternalName.address($0) }) else {
            throw .outOfRange("id")
        }
        guard let level = try Plausible.value(level, "rssi", in: Plausible.levels) else { throw .missing("rssi") }
        var reading = ExternalReading(system: .theengs, node: gateway, names: [])
        reading.level = level
        reading.distance = try Plausible.value(distance, "distance", in: Plausible.distances)
        reading.telemetry.batteryMillivolts = try Plausible.value(volts, "volt", in: 0...65).map { Int($0 * 1000) }
        reading.telemetry.temperatureCelsius = try Plausible.value(celsius, "tempc", in: -100...200)
        reading.telemetry.set("battery_percent", try Plausible.value(battery, "batt", in: 0...100))
        reading.telemetry.set("humidity_percent", try Plausible.value(humidity, "hum", in: 0...100))
        if let beacon = try decoded() {
            reading.names.append(.beacon(beacon))
            reading.power = try Plausible.value(power, "txpower", in: Plausible.powers).map { Int($0) }
        }
        decodeAdvertisement(into: &reading)
        reading.names.append(.beacon(address))
        return reading
    }

    /// The iBeacon that the gateway decoded.
    private func decoded() throws(IntegrationFault) -> BeaconID? {
        guard let uuid, let major, let minor else { return nil }
        guard let uuid = BeaconUUID(uuid) else { throw .outOfRange("uuid") }
        guard let major = UInt16(exactly: major) else { throw .outOfRange("major") }
        guard let minor = UInt16(exactly: minor) else { throw .outOfRange("minor") }
        return .iBeacon(uuid: uuid, major: major, minor: minor)
    }

    /// Decodes the frame that the gateway left undecoded. A value that isn't hexadecimal is left out and reported: the
    /// rest remains valid.
    private func decodeAdvertisement(into reading: inout ExternalReading) {
        for (text, key) in [(manufacturerData, "manufacturerdata"), (serviceData, "servicedata")] {
            guard let text else { continue }
            guard text.utf8.count <= 512, let bytes = Hex.bytes(text) else {
                reading.oddity = "'\(key)' is not hexadecimal"
                continue
            }
            let isService = key == "servicedata"
            let frame =
                isService
                ? isEddystone ? BeaconFrame(eddystoneServiceData: bytes.span) : nil
                : BeaconFrame(manufacturerData: bytes.span)
            guard let frame else { continue }
            reading.addFrame(frame)
        }
    }

    private var isEddystone: Bool {
        guard var uuid = serviceUUID?.lowercased() else { return false }
        if uuid.hasPrefix("0x") { uuid.removeFirst(2) }
        return uuid == "feaa" || uuid == "0000feaa-0000-1000-8000-00805f9b34fb"
    }

    /// A presence message. `absent` is a gateway's silence, which is no evidence here; `present` has no level, and a
    /// message with one follows it.
    private static func readPresence(_ payload: Span<UInt8>, _ gateway: String) throws(IntegrationFault)
        -> ExternalMessage
    {
        var id: String?
        var presence: String?
        try readNeighbour(payload, limit: Plausible.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "id": id = try json.stringOrNull()
                case "presence": presence = try json.stringOrNull()
                default: try json.skip()
                }
            }
        }
        guard let id else { throw .missing("id") }
        guard ExternalName.address(id) != nil else { throw .outOfRange("id") }
        guard let presence else { throw .missing("presence") }
        guard presence == "present" || presence == "absent" else { throw .outOfRange("presence") }
        return .nothing
    }
}

extension ExternalReading {
    /// Adds a frame's telemetry of its beacon.
    mutating func addFrame(_ frame: BeaconFrame) {
        if case .eddystoneTLM(let readings) = frame {
            telemetry.batteryMillivolts = readings.batteryMillivolts.map { Int($0) } ?? telemetry.batteryMillivolts
            telemetry.temperatureCelsius = readings.celsius ?? telemetry.temperatureCelsius
        }
        guard let beacon = BeaconID(frame), !names.contains(.beacon(beacon)) else { return }
        names.append(.beacon(beacon))
        power = power ?? frame.powerAtOneMetre
    }
}
