public import Bytes
internal import WireProtocol

/// An ESPresense node's message about a device on `<root>/devices/<id>/<room>` (src/BleFingerprint.cpp, `fill`).
///
/// Companion reads `distance`, `var`, `rssi`, `rxAdj`, `rssiVar`, `rssi@1m` and `name` of it
/// (src/Models/DeviceMessage.cs).
public struct ESPresenseDevice: Hashable, Sendable {
    /// Its address in 12 digits (`mac`).
    public var mac: String?
    /// Its id (`id`).
    public var id: String?
    /// Its name for people (`name`).
    public var name: String?
    /// Its level at one metre in dBm (`rssi@1m`).
    public var levelAtOneMetre: Double?
    /// Its level in dBm, less the adjustment for the node's receiver (`rssi`).
    public var level: Double?
    /// The adjustment in dB that the node subtracts from each level (`rxAdj`).
    public var adjustment: Double?
    /// The variance of its level, in dB² (`rssiVar`).
    public var levelVariance: Double?
    /// Metres (`distance`).
    public var distance: Double?
    /// The variance of the distance, in m² (`var`).
    public var distanceVariance: Double?
    /// Milliseconds between its packets (`int`).
    public var interval: Int?
    /// The battery's millivolts (`mV`).
    public var millivolts: Int?
    /// The battery in percent (`batt`).
    public var battery: Double?
    /// Degrees Celsius (`temp`).
    public var temperature: Double?
    /// Relative humidity in percent (`rh`).
    public var humidity: Double?
    /// The publisher, if it is no ESPresense node (`origin`): a key of ours, so that our own messages are recognized.
    public var origin: String?

    /// The origin in our own messages.
    public static let ownOrigin = "whereabouts"
    /// Decibels of path loss for each tenfold distance, divided by ten: ESPresense's default (`absorption`).
    static let absorption = 2.7
    /// The default level at one metre in dBm, as ESPresense's (`rxRefRssi` and `DEFAULT_TX`).
    public static let usualLevelAtOneMetre = -71.0

    /// A message without values.
    public init() {}

    /// The distance in metres that ESPresense derives from a level.
    public static func distance(level: Double, atOneMetre power: Double) -> Double {
        Mathematics.pow(10, (power - level) / (10 * absorption))
    }

    /// The level in dBm at a distance in metres by the same rule, within the range of a controller.
    static func level(distance: Double, atOneMetre power: Double) -> Double {
        let level = power - 10 * absorption * Mathematics.log10(distance)
        return min(max(level, Plausible.levels.lowerBound), Plausible.levels.upperBound)
    }

    /// The variance of such a distance for a level with a deviation, to the first order; both in ESPresense's units.
    public static func variance(of distance: Double, deviation: Double) -> Double {
        let slope = distance * Mathematics.log(10) / (10 * absorption)
        return slope * slope * deviation * deviation
    }

    /// Writes the payload. A temperature, battery or humidity of exactly 0 is left out, as by ESPresense.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("mac", mac)
        json.field("id", id)
        json.field("name", name)
        json.field("rssi@1m", levelAtOneMetre, decimals: 0)
        json.field("rssi", level, decimals: 2)
        json.field("rxAdj", adjustment, decimals: 0)
        json.field("rssiVar", levelVariance, decimals: 2)
        json.field("distance", distance, decimals: 2)
        json.field("var", distanceVariance, decimals: 2)
        json.field("int", interval)
        json.field("mV", millivolts == 0 ? nil : millivolts)
        json.field("batt", battery == 0 ? nil : battery, decimals: 0)
        json.field("temp", temperature == 0 ? nil : temperature, decimals: 2)
        json.field("rh", humidity == 0 ? nil : humidity, decimals: 2)
        json.field("origin", origin)
        json.endObject()
    }

    /// Reads such a payload. Keys that aren't used here, a discovered key of a private device among them, are ignored.
    public init(payload: Span<UInt8>) throws(IntegrationFault) {
        self.init()
        var interval: Double?
        var millivolts: Double?
        var device = ESPresenseDevice()
        try readNeighbour(payload, limit: Plausible.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "mac": device.mac = try json.stringOrNull()
                case "id": device.id = try json.stringOrNull()
                case "name": device.name = try json.stringOrNull()
                case "rssi@1m": device.levelAtOneMetre = try json.numberOrNull()
                case "rssi": device.level = try json.numberOrNull()
                case "rxAdj": device.adjustment = try json.numberOrNull()
                case "rssiVar": device.levelVariance = try json.numberOrNull()
                case "distance": device.distance = try json.numberOrNull()
                case "var": device.distanceVariance = try json.numberOrNull()
                case "int": interval = try json.numberOrNull()
                case "mV": millivolts = try json.numberOrNull()
                case "batt": device.battery = try json.numberOrNull()
                case "temp": device.temperature = try json.numberOrNull()
                case "rh": device.humidity = try json.numberOrNull()
                case "origin": device.origin = try json.stringOrNull()
                default: try json.skip()
                }
            }
        }
        try device.checkRanges(interval, millivolts)
        self = device
    }

    private mutating func checkRanges(_ interval: Double?, _ millivolts: Double?) throws(IntegrationFault) {
        if let mac, ExternalName.address(mac) == nil { throw .outOfRange("mac") }
        _ = try Plausible.name(id, "id")
        _ = try Plausible.name(name, "name")
        _ = try Plausible.value(levelAtOneMetre, "rssi@1m", in: Plausible.powers)
        _ = try Plausible.value(level, "rssi", in: Plausible.levels)
        _ = try Plausible.value(adjustment, "rxAdj", in: -200...200)
        _ = try Plausible.value(levelVariance, "rssiVar", in: 0...1e6)
        _ = try Plausible.value(distance, "distance", in: Plausible.distances)
        _ = try Plausible.value(distanceVariance, "var", in: 0...1e10)
        self.interval = try Plausible.value(interval, "int", in: 0...1e10).map { Int($0) }
        self.millivolts = try Plausible.value(millivolts, "mV", in: 0...65_535).map { Int($0) }
        _ = try Plausible.value(battery, "batt", in: 0...100)
        _ = try Plausible.value(temperature, "temp", in: -100...200)
        _ = try Plausible.value(humidity, "rh", in: 0...100)
    }

    /// The reading of a node in it; nil for a message of our own.
    ///
    /// Throws if there is neither a level nor a distance, or no name.
    func reading(id topicID: String, room: String) throws(IntegrationFault) -> ExternalReading? {
        guard origin != Self.ownOrigin else { return nil }
        guard id ?? topicID == topicID, let first = ExternalName(espresense: topicID) else { throw .outOfRange("id") }
        guard level != nil || distance != nil else { throw .missing("rssi") }
        var reading = ExternalReading(system: .espresense, node: room, names: [first])
        if let mac, let address = ExternalName.address(mac), first != .beacon(address) {
            reading.names.append(.beacon(address))
        }
        reading.level = level
        reading.power = levelAtOneMetre.map { Int($0.rounded()) }
        reading.distance = distance
        reading.variance = distanceVariance
        reading.telemetry = Telemetry(batteryMillivolts: millivolts, temperatureCelsius: temperature)
        reading.telemetry.set("battery_percent", battery)
        reading.telemetry.set("humidity_percent", humidity)
        return reading
    }
}
