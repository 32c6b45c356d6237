internal import Advertising

extension AdvertisingReport {
    /// The possible levels in dBm (Core 5.4, Vol 4 Part E, 7.7.65.2): readers of a window would reject others.
    private static let levels: ClosedRange<Int8> = -127...20

    /// The report as the node uses it: with `offset` decibels added to its level, and without an impossible level.
    func corrected(by offset: Int) -> AdvertisingReport {
        var report = self
        guard let level = rssi, Self.levels.contains(level) else {
            report.rssi = nil
            return report
        }
        if offset != 0 {
            let sum = Int(level) + offset
            report.rssi = Int8(min(max(sum, Int(Self.levels.lowerBound)), Int(Self.levels.upperBound)))
        }
        return report
    }
}
