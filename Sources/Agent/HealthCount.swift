internal import Bytes
internal import WireProtocol

/// Sums up scans for `health`: ten seconds after the start, and then once a minute.
struct HealthCount: Sendable {
    /// The length of the first period, short for an operator who waits for it.
    static let first: Duration = .seconds(10)
    /// The length of each later period.
    static let length: Duration = .seconds(60)

    private var health: NodeHealth?
    private var reports = 0
    private var gap = Duration.zero
    private var droppedBefore: UInt64?
    private var isFirst = true

    /// Adds an interval's scan, `length` long; returns the sum at the end of a period.
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
        gap += .milliseconds(scan.gapMilliseconds)
        health.to = scan.to
        health.malformed += scan.malformed
        health.dropped = scan.dropped - min(before, scan.dropped)
        health.spooled = scan.spooled
        let elapsed = scan.to.duration(since: health.from)
        guard elapsed >= (isFirst ? Self.first : Self.length) else {
            self.health = health
            return nil
        }
        health.reports = Double(reports) / elapsed.seconds
        health.gap = min(1, gap / elapsed)
        (self.health, reports, gap, isFirst, droppedBefore) = (nil, 0, .zero, false, scan.dropped)
        return health
    }
}
