public import Bytes

/// An event that is to be kept: all of it but its epoch and seq, which the store gives.
public struct EventDraft: Hashable, Sendable {
    /// When it was so decided.
    public var at: Timestamp
    /// What happened, such as `enter`.
    public var kind: String
    /// The rest, in the caller's form; without epoch and seq, which would not be true after a failure.
    public var payload: [UInt8]

    /// An event by all its values.
    public init(at: Timestamp, kind: String, payload: [UInt8]) {
        self.at = at
        self.kind = kind
        self.payload = payload
    }
}

/// An event that the store has numbered.
public struct StoredEvent: Hashable, Sendable {
    /// The epoch in which `seq` counts: eight hexadecimal digits.
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

/// What the ledger holds of one epoch.
public struct LedgerExtent: Hashable, Sendable {
    /// The epoch.
    public var epoch: String
    /// The first event that is still kept; nil where none is.
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
