/// Events and changes that are stored together or not at all.
public struct StoreBatch: Sendable {
    /// Events in their order.
    public private(set) var events: [EventDraft] = []
    /// Changes in their order.
    public private(set) var changes: [StoreChange] = []

    /// An empty batch, which records that the program is alive when it is written.
    public init() {}

    /// True if it has neither events nor changes.
    public var isEmpty: Bool { events.isEmpty && changes.isEmpty }

    /// Adds an event.
    public mutating func append(_ event: EventDraft) { events.append(event) }

    /// Adds a change.
    public mutating func set(_ change: StoreChange) { changes.append(change) }

    /// True if it must be on the medium, and not only in the kernel, before it counts as written.
    var isUrgent: Bool { !events.isEmpty || changes.contains { $0.isUrgent } }
}

/// The result of writing a batch.
public struct StoreWritten: Sendable {
    /// The batch's events with their numbers, valid even if the disk doesn't have them.
    public var events: [StoredEvent]
    /// The reason why the batch is in memory only, to be written later; nil if the disk has it.
    public var problem: StoreError?
    /// A database that was found corrupt and set aside while writing. The new one contains this batch alone: write the
    /// whole state again, and warn the operator.
    public var setAside: SetAside?
    /// True if the changes that waited in memory have now been written: the earlier problem is over.
    public var hasRecovered: Bool
}
