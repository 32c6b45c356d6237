public import Bytes

/// The visits of an item in their order, as a fuser reports them.
public struct HistoryReport: Hashable, Sendable {
    /// A stay in a room.
    public struct Visit: Hashable, Sendable {
        /// The room, or `away`.
        public var room: String
        /// The beginning of the visit.
        public var from: Timestamp
        /// The end of the visit; nil while it lasts.
        public var to: Timestamp?
        /// The probability that the room is right.
        public var confidence: Double

        /// A visit by all its values.
        public init(room: String, from: Timestamp, to: Timestamp?, confidence: Double) {
            self.room = room
            self.from = from
            self.to = to
            self.confidence = confidence
        }
    }

    /// The maximum number of visits in one answer; a client continues from `next`.
    public static let limit = 500

    /// The item.
    public var item: String
    /// The time in the house.
    public var now: Timestamp
    /// The visits, by their begin.
    public var visits: [Visit]
    /// The time from which a client continues; nil if this is all.
    public var next: Timestamp?

    /// A report by all its values.
    public init(item: String, now: Timestamp, visits: [Visit] = [], next: Timestamp? = nil) {
        self.item = item
        self.now = now
        self.visits = visits
        self.next = next
    }
}

extension HistoryReport: WireObject {
    static var blank: Self { Self(item: "", now: Timestamp(microseconds: 0)) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("item", &item)
        try fields.field("now", &now)
        try fields.field("visits", &visits)
        try fields.field("next", &next)
    }
}

extension HistoryReport.Visit: WireObject {
    static var blank: Self { Self(room: "", from: Timestamp(microseconds: 0), to: nil, confidence: 0) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("room", &room)
        try fields.field("from", &from)
        try fields.field("to", &to)
        try fields.number("confidence", &confidence, decimals: 3, in: .share)
    }
}
