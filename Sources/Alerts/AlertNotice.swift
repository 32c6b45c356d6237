public import Bytes

/// A change of an alert to publish.
public struct AlertNotice: Hashable, Sendable {
    /// The kinds of changes.
    public enum Change: Hashable, Sendable {
        /// It is published: for the first time, or again. The count begins at 1.
        case told(count: Int)
        /// It is no longer open. Returned only for one that was published.
        case cleared(Reason)
    }

    /// The reason why an alert is no longer open.
    public enum Reason: String, Hashable, Sendable {
        /// The item returned, or one of its companions.
        case returned
        /// The item left after its companions.
        case left
        /// A companion is found to have left with it.
        case together
        /// Its condition no longer holds.
        case over
        /// The rule is no longer configured.
        case removed
    }

    /// The rule's id.
    public var alert: String
    /// The kind of alert.
    public var kind: AlertRule.Kind
    /// The item.
    public var item: String
    /// The change.
    public var change: Change
    /// The time of the decision.
    public var at: Timestamp
    /// The time since which it is open: the earliest departure that caused it.
    public var since: Timestamp
}
