public import Bytes

/// The reason why a received payload doesn't match its topic.
public enum PayloadFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is longer than any valid one (the bound is in bytes).
    case tooLong(limit: Int)
    /// It isn't JSON, or not of the expected shape.
    case json(JSONFault)
    /// A required key is absent.
    case missing(String)
    /// A value is outside its valid range.
    case outOfRange(String)

    /// A list has more elements than it may have.
    case tooMany(String, limit: Int)

    /// A text such as `'count' is out of range`.
    public var description: String {
        switch self {
        case .tooLong(let limit): "longer than \(limit) bytes"
        case .json(let fault): "not the expected JSON: \(fault)"
        case .missing(let key): "'\(key)' is missing"
        case .outOfRange(let key): "'\(key)' is out of range"
        case .tooMany(let key, let limit): "'\(key)' has more than \(limit) entries"
        }
    }
}

/// Reads one payload of at most `limit` bytes. A longer one is rejected unread, so that no publisher can make a reader work
/// without bound.
func readPayload<Value>(
    _ payload: Span<UInt8>, limit: Int, _ body: (inout JSONReader) throws(JSONFault) -> Value
) throws(PayloadFault) -> Value {
    guard payload.count <= limit else { throw .tooLong(limit: limit) }
    var json = JSONReader(payload)
    do {
        let value = try body(&json)
        try json.end()
        return value
    } catch {
        throw .json(error)
    }
}

/// The value of a required key.
func require<Value>(_ value: Value?, _ key: String) throws(PayloadFault) -> Value {
    guard let value else { throw .missing(key) }
    return value
}

extension JSONReader {
    /// A number that is valid only within `range`.
    @_lifetime(self: copy self)
    mutating func number(in range: ClosedRange<Double>?) throws(JSONFault) -> Double {
        let start = offset
        let value = try number()
        if let range, !range.contains(value) { throw JSONFault(.outOfRange, at: start) }
        return value
    }

    /// A moment in Unix seconds; out of range if no clock of ours can have it.
    @_lifetime(self: copy self)
    mutating func time() throws(JSONFault) -> Timestamp {
        let start = offset
        guard let time = Timestamp(seconds: try number()) else { throw JSONFault(.outOfRange, at: start) }
        return time
    }
}
