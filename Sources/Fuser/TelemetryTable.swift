internal import Bytes
internal import Sightings

/// What items' beacons last said of themselves, told seldom: a thermometer by the window changes with each packet.
struct TelemetryTable: Sendable {
    /// Items at once; those that come after are left out.
    static let capacity = 100_000
    /// Microseconds after which any change is told …
    static let pause: Int64 = 60_000_000
    /// … and before which a change of the battery by so many millivolts is, and of the temperature by so many degrees.
    static let step = (millivolts: 50, degrees: 1.0)

    private var told: [String: (telemetry: Telemetry, at: Timestamp)] = [:]

    /// Whether what a window brought of an item is to be told.
    mutating func takes(_ telemetry: Telemetry, of item: String, at time: Timestamp) -> Bool {
        guard let last = told[item] else {
            guard told.count < Self.capacity else { return false }
            told[item] = (telemetry, time)
            return true
        }
        guard last.telemetry != telemetry else { return false }
        let isOld = !(0..<Self.pause).contains(time.microseconds(since: last.at))
        guard isOld || Self.differ(last.telemetry, telemetry) else { return false }
        told[item] = (telemetry, time)
        return true
    }

    /// Forgets what was told of an item before a moment, or at all; whether that was anything.
    mutating func forget(_ item: String, before moment: Timestamp?) -> Bool {
        guard let last = told[item], moment.map({ last.at < $0 }) ?? true else { return false }
        told[item] = nil
        return true
    }

    private static func differ(_ one: Telemetry, _ other: Telemetry) -> Bool {
        switch (one.batteryMillivolts, other.batteryMillivolts) {
        case (let before?, let after?): if abs(before - after) >= step.millivolts { return true }
        case (nil, nil): break
        default: return true
        }
        switch (one.temperatureCelsius, other.temperatureCelsius) {
        case (let before?, let after?): return abs(before - after) >= step.degrees
        case (nil, nil): return false
        default: return true
        }
    }
}
