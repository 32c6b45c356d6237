public import Bytes

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

/// The beginning or end of a fault that keeps a radio from receiving.
public enum RadioChange: Hashable, Sendable {
    /// A fault was found; nothing was received since a moment that may be a while ago.
    case failed(RadioFault, since: Timestamp, at: Timestamp)
    /// It receives again, or for the first time; with the recovery step that helped, if one did.
    case hears(after: RecoveryLadder.Rung?, at: Timestamp)
}
