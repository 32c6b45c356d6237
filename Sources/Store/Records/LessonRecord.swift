public import Bytes

/// A lesson: a person's statement that an item was in a room from one moment to another.
public struct LessonRecord: Hashable, Sendable {
    /// The lesson's id.
    public var id: String
    /// The item's id.
    public var item: String
    /// The room's id.
    public var room: String
    /// The time of the statement.
    public var taughtAt: Timestamp
    /// The beginning of the stay.
    public var from: Timestamp
    /// The end of the stay.
    public var to: Timestamp
    /// The measurements during the stay, in the caller's form.
    public var detail: [UInt8]

    /// A lesson by all its values.
    public init(
        id: String, item: String, room: String, taughtAt: Timestamp, from: Timestamp, to: Timestamp,
        detail: [UInt8] = []
    ) {
        self.id = id
        self.item = item
        self.room = room
        self.taughtAt = taughtAt
        self.from = from
        self.to = to
        self.detail = detail
    }
}
