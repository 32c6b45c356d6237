internal import Bytes

/// The data that a `purge` removed.
public struct PurgeReport: Hashable, Sendable {
    /// Visits that were removed, or lost their beginning.
    public var visits = 0
    /// Retained events of which only the number is left.
    public var events = 0
    /// Lessons.
    public var lessons = 0
    /// Retained messages.
    public var messages = 0
    /// The place where rows are yet to be deleted, `postgresql`; nil if there is none. The fuser's log says when that is
    /// done, and its metrics what waits.
    public var waits: String?

    /// A report without removals.
    public init() {}

    /// True if nothing was removed.
    public var isEmpty: Bool { (visits, events, lessons, messages) == (0, 0, 0, 0) }
}

extension PurgeReport: WireObject {
    static var blank: Self { Self() }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("visits", &visits)
        try fields.field("events", &events)
        try fields.field("lessons", &lessons)
        try fields.field("messages", &messages)
        try fields.field("waits", &waits)
    }
}
