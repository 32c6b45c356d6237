internal import Bytes
internal import WireProtocol

/// The counts of an interval, and their sum for `health`.
public struct ScanCounter: Sendable {
    /// The number of the node's last event; set by the caller's ledger.
    public var lastEvent: UInt64 = 0
    /// Messages lost to full queues since the start; set by the caller.
    public var dropped: UInt64 = 0
    /// Messages that wait for the broker; set by the caller.
    public var spooled = 0
    /// The time of the interval in which the node didn't listen.
    var missed = MissedTime()
    /// The health of the radio in the last minute.
    private(set) var health: NodeHealth?
    private var healthCount = HealthCount()
    /// The sums since the start.
    private(set) var totals = ScanTotals()
    /// The number of the decoder's faults in earlier intervals.
    private var malformedBefore: UInt64 = 0

    /// Completes the scan of an interval, which has its times and the counts of its windows. Returns true if `health` is
    /// new.
    mutating func complete(_ scan: inout Scan, malformed: UInt64) -> Bool {
        scan.malformed = Int(malformed - malformedBefore)
        malformedBefore = malformed
        scan.lastEvent = lastEvent
        scan.gapMilliseconds = Int(clamping: missed.takeTotal(until: scan.to).milliseconds)
        scan.dropped = dropped
        scan.spooled = spooled
        totals.add(scan)
        guard let health = healthCount.add(scan) else { return false }
        self.health = health
        return true
    }
}
