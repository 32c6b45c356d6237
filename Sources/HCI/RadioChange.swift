public import Bytes

/// The beginning or end of a fault that keeps a radio from receiving.
public enum RadioChange: Hashable, Sendable {
    /// A fault was found; nothing was received since a moment that may be a while ago.
    case failed(RadioFault, since: Timestamp, at: Timestamp)
    /// It receives again, or for the first time; with the recovery step that helped, if one did.
    case hears(after: RecoveryLadder.Rung?, at: Timestamp)
}
