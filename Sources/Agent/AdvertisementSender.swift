internal import Bytes
internal import HCI

/// A sender of one advertisement during its lifetime: an `Advertiser`, or a substitute in a test.
protocol AdvertisementSender: AnyObject {
    /// The current state.
    var state: Advertiser.State { get }
    /// The current fault; nil if there is none.
    var problem: AdvertiserFault? { get }
    /// The fault that ended it; nil if none did.
    var failure: AdvertiserFault? { get }
    /// The descriptor, readable when `advance` is to be called.
    var descriptor: Int32 { get }
    /// The latest time for the next call of `advance`, on `MonotonicClock`; nil after the end.
    var nextDeadline: MonotonicTime? { get }
    /// Reads the messages that arrived and carries out the steps that are due.
    func advance(to now: MonotonicTime)
    /// Asks it to stop sending.
    func stop()
    /// The notices since the last call.
    func takeNotices() -> [RadioNotice]
}

extension Advertiser: AdvertisementSender {}
