/// An event of a radio that may concern an operator.
public struct RadioNotice: Hashable, Sendable {
    /// The importance of a notice.
    public enum Level: Sendable {
        /// A person may have to act.
        case warning
        /// A change.
        case notice
        /// A step of normal operation.
        case info
    }

    /// The importance of the notice.
    public var level: Level
    /// The subject; a second notice with the same subject and text adds nothing.
    public var subject: String
    /// The text of the notice.
    public var text: String
}
