internal import HCI

/// What sends one advertisement for as long as it lives: an `Advertiser`, or what a test puts in its place.
protocol Transmitter: AnyObject {
    /// How it stands.
    var state: Advertiser.State { get }
    /// What is wrong at the moment.
    var problem: AdvertisingFault? { get }
    /// Why it has ended by itself.
    var failure: AdvertisingFault? { get }
    /// Readable when `advance` is to be called.
    var descriptor: Int32 { get }
    /// When `advance` is to be called at the latest, on `MonotonicClock`; nil when it has ended.
    var nextDeadline: Int64? { get }
    /// Takes what has come and does what is due.
    func advance(to now: Int64)
    /// Asks it to send no more.
    func stop()
    /// What has happened since the last call.
    func takeNotices() -> [RadioNotice]
}

extension Advertiser: Transmitter {}
