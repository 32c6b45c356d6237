internal import Bytes

/// Texts for people and logs that may contain a key by mistake: in an items file in place of the name of its file, in
/// an address, an id, a folder.
public enum KeyText {
    /// The minimum number of hexadecimal digits of a key of 128 bits.
    private static let digits = 32
    /// The minimum number of base64 characters for 16 bytes, before the `==`.
    private static let characters = 22
    /// The minimum number of base64 characters for 32 bytes, before the `=`.
    private static let longCharacters = 43

    /// A text with `…` in place of anything that may be a key: 32 or more consecutive hexadecimal digits, or in pairs
    /// separated by one of `:`, `-`, `,` and space throughout, 22 or more characters of base64 followed by `==`, and 43
    /// or more followed by `=`.
    public static func hidden(in text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count > characters else { return text }
        var shown: [UInt8] = []
        var place = 0
        while place < bytes.count {
            // No base64 begins within a word, so that a long one is examined once.
            let isWithin = place > 0 && isCharacter(bytes[place - 1])
            let length = max(hexadecimal(bytes[place...]), isWithin ? 0 : base64(bytes[place...]))
            if length > 0 { shown += "…".utf8 } else { shown.append(bytes[place]) }
            place += max(1, length)
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// The number of bytes of a key in hexadecimal at the beginning of a text; 0 if there is none.
    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> Int {
        let run = bytes.prefix(while: isDigit).count
        guard run == 2 else { return run >= digits ? run : 0 }
        guard let separator = bytes.dropFirst(2).first, [0x3A, 0x2D, 0x2C, 0x20].contains(separator) else { return 0 }
        var pairs = 1
        var rest = bytes.dropFirst(2)
        while rest.first == separator, rest.dropFirst().prefix(while: isDigit).count == 2 {
            pairs += 1
            rest = rest.dropFirst(3)
        }
        return pairs >= digits / 2 ? 3 * pairs - 1 : 0
    }

    /// The number of bytes of a key in base64 (RFC 4648) at the beginning of a text; 0 if there is none.
    private static func base64(_ bytes: ArraySlice<UInt8>) -> Int {
        let run = bytes.prefix(while: isCharacter).count
        let rest = bytes.dropFirst(run)
        if run >= characters && rest.starts(with: [0x3D, 0x3D]) { return run + 2 }
        return run >= longCharacters && rest.first == 0x3D ? run + 1 : 0
    }

    private static func isDigit(_ byte: UInt8) -> Bool { Hex.value(byte) != nil }

    private static func isCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
