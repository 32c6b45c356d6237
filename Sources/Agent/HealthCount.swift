internal import Bytes
internal import WireProtocol

/// Sums up scans for `health`: ten seconds after the start, and then once a minute.
struct HealthCount: Sendable {
    /// The length of the first period in microseconds, short for an operator who waits for it.
    static let first: Int64 = 10_000_000
    /// The length of each later period in microseconds.
    static let length: Int64 = 60_000_000

    private var health: NodeHealth?
    private var reports = 0
    private var gap: Int64 = 0
    private var droppedBefore: UInt64?
    private var isFirst = true

    /// Adds an interval's scan, `length` microseconds long; returns the sum at the end of a period.
    mutating func add(_ scan: Scan) -> NodeHealth? {
        var health =
            health
            ?? NodeHealth(
                from: scan.from, to: scan.to, reports: 0, gap: 0, malformed: 0, dropped: 0, spooled: 0)
        // Another recording begins.
        guard scan.to > health.from else {
            self = HealthCount()
            return nil
        }
        let before = droppedBefore ?? scan.dropped
        droppedBefore = before
        reports += scan.reports
        gap += Int64(scan.gapMilliseconds) * 1000
        health.to = scan.to
        health.malformed += scan.malformed
        health.dropped = scan.dropped - min(before, scan.dropped)
        health.spooled = scan.spooled
        let elapsed = scan.to.microseconds(since: health.from)
        guard elapsed >= (isFirst ? Self.first : Self.length) else {
            self.health = health
            return nil
        }
        health.reports = Double(reports) * 1e6 / Double(elapsed)
        health.gap = min(1, Double(gap) / Double(elapsed))
        (self.health, reports, gap, isFirst, droppedBefore) = (nil, 0, 0, false, scan.dropped)
        return health
    }
}
