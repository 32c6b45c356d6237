public import Bytes

/// That something keeps a radio from hearing, or no longer does.
public enum RadioChange: Hashable, Sendable {
    /// A fault was found; nothing was heard since a moment that may be a while ago.
    case failed(RadioFault, since: Timestamp, at: Timestamp)
    /// It hears again, or for the first time; with what was tried and helped, where something was.
    case hears(after: RecoveryLadder.Rung?, at: Timestamp)
}
