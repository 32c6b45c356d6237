internal import Bytes
internal import Integrations
internal import WireProtocol

/// The last readings of items' beacons, published seldom: a thermometer by the window changes with each packet.
struct TelemetryTable: Sendable {
    /// Items at once; later ones are left out.
    static let capacity = 100_000
    /// The time after which any change is published …
    static let pause: Duration = .seconds(60)
    /// … and before which a change of the battery by so many millivolts is, and of the temperature by so many degrees;
    /// a reading that is new, and a flag that has changed.
    static let step = (millivolts: 50, degrees: 1.0)

    /// The published values, their time, and the known ones: a device may send its readings in turn.
    private var told: [String: (telemetry: Telemetry, at: Timestamp, latest: Telemetry)] = [:]

    /// The keys of the readings that items' beacons have sent.
    private var names: [String: Set<String>] = [:]

    /// Receives a window's telemetry; returns the values to publish, nil for none yet.
    mutating func receiveTelemetry(_ telemetry: Telemetry, of item: String, at time: Timestamp) -> Telemetry? {
        guard var entry = told[item] else {
            guard told.count < Self.capacity else { return nil }
            told[item] = (telemetry, time, telemetry)
            return telemetry
        }
        entry.latest.merge(telemetry)
        defer { told[item] = entry }
        guard entry.telemetry != entry.latest else { return nil }
        let isOld = !(.zero..<Self.pause).contains(time.duration(since: entry.at))
        guard isOld || Self.isDifferent(entry.telemetry, entry.latest) else { return nil }
        (entry.telemetry, entry.at) = (entry.latest, time)
        return entry.latest
    }

    /// Removes an item's published values from before a moment, or all; true if there were any.
    mutating func removeItem(_ item: String, before moment: Timestamp?) -> Bool {
        guard let last = told[item], moment.map({ last.at < $0 }) ?? true else { return false }
        told[item] = nil
        return true
    }

    // MARK: The names of readings

    /// The readings that an item's beacon has sent, by their keys.
    func readings(of item: String) -> Set<String> { names[item] ?? [] }

    /// Records the keys of a published payload: each becomes an entity of Home Assistant. True if one is new.
    mutating func noteReadings(_ payload: [UInt8], of item: String) -> Bool {
        guard !payload.isEmpty, let keys = try? Telemetry.keys(payload: payload.span) else { return false }
        let before = names[item] ?? []
        let found = keys.subtracting(before).filter(DiscoveryDocument.isReading).sorted()
        let new = found.prefix(DiscoveryDocument.readingBound - before.count)
        guard !new.isEmpty, names[item] != nil || names.count < Self.capacity else { return false }
        names[item] = before.union(new)
        return true
    }

    /// Removes the readings of an item.
    mutating func forgetReadings(of item: String) { names[item] = nil }

    private static func isDifferent(_ one: Telemetry, _ other: Telemetry) -> Bool {
        switch (one.batteryMillivolts, other.batteryMillivolts) {
        case (let before?, let after?): if abs(before - after) >= step.millivolts { return true }
        case (nil, nil): break
        default: return true
        }
        switch (one.temperatureCelsius, other.temperatureCelsius) {
        case (let before?, let after?): if abs(before - after) >= step.degrees { return true }
        case (nil, nil): break
        default: return true
        }
        guard one.others.count == other.others.count else { return true }
        // In the order in which they first arrived.
        return zip(one.others, other.others).contains { before, after in
            if case .flag = after.value { before != after } else { before.name != after.name }
        }
    }
}
