internal import Bytes

/// A parameter of a statement.
enum SQLiteValue {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    static func time(_ time: Timestamp) -> SQLiteValue { .integer(time.microseconds) }
    static func time(_ time: Timestamp?) -> SQLiteValue { time.map { .integer($0.microseconds) } ?? .null }
    static func text(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
    /// A number that counts from 0; above 2^63 it is limited to SQLite's range, which no count reaches.
    static func count(_ count: UInt64) -> SQLiteValue { .integer(Int64(clamping: count)) }
}
