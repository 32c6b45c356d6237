public import Bytes
internal import RoomEstimation

/// A lesson that exists and isn't used: in the fuser's state, or with the broker.
public struct LeftOutLesson: Hashable, Sendable {
    /// Why it isn't used.
    public enum Reason: String, Hashable, Sendable {
        /// As many lessons are kept as may be.
        case full = "there is no room: four hours of lessons are kept"
        /// No node of it is one of the house.
        case strange = "its nodes are none of this house"
    }

    /// Its name among fusers.
    public let key: String
    /// The item that taught.
    public let item: String
    /// The room that it was in.
    public let room: String
    /// When it ended.
    public let taughtAt: Timestamp
    /// Seconds from its begin to its end.
    public let seconds: Double
    /// Why it isn't used.
    public let reason: Reason
    /// Its number in this fuser's state; nil where the broker alone has it.
    let keptID: String?

    init(_ lesson: Lesson, _ reason: Reason, isKept: Bool) {
        (key, item, room, taughtAt) = (lesson.key, lesson.item, lesson.room, lesson.taughtAt)
        (seconds, self.reason, keptID) = (lesson.seconds, reason, isKept ? lesson.id : nil)
    }
}
