public import Bytes
internal import Crypto

/// An event at a node, as the node publishes it. Events are retained, numbered without gaps, and repeated on request.
public struct NodeEvent: Hashable, Sendable {
    /// The kinds of events.
    public enum Kind: String, Hashable, Sendable {
        /// A region's state was determined, after a start or on request: no crossing.
        case determined
        /// A region was entered.
        case enter
        /// A region was left.
        case exit
        /// A beacon's proximity changed. It is reserved: no node publishes it, since proximity has a topic of its own.
        case proximity
        /// An alert was raised, or repeated.
        case alert
        /// An alert was cleared.
        case cleared
    }

    /// The node.
    public var node: String
    /// The node's epoch, in which `seq` counts.
    public var epoch: String
    /// The number of this event among all of the node's, from 1 without gaps.
    public var seq: UInt64
    /// The time of the decision.
    public var at: Timestamp
    /// The earliest possible time of the event.
    public var notBefore: Timestamp
    /// The kind of event.
    public var kind: Kind
    /// The region, if one is concerned.
    public var region: String?
    /// The region's state after it, if one is concerned.
    public var state: RegionReport.State?
    /// The beacon's item, or else its canonical id, if one is concerned.
    public var beacon: String?
    /// The beacon's new proximity; in `proximity` events alone.
    public var proximity: Window.Proximity?
    /// The alert's name; this and the following properties are present in `alert` and `cleared` events alone.
    public var alert: String?
    /// The rule by its name in the configuration, such as `left_behind`.
    public var rule: String?
    /// The item that the alert is about.
    public var item: String?
    /// The number of times it was published, this time included; in `alert` events.
    public var count: Int?
    /// The reason for which it was cleared, as one token; in `cleared` events.
    public var reason: String?
    /// A Boolean value that is true for a repetition on request.
    public var isReplayed: Bool

    /// An event by its number, times and kind; the rest is absent until set.
    public init(node: String, epoch: String, seq: UInt64, at: Timestamp, notBefore: Timestamp, kind: Kind) {
        self.node = node
        self.epoch = epoch
        self.seq = seq
        self.at = at
        self.notBefore = notBefore
        self.kind = kind
        isReplayed = false
    }

    /// The id of the event, the same for each publication: SHA-256 of node, epoch and seq.
    public var id: String { SHA256.hex("\(node)|\(epoch)|\(seq)", digits: 32) }
}
