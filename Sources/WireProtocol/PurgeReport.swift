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

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("visits", visits)
        json.field("events", events)
        json.field("lessons", lessons)
        json.field("messages", messages)
        json.endObject()
    }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> PurgeReport {
        var report = PurgeReport()
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "visits": report.visits = try json.integer(Int.self)
            case "events": report.events = try json.integer(Int.self)
            case "lessons": report.lessons = try json.integer(Int.self)
            case "messages": report.messages = try json.integer(Int.self)
            default: try json.skip()
            }
        }
        return report
    }
}
