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

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("item", item)
        json.field("now", now)
        json.beginArray("visits")
        for visit in visits {
            json.beginObject()
            json.field("room", visit.room)
            json.field("from", visit.from)
            json.field("to", visit.to)
            json.field("confidence", visit.confidence, decimals: 3)
            json.endObject()
        }
        json.endArray()
        json.field("next", next)
        json.endObject()
    }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> HistoryReport {
        var report = HistoryReport(item: "", now: Timestamp(microseconds: 0))
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "item": report.item = try json.string()
            case "now": report.now = try json.time()
            case "visits":
                try json.beginArray()
                while try json.nextElement() { report.visits.append(try Visit.read(from: &json)) }
            case "next": report.next = try json.time()
            default: try json.skip()
            }
        }
        return report
    }
}

extension HistoryReport.Visit {
    @_lifetime(json: copy json)
    fileprivate static func read(from json: inout JSONReader) throws(JSONFault) -> Self {
        var visit = Self(room: "", from: Timestamp(microseconds: 0), to: nil, confidence: 0)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "room": visit.room = try json.string()
            case "from": visit.from = try json.time()
            case "to": visit.to = try json.time()
            case "confidence": visit.confidence = try json.share()
            default: try json.skip()
            }
        }
        return visit
    }
}
