/// The reason for which a request to teach, or to report lessons, fails.
public enum TeachingFault: Error, Hashable, Sendable {
    /// No node has named this item yet.
    case unknownItem(String)
    /// The house has no such room.
    case unknownRoom(String)
    /// Nodes that listen do not receive the item now.
    case notHeard(item: String)
    /// A lesson of the item is already running, for this room.
    case isRunning(item: String, room: String)
    /// No lesson of the item is running, and none has ended of late.
    case noLesson(item: String)
    /// There is no lesson of this id.
    case unknownLesson(String)
    /// All lessons together have reached their bound.
    case full
}
