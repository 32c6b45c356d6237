internal import Bytes
internal import WireProtocol

/// The sums of all scans since the start.
struct ScanTotals: Sendable {
    private(set) var intervals: UInt64 = 0
    private(set) var windows: UInt64 = 0
    private(set) var reports: UInt64 = 0
    private(set) var malformed: UInt64 = 0
    private(set) var gap = Duration.zero
    /// The beacons of the last interval.
    private(set) var beacons = 0

    mutating func add(_ scan: Scan) {
        intervals += 1
        windows += UInt64(clamping: scan.windows)
        reports += UInt64(clamping: scan.reports)
        malformed += UInt64(clamping: scan.malformed)
        gap += .milliseconds(scan.gapMilliseconds)
        beacons = scan.beacons
    }
}
