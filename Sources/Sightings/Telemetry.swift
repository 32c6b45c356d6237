public import Bytes

/// Readings that a beacon sends about itself. What it doesn't send is nil.
public struct Telemetry: Hashable, Sendable {
    /// The battery's voltage in millivolts.
    public var batteryMillivolts: Int?
    /// The temperature in degrees Celsius.
    public var temperatureCelsius: Double?

    /// Readings; none unless given.
    public init(batteryMillivolts: Int? = nil, temperatureCelsius: Double? = nil) {
        self.batteryMillivolts = batteryMillivolts
        self.temperatureCelsius = temperatureCelsius
    }

    static let payloadLimit = 4096

    /// Whether there is no reading at all.
    public var isEmpty: Bool { batteryMillivolts == nil && temperatureCelsius == nil }

    func write(to json: inout JSONWriter) {
        guard !isEmpty else { return }
        json.beginObject("telemetry")
        writeFields(to: &json)
        json.endObject()
    }

    private func writeFields(to json: inout JSONWriter) {
        json.field("battery_mv", batteryMillivolts)
        json.field("temperature_c", temperatureCelsius, decimals: 3)
    }

    /// Writes the payload of an `items/<item>/telemetry` topic: the readings, when they came, and who heard them.
    public func write(to json: inout JSONWriter, at time: Timestamp, node: String) {
        json.beginObject()
        json.field("v", Window.version)
        writeFields(to: &json)
        json.field("at", time)
        json.field("node", node)
        json.endObject()
    }

    /// The keys of such a payload, whether they are readings or not.
    public static func keys(payload: Span<UInt8>) throws(PayloadFault) -> Set<String> {
        var keys: Set<String> = []
        try readPayload(payload, limit: payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                keys.insert(key)
                try json.skip()
            }
        }
        return keys
    }

    static func read(from json: inout JSONReader) throws(JSONFault) -> Telemetry {
        var telemetry = Telemetry()
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "battery_mv": telemetry.batteryMillivolts = try json.integer(Int.self)
            case "temperature_c": telemetry.temperatureCelsius = try json.number()
            default: try json.skip()
            }
        }
        return telemetry
    }
}
