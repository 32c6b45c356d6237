public import Bytes
internal import RoomEstimation

/// A lesson that exists and is not used: in the fuser's state, or with the broker.
public struct LeftOutLesson: Hashable, Sendable {
    /// The reason for which it is not used.
    public enum Reason: String, Hashable, Sendable {
        /// The maximum of stored lessons is reached.
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
    /// The time at which it ended.
    public let taughtAt: Timestamp
    /// Seconds from its begin to its end.
    public let seconds: Double
    /// The reason for which it is not used.
    public let reason: Reason
    /// Its number in this fuser's state; nil if only the broker has it.
    let keptID: String?

    init(_ lesson: Lesson, _ reason: Reason, isKept: Bool) {
        (key, item, room, taughtAt) = (lesson.key, lesson.item, lesson.room, lesson.taughtAt)
        (seconds, self.reason, keptID) = (lesson.seconds, reason, isKept ? lesson.id : nil)
    }
}
