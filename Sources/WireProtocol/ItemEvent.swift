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

    /// Microseconds by which two fusers may differ about the time of one change: their clocks differ, and they evaluate
    /// the same intervals with different histories.
    public static let coincidence: Int64 = 30_000_000

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
    /// The maximum number of an event: an addition by a reader must not overflow.
    static let latest: UInt64 = 1 << 53

    /// Writes the payload of an `items/<item>/events` topic.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("v", Window.version)
        json.field("fuser", fuser)
        json.field("epoch", epoch)
        json.field("seq", seq)
        json.field("item_seq", itemSeq)
        json.field("id", id)
        json.field("at", at)
        json.field("not_before", notBefore)
        json.field("kind", kind.rawValue)
        json.field("room", room)
        json.field("previous", previous)
        json.field("alert", alert)
        json.field("rule", rule)
        json.field("count", count)
        json.field("reason", reason)
        if isReplayed { json.field("replayed", true) }
        json.endObject()
    }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        var fuser: String?
        var epoch: String?
        var seq: UInt64?
        var itemSeq: UInt64?
        var id: String?
        var at: Timestamp?
        var notBefore: Timestamp?
        var isReplayed = false
        var texts: [String: String] = [:]
        var count: Int?
        var kind: Kind?
        var room: String?
        var previous: String?
        try readPayload(payload, limit: Self.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "fuser": fuser = try json.string()
                case "epoch": epoch = try json.string()
                case "seq": seq = try json.integer(UInt64.self)
                case "item_seq": itemSeq = try json.integer(UInt64.self)
                case "id": id = try json.string()
                case "at": at = try json.time()
                case "not_before": notBefore = try json.time()
                case "replayed": isReplayed = try json.boolean()
                case "kind": kind = Kind(rawValue: try json.string())
                case "room": room = try json.string()
                case "previous": previous = try json.string()
                case "alert", "rule", "reason": texts[key] = try json.string()
                case "count": count = try json.integer(Int.self)
                default: try json.skip()
                }
            }
        }
        let moment = try require(at, "at")
        self.init(
            fuser: try require(fuser, "fuser"), epoch: try require(epoch, "epoch"), seq: try require(seq, "seq"),
            itemSeq: try require(itemSeq, "item_seq"), id: try require(id, "id"), at: moment,
            notBefore: notBefore ?? moment, kind: try require(kind, "kind"), room: room, previous: previous)
        self.isReplayed = isReplayed
        (alert, rule, reason, self.count) = (texts["alert"], texts["rule"], texts["reason"], count)
        guard self.seq <= Self.latest else { throw .outOfRange("seq") }
        guard self.itemSeq <= Self.latest else { throw .outOfRange("item_seq") }
    }
}
