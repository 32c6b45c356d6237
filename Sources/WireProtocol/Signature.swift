internal import Bytes

/// The author of a message as its sender names it: the key `by` of a command or of a registry's entry, `user@host`.
///
/// MQTT tells a receiver neither the user nor the client that published a message. So the tool says it, and the broker
/// does not prove it: only the topics of `CommandRight` do.
public struct Signature: Hashable, Sendable {
    /// The longest text, in bytes.
    static let limit = 192

    /// The user of the broker, or else of the machine.
    public var user: String
    /// The name of the machine; empty if it is not given.
    public var host: String

    /// An author by both values.
    public init(user: String, host: String) {
        (self.user, self.host) = (user, host)
    }

    /// The text in a message.
    public var text: String { host.isEmpty ? user : "\(user)@\(host)" }

    /// A JSON object with this as its last key.
    public func sign(_ payload: [UInt8]) -> [UInt8] {
        guard payload.last == UInt8(ascii: "}"), payload.count > 2 else { return payload }
        var json = JSONWriter()
        json.value(text)
        return payload.dropLast() + #","by":"#.utf8 + json.bytes + [UInt8(ascii: "}")]
    }

    /// Reads the author from a JSON object; nil if it names none.
    public init?(in payload: Span<UInt8>) {
        var json = JSONReader(payload)
        guard let text = (try? Self.readText(&json)) ?? nil, !text.isEmpty, text.utf8.count <= Self.limit else {
            return nil
        }
        let end = text.utf8.lastIndex(of: UInt8(ascii: "@"))
        user = String(end.map { text[..<$0] } ?? text[...])
        host = String(end.map { text[$0...].dropFirst() } ?? "")
    }

    @_lifetime(json: copy json)
    private static func readText(_ json: inout JSONReader) throws(JSONFault) -> String? {
        var text: String?
        try json.beginObject()
        while let key = try json.nextKey() {
            if key == "by", json.isString { text = try json.string() } else { try json.skip() }
        }
        return text
    }
}
