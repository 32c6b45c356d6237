public import Bytes

/// What is to be told of an alert.
public struct AlertNotice: Hashable, Sendable {
    /// What became of it.
    public enum Change: Hashable, Sendable {
        /// It is told: for the first time, or again. The count begins at 1.
        case told(count: Int)
        /// It stands no more. Comes only for one that was told.
        case cleared(Reason)
    }

    /// Why an alert stands no more.
    public enum Reason: String, Hashable, Sendable {
        /// The item is back, or one of its companions.
        case returned
        /// The item went after its companions.
        case left
        /// A companion turns out to have left with it.
        case together
        /// What it warned of is so no more.
        case over
        /// The rule isn't configured any more.
        case removed
    }

    /// The rule's id.
    public var alert: String
    /// What is wrong.
    public var kind: AlertRule.Kind
    /// The item.
    public var item: String
    /// What became of it.
    public var change: Change
    /// When it was so decided.
    public var at: Timestamp
    /// Since when it stands: the earliest departure that it is about.
    public var since: Timestamp
}
