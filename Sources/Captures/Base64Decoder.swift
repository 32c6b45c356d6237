/// Decodes base64 (RFC 4648 section 4) that comes in pieces; white space may occur anywhere.
struct Base64Decoder {
    /// The decoded bytes that weren't taken out yet.
    private(set) var bytes: [UInt8] = []
    private var bits: UInt32 = 0
    private var count = 0
    private var isPadded = false

    /// Decodes a character. Returns false for one that isn't valid at this place.
    mutating func decodeCharacter(_ character: UInt8) -> Bool {
        let value: UInt8
        switch character {
        case 0x20, 0x09, 0x0A, 0x0D: return true
        case UInt8(ascii: "="):
            isPadded = true
            return true
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): value = 62
        case UInt8(ascii: "/"): value = 63
        default: return false
        }
        guard !isPadded else { return false }
        bits = bits << 6 | UInt32(value)
        count += 1
        guard count % 4 != 1 else { return true }
        // After 6, 12, 18 and 24 bits: a byte is complete after the second, third and fourth character.
        bytes.append(UInt8(truncatingIfNeeded: bits >> [0, 0, 4, 2][count % 4]))
        return true
    }

    /// Removes and returns the decoded bytes.
    mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}
