public import Bytes

/// Why a neighbour's message is not what its topic promises.
public enum NeighbourFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is longer than any honest one (the bound is in bytes).
    case tooLong(limit: Int)
    /// It isn't JSON, or not of the expected shape.
    case json(JSONFault)
    /// A key is absent without which the message says nothing.
    case missing(String)
    /// A value lies outside what it can mean.
    case outOfRange(String)
    /// It lies on a topic that this system doesn't have.
    case otherTopic
    /// Its status is neither `online` nor `offline`.
    case noStatus

    /// Such as `'rssi' is out of range`.
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
) throws(NeighbourFault) {
    guard payload.count <= limit else { throw .tooLong(limit: limit) }
    var json = JSONReader(payload)
    do {
        try body(&json)
        try json.end()
    } catch {
        throw .json(error)
    }
}

/// What values can mean.
enum Plausible {
    /// An honest message of one device stays far below this many bytes.
    static let payloadLimit = 4096
    /// What a controller can report, in dBm (Core 5.4, Vol 4 Part E, 7.7.65.2).
    static let levels = -127.0...20.0
    /// A measured power at one metre, in dBm.
    static let powers = -127.0...20.0
    /// Distances in metres: farther than any packet of Bluetooth LE was ever heard.
    static let distances = 0.0...100_000.0
    /// The longest name that is taken, in bytes.
    static let nameLimit = 128

    /// Whether a text can be a name: of one line, and not endless.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= nameLimit && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// A value that may be absent, else lies within a range.
    static func value(
        _ value: Double?, _ key: String, in range: ClosedRange<Double>
    ) throws(NeighbourFault) -> Double? {
        guard let value else { return nil }
        guard range.contains(value) else { throw .outOfRange(key) }
        return value
    }

    /// A name that may be absent.
    static func name(_ text: String?, _ key: String) throws(NeighbourFault) -> String? {
        guard let text else { return nil }
        guard isName(text) else { throw .outOfRange(key) }
        return text
    }
}

extension JSONReader {
    /// A number, or nil for `null`.
    @_lifetime(self: copy self)
    mutating func numberOrNull() throws(JSONFault) -> Double? {
        null() ? nil : try number()
    }

    /// A string, or nil for `null`.
    @_lifetime(self: copy self)
    mutating func stringOrNull() throws(JSONFault) -> String? {
        null() ? nil : try string()
    }
}
