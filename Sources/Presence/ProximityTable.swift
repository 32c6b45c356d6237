public import Bytes
public import WireProtocol

/// A node's reports of the proximity of beacons: published on change only, and cleared for a beacon that is no longer
/// received.
public struct ProximityTable: Sendable {
    /// The maximum number of beacons; further ones aren't published, and are counted in `refused`.
    public static let capacity = 4096

    private var beacons: [String: (report: ProximityReport, last: Timestamp)] = [:]
    /// Windows of beacons for which there was no room.
    public private(set) var refused: UInt64 = 0

    /// An empty table.
    public init() {}

    /// The number of beacons in the table.
    public var count: Int { beacons.count }
    /// Their levels in topics, in order.
    public var names: [String] { beacons.keys.sorted() }

    /// The report of each beacon, by its level in topics, in order; those that were only inherited are left out.
    public var reports: [(beacon: String, report: ProximityReport)] {
        beacons.filter { $0.value.report.proximity != .unknown }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value.report) }
    }

    /// Records a window. Returns the beacon's level in topics and its report if its proximity has changed.
    public mutating func receive(_ window: Window) -> (beacon: String, report: ProximityReport)? {
        let beacon = window.item ?? window.id
        let hasRoom = beacons.count < Self.capacity
        // Lent in place: this is called for every window.
        switch Self.receiveWindow(window, &beacons[beacon], hasRoom: hasRoom) {
        case .changed(let report): return (beacon, report)
        case .refused:
            refused += 1
            return nil
        case .same: return nil
        }
    }

    private enum Outcome {
        case same
        case changed(ProximityReport)
        case refused
    }

    private static func receiveWindow(
        _ window: Window, _ entry: inout (report: ProximityReport, last: Timestamp)?, hasRoom: Bool
    ) -> Outcome {
        if let known = entry {
            entry?.last = max(known.last, window.to)
            if known.report.proximity == window.proximity { return .same }
        } else {
            guard window.proximity != .unknown else { return .same }
            guard hasRoom else { return .refused }
        }
        let report = ProximityReport(
            proximity: window.proximity, distance: window.distance?.metres, since: window.to)
        entry = (report, max(entry?.last ?? window.to, window.to))
        return .changed(report)
    }

    /// Adjusts to a clock of the windows that was set forward by `step`, or back if it is negative.
    public mutating func clockStepped(by step: Duration) {
        for (beacon, entry) in beacons { beacons[beacon]?.last = entry.last.advanced(by: step) }
    }

    /// Inherits a beacon that an earlier run has published, by its level in topics: it is published again with its next
    /// window, and removed if none follows.
    public mutating func adoptBeacon(_ name: String, at time: Timestamp) {
        guard beacons[name] == nil, beacons.count < Self.capacity else { return }
        beacons[name] = (ProximityReport(proximity: .unknown, distance: nil, since: time), time)
    }

    /// Removes beacons by their levels in topics, and returns those that were present.
    public mutating func forget(_ names: some Sequence<String>) -> [String] {
        names.filter { beacons.removeValue(forKey: $0) != nil }
    }

    /// Removes the beacons whose last window ended before a moment, and returns their levels in topics, in order: their
    /// published reports are to be cleared.
    public mutating func forget(before time: Timestamp) -> [String] {
        let silent = beacons.filter { $0.value.last < time }.map(\.key).sorted()
        for beacon in silent { beacons[beacon] = nil }
        return silent
    }
}
