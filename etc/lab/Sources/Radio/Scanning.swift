import Advertising

/// A controller's scanning: what it was asked for, and whom it has reported since.
struct Scanning {
    /// In which events it reports.
    var form: AdvertisingReportEncoder.Form = .legacy
    var isEnabled = false
    /// Whether it asks scannable advertisers for their responses.
    var isActive = false
    var filtersDuplicates = false
    /// Which PHYs it listens on, as LE Set Extended Scan Parameters counts them: bit 0 is 1M, bit 2 is Coded.
    var phys: UInt8 = 1
    /// When it ends by itself; nil for never.
    var end: Nanoseconds?
    /// How many reports it has given its host since it was enabled.
    var reports: UInt64 = 0

    private var reported: Set<Sender> = []

    /// Whom a duplicate filter takes for one: with another set identifier or kind of event it is another.
    private struct Sender: Hashable {
        let address: DeviceAddress
        let type: AdvertisingEventType
        let identifier: UInt8?
    }

    mutating func enable(form: AdvertisingReportEncoder.Form, filteringDuplicates: Bool, until end: Nanoseconds?) {
        if !isEnabled { reports = 0 }
        (self.form, isEnabled, filtersDuplicates, self.end) = (form, true, filteringDuplicates, end)
        reported = []
    }

    mutating func disable() {
        (isEnabled, end) = (false, nil)
        reported = []
    }

    /// Whether a report of this kind is to be given to the host.
    mutating func takes(_ report: AdvertisingReport) -> Bool {
        guard isEnabled else { return false }
        if form == .legacy, !report.eventType.contains(.legacy) { return false }
        guard phys & (report.primaryPHY == .leCoded ? 4 : 1) != 0 else { return false }
        guard filtersDuplicates else { return true }
        return reported.insert(
            Sender(address: report.address, type: report.eventType, identifier: report.advertisingSID)
        ).inserted
    }
}
