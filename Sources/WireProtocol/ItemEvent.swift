public import Bytes
internal import Crypto

/// A move of an item, or an alert about it, as the fuser publishes it.
public struct ItemEvent: Hashable, Sendable {
    /// The kinds of events.
    public enum Kind: String, Hashable, Sendable {
        /// From one room to another.
        case moved
        /// From away to a room.
        case arrived
        /// From a room to away.
        case left
        /// Something is wrong with it.
        case alert
        /// That is over.
        case cleared

        /// A Boolean value that is true if the event is about the item's location.
        public var isMove: Bool { self == .moved || self == .arrived || self == .left }
    }

    /// The time by which two fusers may differ about the time of one change: their clocks differ, and they evaluate
    /// the same intervals with different histories.
    public static let coincidence: Duration = .seconds(30)

    /// The fuser that publishes it.
    public var fuser: String
    /// The fuser's epoch, in which `seq` counts.
    public var epoch: String
    /// The number of this event among all of the fuser's, from 1 without gaps.
    public var seq: UInt64
    /// The number of this event among the item's, from 1 without gaps.
    public var itemSeq: UInt64
    /// The id of the move: two fusers that publish one move give it the same id.
    public var id: String
    /// The time of the decision.
    public var at: Timestamp
    /// The earliest possible time of the move: the last reception in the previous place, and for a departure the last
    /// packet.
    public var notBefore: Timestamp
    /// The kind of event.
    public var kind: Kind
    /// The present room; nil after a departure.
    public var room: String?
    /// The previous room; nil if it was away.
    public var previous: String?
    /// For an alert: its id.
    public var alert: String?
    /// The rule of the alert, such as `left_home`.
    public var rule: String?
    /// The number of times it was published.
    public var count: Int?
    /// The evidence in words and figures, of the rule `cloned`.
    public var evidence: String?
    /// The reason why it was cleared.
    public var reason: String?
    /// A Boolean value that is true if it is published again for a `replay`.
    public var isReplayed = false

    /// An event by all its values, published for the first time.
    public init(
        fuser: String, epoch: String, seq: UInt64, itemSeq: UInt64, id: String, at: Timestamp, notBefore: Timestamp,
        kind: Kind, room: String?, previous: String?
    ) {
        self.fuser = fuser
        self.epoch = epoch
        self.seq = seq
        self.itemSeq = itemSeq
        self.id = id
        self.at = at
        self.notBefore = notBefore
        self.kind = kind
        self.room = room
        self.previous = previous
    }

    /// The id of a move: SHA-256 of item, kind, room and the time since which the answer held that it ends, in
    /// milliseconds as published.
    ///
    /// Two fusers with different histories detect a move in different intervals, but received the same answer that it
    /// ends.
    public static func id(item: String, kind: Kind, room: String?, ending since: Timestamp) -> String {
        id(item: item, kind: kind, room: room, node: "", epoch: "\(since.milliseconds)", seq: 0)
    }

    /// The id of an event: SHA-256 of item, kind, room and three texts that identify it, such as the deciding window's
    /// (node, epoch, seq) of a move from a place that was never published.
    public static func id(
        item: String, kind: Kind, room: String?, node: String, epoch: String, seq: UInt64
    ) -> String {
        SHA256.hex("\(item)|\(kind.rawValue)|\(room ?? "")|\(node)|\(epoch)|\(seq)", digits: 32)
    }
}

extension ItemEvent {
    static let payloadLimit = 4096
    /// The maximum number of an event: up to it numbers in JSON are whole, and a reader can add to it.
    static let latest: UInt64 = 1 << 53

    /// Writes the payload of an `items/<item>/events` topic.
    public func write(to json: inout JSONWriter) { writeObject(to: &json) }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        try self.init(payload: payload, limit: Self.payloadLimit)
    }
}

extension ItemEvent: WireObject {
    static var blank: Self {
        let none = Timestamp(microseconds: 0)
        return Self(
            fuser: "", epoch: "", seq: 0, itemSeq: 0, id: "", at: none, notBefore: none, kind: .moved, room: nil,
            previous: nil)
    }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        fields.version()
        try fields.required("fuser", &fuser)
        try fields.required("epoch", &epoch)
        try fields.required("seq", &seq, where: { $0 <= Self.latest })
        try fields.required("item_seq", &itemSeq, where: { $0 <= Self.latest })
        try fields.required("id", &id)
        try fields.required("at", &at)
        try fields.field("not_before", &notBefore, orElse: at)
        try fields.required("kind", &kind)
        try fields.field("room", &room)
        try fields.field("previous", &previous)
        try fields.field("alert", &alert)
        try fields.field("rule", &rule)
        try fields.field("count", &count) { (1...ItemAlerts.countLimit).contains($0) }
        try fields.field("evidence", &evidence)
        try fields.field("reason", &reason)
        try fields.field("replayed", &isReplayed, unless: false)
    }
}

extension ItemEvent.Kind: WireValue {}
