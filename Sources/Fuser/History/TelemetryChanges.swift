internal import Bytes
internal import WireProtocol

/// The readings of items' beacons that a long history has: those that have changed, one a minute and item at most.
struct TelemetryChanges: Sendable {
    /// Items at once; later ones are left out.
    static let capacity = 100_000
    /// The shortest time between two readings of an item.
    static let pause: Duration = .seconds(60)
    /// The smallest change of the battery in millivolts, of the temperature in degrees, and of any other number in its unit.
    static let resolution = (millivolts: 20, degrees: 0.5, other: 1.0)

    private var last: [String: (telemetry: Telemetry, at: Timestamp)] = [:]

    /// True if readings differ from the last for which this was true.
    mutating func note(_ telemetry: Telemetry, of item: String, at time: Timestamp) -> Bool {
        if let before = last[item] {
            // A clock that was set back makes the next one due.
            guard !(.zero..<Self.pause).contains(time.duration(since: before.at)),
                Self.isChanged(before.telemetry, telemetry)
            else { return false }
        } else if last.count >= Self.capacity {
            return false
        }
        last[item] = (telemetry, time)
        return true
    }

    /// Removes what is known of an item.
    mutating func forget(_ item: String) { last[item] = nil }

    private static func isChanged(_ one: Telemetry, _ other: Telemetry) -> Bool {
        if isChanged(
            one.batteryMillivolts.map(Double.init), other.batteryMillivolts.map(Double.init),
            Double(resolution.millivolts))
        {
            return true
        }
        if isChanged(one.temperatureCelsius, other.temperatureCelsius, resolution.degrees) { return true }
        return other.others.contains { reading in
            guard let before = one.others.first(where: { $0.name == reading.name }) else { return true }
            return switch (before.value, reading.value) {
            case (.number(let before), .number(let now)): isChanged(before, now, resolution.other)
            case (.flag(let before), .flag(let now)): before != now
            case (.number, .flag), (.flag, .number): true
            }
        }
    }

    private static func isChanged(_ one: Double?, _ other: Double?, _ step: Double) -> Bool {
        switch (one, other) {
        case (let one?, let other?): abs(one - other) >= step
        case (nil, nil): false
        default: true
        }
    }
}
