internal import Bytes

/// A payload as a value that can stand in a line of JSON.
enum BoardValue {
    /// The most bytes of a payload. A larger one is not shown.
    static let bound = 256 * 1024

    /// A payload that is JSON, on one line; nil if it is none. Anybody may write to a broker.
    static func json(_ payload: [UInt8]) -> [UInt8]? {
        guard payload.count <= bound else { return nil }
        var reader = JSONReader(payload.span)
        do throws(JSONFault) {
            try reader.skip()
            try reader.end()
        } catch {
            return nil
        }
        // A string holds no line end as such: outside of one it is white space.
        guard payload.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return payload }
        return payload.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
    }

    /// A payload that is plain text, as a JSON string; nil if it isn't UTF-8.
    static func text(_ payload: [UInt8]) -> [UInt8]? {
        guard payload.count <= bound, let text = String(validating: payload, as: UTF8.self) else { return nil }
        var json = JSONWriter()
        json.value(text)
        return json.bytes
    }
}
