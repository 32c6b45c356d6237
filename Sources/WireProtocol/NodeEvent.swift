public import Bytes
internal import Crypto

/// One thing that happened at a node, as it tells it. Events are kept, numbered without gaps, and repeated on request.
public struct NodeEvent: Hashable, Sendable {
    /// What happened.
    public enum Kind: String, Hashable, Sendable {
        /// A region's state was found, after a start or on request: no crossing.
        case determined
        /// A region was entered.
        case enter
        /// A region was left.
        case exit
        /// A beacon's proximity changed.
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
    /// When it was so decided.
    public var at: Timestamp
    /// The earliest that it can have happened.
    public var notBefore: Timestamp
    /// What happened.
    public var kind: Kind
    /// The region, where one is concerned.
    public var region: String?
    /// The region's state after it, where one is concerned.
    public var state: RegionReport.State?
    /// The beacon's item, or else its canonical id, where one is concerned.
    public var beacon: String?
    /// How near the beacon is now; in `proximity` events alone.
    public var proximity: Window.Proximity?
    /// The alert's name; like those that follow in `alert` and `cleared` events alone.
    public var alert: String?
    /// What is wrong: the word of the configuration, such as `left_behind`.
    public var rule: String?
    /// The item that the alert is about.
    public var item: String?
    /// How often it was told, this time included; in `alert` events.
    public var count: Int?
    /// Why it stands no more, in a word; in `cleared` events.
    public var reason: String?
    /// Whether this is a repetition that was asked for.
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

    /// The event's own name, the same whenever it is told: SHA-256 of node, epoch and seq.
    public var id: String { SHA256.hex("\(node)|\(epoch)|\(seq)", digits: 32) }
}
