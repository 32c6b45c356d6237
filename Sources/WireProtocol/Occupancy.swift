public import Bytes

/// The persons and items in a room; retained.
public struct Occupancy: Hashable, Sendable {
    /// The ids of the items and persons in it, in order.
    public var items: [String]
    /// Those of them that are persons.
    public var persons: [String]
    /// Their number, a person and those of its items that are present counting as one.
    public var count: Int

    /// The items and persons of a room.
    ///
    /// - Parameter carried: The number of items that belong to a person who is present.
    public init(items: [String], persons: [String] = [], carried: Int = 0) {
        self.items = items
        self.persons = persons
        count = items.count - carried
    }

    /// Writes the payload of a `rooms/<room>/occupancy` topic.
    public func write(to json: inout JSONWriter) { writeObject(to: &json) }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(PayloadFault) { try self.init(payload: payload, limit: 1 << 20) }
}

extension Occupancy: WireObject {
    /// Its count of -1, which is none, is replaced after reading.
    static var blank: Self { Self(items: [], carried: 1) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        fields.version()
        try fields.field("count", &count)
        try fields.required("items", &items)
        try fields.field("persons", &persons, unless: [])
    }

    mutating func normalize() {
        if !(0...items.count).contains(count) { count = items.count }
    }
}
