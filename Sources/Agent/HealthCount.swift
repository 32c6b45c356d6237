internal import Bytes
internal import WireProtocol

/// Sums up what scans tell, for `health`: ten seconds after the start, and then once a minute.
struct HealthCount: Sendable {
    /// Microseconds that the first stretch takes, so that somebody who looks on needn't wait …
    static let first: Int64 = 10_000_000
    /// … and each that follows.
    static let length: Int64 = 60_000_000

    private var health: NodeHealth?
    private var reports = 0
    private var gap: Int64 = 0
    private var droppedBefore: UInt64?
    private var isFirst = true

    /// Takes an interval's scan, `length` microseconds long; what is to be told where a stretch is over.
    mutating func take(_ scan: Scan) -> NodeHealth? {
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
