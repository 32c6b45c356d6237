public import Bytes

/// Readings that a beacon sends about itself and its surroundings. Missing ones are nil or absent.
public struct Telemetry: Hashable, Sendable {
    /// A reading by its name, which ends in the unit.
    public struct Reading: Hashable, Sendable {
        /// The value of a reading.
        public enum Value: Hashable, Sendable {
            /// A finite number in the unit that the name ends in.
            case number(Double)
            /// No or yes.
            case flag(Bool)
        }

        /// Its name in JSON, such as `humidity_percent`: up to 40 small letters, digits and `_`.
        public var name: String
        /// The value.
        public var value: Value

        /// A reading of both.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The maximum number of further readings; later ones are left out.
    public static let readingBound = 24
    /// Reserved keys of the objects that contain readings.
    private static let reserved: Set<String> = ["v", "at", "node", "battery_mv", "temperature_c"]

    /// The battery's voltage in millivolts; a reader takes 0 to 65,535.
    public var batteryMillivolts: Int?
    /// The temperature in degrees Celsius.
    public var temperatureCelsius: Double?
    /// Further readings, each name once, in the order of their first occurrence.
    public private(set) var others: [Reading] = []

    /// Readings; none by default.
    public init(batteryMillivolts: Int? = nil, temperatureCelsius: Double? = nil) {
        self.batteryMillivolts = batteryMillivolts
        self.temperatureCelsius = temperatureCelsius
    }

    static let payloadLimit = 4096

    /// A Boolean value that is true if there is no reading.
    public var isEmpty: Bool { batteryMillivolts == nil && temperatureCelsius == nil && others.isEmpty }

    /// Sets a further reading; one of the same name is replaced. One with an invalid name, or without room, is left
    /// out.
    public mutating func set(_ reading: Reading) {
        if case .number(let number) = reading.value, !number.isFinite { return }
        if let place = others.firstIndex(where: { $0.name == reading.name }) {
            others[place] = reading
        } else if others.count < Self.readingBound, Self.isName(reading.name) {
            others.append(reading)
        }
    }

    /// Sets a further number by its name; nothing for nil.
    public mutating func set(_ name: String, _ number: Double?) {
        if let number { set(Reading(name, .number(number))) }
    }

    /// A further number by its name; nil if there is none.
    public func number(_ name: String) -> Double? {
        for reading in others where reading.name == name {
            if case .number(let number) = reading.value { return number }
        }
        return nil
    }

    /// Replaces these readings by later ones of the same names.
    public mutating func merge(_ later: Telemetry) {
        if let battery = later.batteryMillivolts { batteryMillivolts = battery }
        if let degrees = later.temperatureCelsius { temperatureCelsius = degrees }
        for reading in later.others { set(reading) }
    }

    private static func isName(_ name: String) -> Bool {
        (1...40).contains(name.utf8.count) && !reserved.contains(name)
            && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }

    func write(to json: inout JSONWriter) {
        guard !isEmpty else { return }
        json.beginObject("telemetry")
        writeFields(to: &json)
        json.endObject()
    }

    private func writeFields(to json: inout JSONWriter) {
        json.field("battery_mv", batteryMillivolts)
        json.field("temperature_c", temperatureCelsius, decimals: 3)
        for reading in others {
            switch reading.value {
            case .number(let number): json.field(reading.name, number, decimals: 4)
            case .flag(let flag): json.field(reading.name, flag)
            }
        }
    }

    /// Writes the payload of an `items/<item>/telemetry` topic: the readings, their time, and the receiving node.
    public func write(to json: inout JSONWriter, at time: Timestamp, node: String) {
        json.beginObject()
        json.field("v", Window.version)
        writeFields(to: &json)
        json.field("at", time)
        json.field("node", node)
        json.endObject()
    }

    /// The keys of such a payload, readings or not.
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
            case "battery_mv": telemetry.batteryMillivolts = Int(try json.integer(UInt16.self))
            case "temperature_c": telemetry.temperatureCelsius = try json.number()
            default:
                var probe = json
                if let number = try? probe.number() {
                    telemetry.set(Reading(key, .number(number)))
                    json = probe
                    continue
                }
                probe = json
                if let flag = try? probe.boolean() {
                    telemetry.set(Reading(key, .flag(flag)))
                    json = probe
                } else {
                    try json.skip()
                }
            }
        }
        return telemetry
    }
}
