public import Bytes

/// What a fuser knows of an item's whereabouts.
public struct TrackerRecord: Hashable, Sendable {
    /// The item's id.
    public var item: String
    /// As of which moment.
    public var at: Timestamp
    /// Such as `present`.
    public var state: String
    /// The room; nil while away or unknown.
    public var room: String?
    /// Since when that is the answer.
    public var since: Timestamp
    /// The room before.
    public var previous: String?
    /// When it was last heard.
    public var heard: Timestamp
    /// Microseconds for which nodes listened and heard nothing of it.
    public var silence: Int64 = 0
    /// The number of its last event.
    public var itemSeq: UInt64 = 0
    /// What is believed of its rooms, in the caller's form.
    public var belief: [UInt8] = []

    /// A record of these values; the others are none.
    public init(item: String, at: Timestamp, state: String, since: Timestamp, heard: Timestamp) {
        self.item = item
        self.at = at
        self.state = state
        self.since = since
        self.heard = heard
    }
}
