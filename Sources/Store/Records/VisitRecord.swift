public import Bytes

/// An item's stay in a room.
public struct VisitRecord: Hashable, Sendable {
    /// The item's id.
    public var item: String
    /// The room's id, or `away`.
    public var room: String
    /// The beginning of the stay; with the item it identifies the visit.
    public var from: Timestamp
    /// The end of the stay; nil while it lasts.
    public var to: Timestamp?
    /// The probability that the room is right, 0...1; stored in thousandths.
    public var confidence: Double

    /// A visit by all its values.
    public init(item: String, room: String, from: Timestamp, to: Timestamp?, confidence: Double) {
        self.item = item
        self.room = room
        self.from = from
        self.to = to
        self.confidence = confidence
    }
}
