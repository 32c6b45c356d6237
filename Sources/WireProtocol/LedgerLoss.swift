/// Events that will not come, by their numbers.
public struct LedgerLoss: Hashable, Sendable {
    /// Why.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The publisher kept so many, or for so long, and no more.
        case fellOut = "fell_out"
        /// The publisher's database with that epoch is lost.
        case epochLost = "epoch_lost"
        /// The publisher told them several times, and they never came: purged, or not let through.
        case notTold = "not_told"
        /// The publisher gave no answer.
        case unanswered
    }

    /// The epoch.
    public var epoch: String
    /// The first that is lost.
    public var first: UInt64
    /// The last; nil where nobody knows whether there were any: "unknown after `first` - 1".
    public var last: UInt64?
    /// Why.
    public var reason: Reason

    /// A loss by all its values.
    public init(epoch: String, first: UInt64, last: UInt64?, reason: Reason) {
        self.epoch = epoch
        self.first = first
        self.last = last
        self.reason = reason
    }
}
