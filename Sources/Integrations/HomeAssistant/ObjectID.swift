internal import Crypto

/// An id that Home Assistant accepts as a level of a discovery topic: letters, digits, `_` and `-` alone
/// (home-assistant.io/integrations/mqtt, "Discovery topic").
public struct ObjectID: Hashable, Sendable, CustomStringConvertible {
    /// The id itself.
    public let description: String

    /// The id for a text: the text itself if it is valid, otherwise a unique one with eight digits of its SHA-256.
    public init(_ text: String) {
        guard text.isEmpty || !text.utf8.allSatisfy(Self.holds) else {
            description = text
            return
        }
        let bytes = text.utf8.map { Self.holds($0) ? $0 : UInt8(ascii: "_") }
        description = "\(String(decoding: bytes, as: UTF8.self))_\(SHA256.hex(text, digits: 8))"
    }

    private static func holds(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
