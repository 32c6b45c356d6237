internal import Bytes

/// The interval of an item's advertisements on one day, and its interruptions.
struct BatteryCadence: Sendable {
    /// The level, in dBm, above which a packet is hardly lost.
    private static let clear = -75.0
    /// The silences that count as interruptions: shorter ones are lost packets, longer ones somebody who went out.
    private static let interruptions = Duration.minutes(5)...Duration.hours(6)
    /// The least number of intervals in an interruption.
    private static let intervals = 20.0

    /// The last packet.
    private(set) var lastHeard: Timestamp?
    /// The node that heard it clearly; nil if it was not clear.
    private var clearNode: String?
    /// The shortest interval of the running hour, in seconds, and those of the hours that are over.
    private var shortest: Double?
    private var hours: [Double] = []
    private var dropouts = 0

    init(lastHeard: Timestamp? = nil) { self.lastHeard = lastHeard }

    /// Records that a node heard the item.
    mutating func hear(from node: String, level: Double?, interval: Double?, at time: Timestamp) {
        let isClear = level.map { $0 >= Self.clear } ?? false
        if let lastHeard, isClear, clearNode == node {
            let gap = time.duration(since: lastHeard)
            if Self.interruptions.contains(gap), gap.seconds >= Self.intervals * (interval ?? shortest ?? 0) {
                dropouts += 1
            }
        }
        if let interval, interval > 0 { shortest = min(shortest ?? .infinity, interval) }
        lastHeard = time
        // Of several nodes in one interval the one that hears it clearly counts.
        if isClear || clearNode != node { clearNode = isClear ? node : clearNode }
    }

    /// Ends an hour.
    mutating func endHour() {
        if let shortest, hours.count < 24 { hours.append(shortest) }
        shortest = nil
    }

    /// Ends a day: the median interval of its hours, and the interruptions.
    mutating func endDay() -> (interval: Double?, dropouts: Int) {
        defer { (hours, dropouts) = ([], 0) }
        return (hours.isEmpty ? nil : BatteryHistory.quantile(0.5, hours), dropouts)
    }

    /// Begins anew with a new battery.
    mutating func beginAnew() { (shortest, hours, dropouts) = (nil, [], 0) }
}
