public import Bytes

/// A lesson: an item was in a room from a moment to another, and somebody said so.
public struct LessonRecord: Hashable, Sendable {
    /// The lesson's id.
    public var id: String
    /// The item's id.
    public var item: String
    /// The room's id.
    public var room: String
    /// When it was taught.
    public var taughtAt: Timestamp
    /// When it began.
    public var from: Timestamp
    /// When it ended.
    public var to: Timestamp
    /// What was heard in it, in the caller's form.
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
