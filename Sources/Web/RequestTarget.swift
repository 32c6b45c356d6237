internal import Bytes

/// The target of a request in origin form (RFC 9112 section 3.2.1): a path and a query, both decoded.
///
/// Reading is strict, since a path that two programs read differently is a way around one of them: anything but
/// visible ASCII, an escape that is none, a segment that is empty, `.` or `..` in whatever writing, an escaped slash or
/// backslash, control characters, and text that isn't UTF-8 are refused (400).
public struct RequestTarget: Hashable, Sendable {
    /// The segments of the path, such as `["api", "items"]`; none for `/`.
    public var path: [String]
    /// True if the path ends with a slash, as `/` does.
    public var isFolder: Bool
    /// The parameters of the query by name.
    public var query: [String: String]

    /// The most parameters of a query.
    public static let parameterBound = 32

    /// A target by its parts.
    public init(path: [String], isFolder: Bool = false, query: [String: String] = [:]) {
        self.path = path
        self.isFolder = isFolder
        self.query = query
    }

    /// Reads a target as it was sent.
    public init(_ bytes: [UInt8]) throws(HTTPRefusal) {
        guard bytes.first == 0x2F else { throw HTTPRefusal(400, "The target must be a path that begins with '/'.") }
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 }) else {
            throw HTTPRefusal(400, "The target holds a character that must be escaped.")
        }
        let parts = bytes.split(separator: 0x3F, maxSplits: 1, omittingEmptySubsequences: false)
        var segments = parts[0].dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false)
        isFolder = segments.last?.isEmpty ?? true
        if isFolder { _ = segments.popLast() }
        path = []
        for segment in segments { path.append(try Self.segment(segment)) }
        query = parts.count > 1 ? try Self.query(parts[1]) : [:]
    }

    private static func segment(_ bytes: ArraySlice<UInt8>) throws(HTTPRefusal) -> String {
        let text = try decoded(bytes, plusIsSpace: false)
        guard !text.isEmpty, text != ".", text != "..", !text.contains(where: { $0 == "/" || $0 == "\\" }) else {
            throw HTTPRefusal(400, "A segment of the path is empty, '.', '..', or holds a slash.")
        }
        return text
    }

    private static func query(_ bytes: ArraySlice<UInt8>) throws(HTTPRefusal) -> [String: String] {
        var query: [String: String] = [:]
        for pair in bytes.split(separator: 0x26) {
            let parts = pair.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
            let name = try decoded(parts[0], plusIsSpace: true)
            let value = parts.count > 1 ? try decoded(parts[1], plusIsSpace: true) : ""
            guard query.updateValue(value, forKey: name) == nil else {
                throw HTTPRefusal(400, "The query has a parameter twice.")
            }
            guard query.count <= parameterBound else {
                throw HTTPRefusal(400, "The query has more than \(parameterBound) parameters.")
            }
        }
        return query
    }

    /// Text whose escapes (RFC 3986 section 2.1) are resolved once.
    private static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) throws(HTTPRefusal) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            switch byte {
            case 0x25:
                guard index + 1 < bytes.endIndex, let high = Hex.value(bytes[index]),
                    let low = Hex.value(bytes[index + 1])
                else { throw HTTPRefusal(400, "The target has a '%' without two hexadecimal digits.") }
                result.append(high << 4 | low)
                index += 2
            case 0x2B where plusIsSpace: result.append(0x20)
            default: result.append(byte)
            }
        }
        guard !result.contains(where: { $0 < 0x20 || $0 == 0x7F }), let text = String(validating: result, as: UTF8.self)
        else { throw HTTPRefusal(400, "The target holds control characters, or text that isn't UTF-8.") }
        return text
    }
}
