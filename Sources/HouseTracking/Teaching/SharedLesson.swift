public import Bytes
internal import WireProtocol

/// The message by which fusers share a lesson, retained on `lessons/<key>`: all of it, or that it was undone.
public enum SharedLesson: Hashable, Sendable {
    /// It counts.
    case taught(Lesson)
    /// It no longer counts, since a time of day; nil where an earlier version says so, without the time.
    case undone(at: Timestamp?)

    /// The longest lesson that is shared, in bytes: longer ones from a broker are rejected. Half an hour that forty
    /// nodes receive at once reaches it.
    public static let payloadLimit = 1 << 20
    /// The payload of an undone lesson is shorter than any lesson.
    private static let undoneLimit = 64
    private static let version = 1

    /// The item that a key names, and the end of its lesson, to a millisecond; nil if it is no key.
    public static func parts(ofKey key: String) -> (item: String, taughtAt: Timestamp)? {
        guard let dash = key.lastIndex(of: "-") else { return nil }
        let (item, digits) = (String(key[..<dash]), key[key.index(after: dash)...])
        guard Identifier.isValid(item), let number = Int64(digits), number <= Int64.max / 1000, "\(number)" == digits
        else { return nil }
        return (item, Timestamp(microseconds: number * 1000))
    }

    /// The payload.
    public var payload: [UInt8] {
        switch self {
        case .taught(let lesson): return lesson.bytes
        case .undone(let time):
            var json = JSONWriter()
            json.beginObject()
            json.field("v", Self.version)
            json.field("undone", true)
            json.field("undone_at", time)
            json.endObject()
            return json.bytes
        }
    }

    /// Reads such a payload; nil if it is none, or of a later version.
    public init?(payload: Span<UInt8>) {
        guard payload.count <= Self.payloadLimit else { return nil }
        if payload.count > Self.undoneLimit {
            guard let lesson = Lesson(bytes: payload), lesson.isShareable else { return nil }
            self = .taught(lesson)
            return
        }
        var (version, isUndone) = (0, false)
        var time: Timestamp?
        do throws(JSONFault) {
            var json = JSONReader(payload)
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "v": version = try json.integer(Int.self)
                case "undone": isUndone = try json.boolean()
                case "undone_at": time = Timestamp(seconds: try json.number())
                default: try json.skip()
                }
            }
            try json.end()
        } catch {
            return nil
        }
        guard version == Self.version, isUndone else { return nil }
        self = .undone(at: time)
    }

    /// True if it no longer counts.
    public var isUndone: Bool { if case .undone = self { true } else { false } }
}
