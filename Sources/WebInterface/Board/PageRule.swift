internal import Bytes

/// A rule for alerts of the house, as its configuration says it.
public struct PageRule: Hashable, Sendable {
    /// The hours of the day in which it is told, in seconds since midnight by the clock of its zone.
    public struct Hours: Hashable, Sendable {
        /// The begin, and the end.
        public var from: Int, to: Int

        /// Hours from a time to another.
        public init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }

    /// Its id, its kind as in the configuration, and its item.
    public var id: String, kind: String, item: String
    /// The items or persons that it names beside that.
    public var companions: [String] = []
    /// The rooms that it names.
    public var rooms: [String] = []
    /// The voltage below which a battery is low.
    public var volts: Double?
    /// The time after which it is told.
    public var grace: Duration
    /// The time between repetitions, and the most notices; nil for one notice, and for any number.
    public var interval: Duration?, atMost: Int?
    /// Its hours; nil for always.
    public var hours: Hours?

    /// A rule without companions, rooms, repetitions and hours.
    public init(id: String, kind: String, item: String, grace: Duration) {
        self.id = id
        self.kind = kind
        self.item = item
        self.grace = grace
    }

    /// Writes it with the keys of the configuration; times are in seconds.
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id)
        json.field("kind", kind)
        json.field("item", item)
        for (key, names) in [("with", companions), ("rooms", rooms)] where !names.isEmpty {
            json.beginArray(key)
            for name in names { json.value(name) }
            json.endArray()
        }
        json.field("below", volts, decimals: 3)
        json.field("grace", grace.seconds, decimals: 3)
        json.field("repeat", interval?.seconds, decimals: 3)
        json.field("at_most", atMost)
        if let hours {
            json.beginObject("hours")
            json.field("from", Self.clock(hours.from))
            json.field("to", Self.clock(hours.to))
            json.endObject()
        }
        json.endObject()
    }

    /// A time of the day such as `07:00`.
    private static func clock(_ seconds: Int) -> String {
        [seconds / 3600, seconds / 60 % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
