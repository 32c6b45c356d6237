import Advertising

/// An advertising set; the legacy commands speak of one, which has no identifier.
struct AdvertisingSet {
    /// What it allows, and whether its PDUs are legacy ones.
    var type: AdvertisingEventType = .advInd
    /// How long from one event to the next, without the random delay.
    var interval: Nanoseconds = .milliseconds(1280)
    var primaryPHY: PHY = .le1M
    var secondaryPHY: PHY?
    var identifier: UInt8?
    /// Told in the packet; nil where it wasn't asked for.
    var toldPower: Int8?
    /// The power it sends with, in dBm.
    var power: Int8 = 0
    var usesRandomAddress = false
    var isAnonymous = false
    var randomAddress: DeviceAddress?
    var data: [UInt8] = []
    var response: [UInt8] = []

    var isEnabled = false
    /// When its next event is; of interest while enabled only.
    var next: Nanoseconds = 0
    /// When it ends by itself; nil for never.
    var end: Nanoseconds?
    /// After how many events it ends by itself; 0 for never.
    var maximumEvents: UInt8 = 0
    var events = 0

    /// Why it is over; nil while it isn't.
    func ending(at now: Nanoseconds) -> HCIStatus? {
        if let end, end <= now { return .advertisingTimeout }
        return maximumEvents > 0 && events >= maximumEvents ? .limitReached : nil
    }

    /// What it sends, heard at `rssi`.
    func transmission(from address: DeviceAddress, rssi: Int8) -> Transmission {
        let report = AdvertisingReport(
            eventType: type, address: isAnonymous ? .anonymous : address, rssi: rssi, primaryPHY: primaryPHY,
            secondaryPHY: type.contains(.legacy) ? nil : secondaryPHY, advertisingSID: identifier,
            txPower: toldPower)
        return Transmission(report: report, data: data, response: type.contains(.scannable) ? response : nil)
    }
}

/// One advertising event as it goes through the air.
struct Transmission {
    /// What a receiver's controller makes of it; RSSI is at the receiver.
    var report: AdvertisingReport
    /// The advertising data.
    var data: [UInt8]
    /// The answer to a scan request; nil where nothing can be asked.
    var response: [UInt8]?
}
