import Advertising

/// One advertising event as it goes through the air.
struct Transmission {
    /// What a receiver's controller makes of it; RSSI is at the receiver.
    var report: AdvertisingReport
    /// The advertising data.
    var data: [UInt8]
    /// The answer to a scan request; nil where nothing can be asked.
    var response: [UInt8]?
}
