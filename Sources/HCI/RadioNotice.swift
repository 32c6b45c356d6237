/// Something that an operator may want to know of a radio.
public struct RadioNotice: Hashable, Sendable {
    /// How much it matters.
    public enum Level: Sendable {
        /// A person may have to act.
        case warning
        /// A change.
        case notice
        /// The ordinary course.
        case info
    }

    /// How much it matters.
    public var level: Level
    /// What it is about: of two notices with one subject and one text the second tells nothing new.
    public var subject: String
    /// What has happened.
    public var text: String
}
