/// Lost events, by their numbers.
public struct LedgerLoss: Hashable, Sendable {
    /// The reasons of losses.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The publisher has dropped them, since its number of retained events or their lifetime is bounded.
        case fellOut = "fell_out"
        /// The publisher's database with that epoch is lost.
        case epochLost = "epoch_lost"
        /// The publisher published them several times, and they were never received: purged, or not permitted.
        case notTold = "not_told"
        /// The publisher didn't answer.
        case unanswered
    }

    /// The epoch.
    public var epoch: String
    /// The first that is lost.
    public var first: UInt64
    /// The last; nil if it is unknown if there were any: "unknown after `first` - 1".
    public var last: UInt64?
    /// The reason.
    public var reason: Reason

    /// A loss by all its values.
    public init(epoch: String, first: UInt64, last: UInt64?, reason: Reason) {
        self.epoch = epoch
        self.first = first
        self.last = last
        self.reason = reason
    }
}
