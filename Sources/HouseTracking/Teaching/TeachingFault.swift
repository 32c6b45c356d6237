/// Why something can't be taught, or told of what was taught.
public enum TeachingFault: Error, Hashable, Sendable {
    /// No node has named this item yet.
    case unknownItem(String)
    /// The house has no such room.
    case unknownRoom(String)
    /// Nodes that listen don't hear the item now.
    case notHeard(item: String)
    /// A lesson of the item goes on already, for this room.
    case isRunning(item: String, room: String)
    /// No lesson of the item goes on, and none has ended of late.
    case noLesson(item: String)
    /// There is no lesson of this id.
    case unknownLesson(String)
    /// All lessons together are as long as is kept.
    case full
}
