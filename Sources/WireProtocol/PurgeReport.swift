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

    /// A report without removals.
    public init() {}
}

extension PurgeReport: WireObject {
    static var blank: Self { Self() }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("visits", &visits)
        try fields.field("events", &events)
        try fields.field("lessons", &lessons)
        try fields.field("messages", &messages)
    }
}
