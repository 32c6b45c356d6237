public import Bytes

/// An event to be stored: all of it but its epoch and seq, which the store assigns.
public struct EventDraft: Hashable, Sendable {
    /// The time of the decision.
    public var at: Timestamp
    /// The kind of event, such as `enter`.
    public var kind: String
    /// The rest, in the caller's form; without epoch and seq, which would be wrong after a failure.
    public var payload: [UInt8]

    /// An event by all its values.
    public init(at: Timestamp, kind: String, payload: [UInt8]) {
        self.at = at
        self.kind = kind
        self.payload = payload
    }
}

/// An event with the number that the store assigned.
public struct StoredEvent: Hashable, Sendable {
    /// The epoch of `seq`: eight hexadecimal digits.
    public var epoch: String
    /// Its number, from 1 without gaps in its epoch, never used twice.
    public var seq: UInt64
    /// The event.
    public var event: EventDraft

    /// An event by all its values.
    public init(epoch: String, seq: UInt64, event: EventDraft) {
        self.epoch = epoch
        self.seq = seq
        self.event = event
    }
}

/// The content of the ledger for one epoch.
public struct LedgerExtent: Hashable, Sendable {
    /// The epoch.
    public var epoch: String
    /// The first event that is still retained; nil if there is none.
    public var firstSeq: UInt64?
    /// The last event; 0 before the first.
    public var lastSeq: UInt64

    /// An extent by all its values.
    public init(epoch: String, firstSeq: UInt64?, lastSeq: UInt64) {
        self.epoch = epoch
        self.firstSeq = firstSeq
        self.lastSeq = lastSeq
    }
}
