public import Bytes

/// The reason why a neighbour's message is invalid on its topic.
public enum IntegrationFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// It exceeds the length of any valid one (the bound is in bytes).
    case tooLong(limit: Int)
    /// It isn't JSON, or not of the expected shape.
    case json(JSONFault)
    /// A required key is absent.
    case missing(String)
    /// A value is outside its possible range.
    case outOfRange(String)
    /// It is on a topic that this system doesn't have.
    case otherTopic
    /// Its status is neither `online` nor `offline`.
    case noStatus

    /// A text such as `'rssi' is out of range`.
    public var description: String {
        switch self {
        case .tooLong(let limit): "longer than \(limit) bytes"
        case .json(let fault): "not the expected JSON: \(fault)"
        case .missing(let key): "'\(key)' is missing"
        case .outOfRange(let key): "'\(key)' is out of range"
        case .otherTopic: "no topic of its system"
        case .noStatus: "neither online nor offline"
        }
    }
}

/// Reads one object of a neighbour's, of at most `limit` bytes.
func readNeighbour(
    _ payload: Span<UInt8>, limit: Int, _ body: (inout JSONReader) throws(JSONFault) -> Void
) throws(IntegrationFault) {
    guard payload.count <= limit else { throw .tooLong(limit: limit) }
    var json = JSONReader(payload)
    do {
        try body(&json)
        try json.end()
    } catch {
        throw .json(error)
    }
}

/// The possible ranges of values.
enum Plausible {
    /// The bound of a message about one device in bytes; a valid one is far below it.
    static let payloadLimit = 4096
    /// The levels that a controller can report, in dBm (Core 5.4, Vol 4 Part E, 7.7.65.2).
    static let levels = -127.0...20.0
    /// A measured power at one metre, in dBm.
    static let powers = -127.0...20.0
    /// Distances in metres: beyond any known reception of Bluetooth LE.
    static let distances = 0.0...100_000.0
    /// The longest name that is accepted, in bytes.
    static let nameLimit = 128

    /// True if a text is a valid name: one line, within the bound.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= nameLimit && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// A value that may be absent, and otherwise is within a range.
    static func value(
        _ value: Double?, _ key: String, in range: ClosedRange<Double>
    ) throws(IntegrationFault) -> Double? {
        guard let value else { return nil }
        guard range.contains(value) else { throw .outOfRange(key) }
        return value
    }

    /// A name that may be absent.
    static func name(_ text: String?, _ key: String) throws(IntegrationFault) -> String? {
        guard let text else { return nil }
        guard isName(text) else { throw .outOfRange(key) }
        return text
    }
}

extension JSONReader {
    /// A number; nil for `null`.
    @_lifetime(self: copy self)
    mutating func numberOrNull() throws(JSONFault) -> Double? {
        null() ? nil : try number()
    }

    /// A string; nil for `null`.
    @_lifetime(self: copy self)
    mutating func stringOrNull() throws(JSONFault) -> String? {
        null() ? nil : try string()
    }
}
