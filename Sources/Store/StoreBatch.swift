/// Events and changes that are kept together or not at all.
public struct StoreBatch: Sendable {
    /// Events in their order.
    public private(set) var events: [EventDraft] = []
    /// Changes in their order.
    public private(set) var changes: [StoreChange] = []

    /// An empty batch, which when written tells that the program is alive.
    public init() {}

    /// Whether it holds neither event nor change.
    public var isEmpty: Bool { events.isEmpty && changes.isEmpty }

    /// Adds an event.
    public mutating func append(_ event: EventDraft) { events.append(event) }

    /// Adds a change.
    public mutating func set(_ change: StoreChange) { changes.append(change) }

    /// Whether it must be on the disk, and not only with the kernel, before it counts as written.
    var isUrgent: Bool { !events.isEmpty || changes.contains { $0.isUrgent } }
}

/// What became of a batch.
public struct StoreWritten: Sendable {
    /// The batch's events with their numbers. They are the batch's whether or not the disk has them.
    public var events: [StoredEvent]
    /// Why the batch is kept in memory only, and will be written later; nil where the disk has it.
    public var problem: StoreError?
    /// A database that was found corrupt and set aside while writing. The new one holds this batch alone: write the
    /// whole state again, and tell the operator.
    public var setAside: SetAside?
    /// What had waited in memory has now been written: the problem before is over.
    public var hasRecovered: Bool
}
