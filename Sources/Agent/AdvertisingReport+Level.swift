internal import Advertising

extension AdvertisingReport {
    /// What a level can be, in dBm (Core 5.4, Vol 4 Part E, 7.7.65.2): readers of a window would refuse others.
    private static let levels: ClosedRange<Int8> = -127...20

    /// The report as the node uses it: with so many decibels added to its level, and without one that can't be.
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
