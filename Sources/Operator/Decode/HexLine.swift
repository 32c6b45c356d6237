internal import Advertising
internal import Bytes

/// A line of hexadecimal text: an HCI event, or bare advertising data.
///
/// Digits of either case; white space, `:` and `-` may separate bytes. An H4 indicator (04) may precede an event. Bytes
/// that begin like an LE Meta event (3E) are an event if its parameter length is theirs, or if they do not read as
/// whole AD structures; all else is advertising data. (AD data that begins with 3E would be one structure of 62 bytes.)
/// Empty lines, and those that begin with `#`, are ignored.
enum HexLine {
    /// Event code, parameter length, parameters.
    case event([UInt8])
    /// AD structures.
    case data([UInt8])
    /// Nothing on the line.
    case empty
    /// Not hexadecimal.
    case bad

    init(_ text: String) {
        let blanks: Set<UInt8> = [0x20, 0x09, 0x0D]
        let trimmed = text.utf8.drop { blanks.contains($0) }
        guard let first = trimmed.first, first != UInt8(ascii: "#") else {
            self = .empty
            return
        }
        let digits = Substring(trimmed)
        guard let bytes = Hex.bytes(digits, ignoring: blanks.union([UInt8(ascii: ":"), UInt8(ascii: "-")])) else {
            self = .bad
            return
        }
        if let event = Self.eventBytes(in: bytes) { self = .event(event) } else { self = .data(bytes) }
    }

    private static func eventBytes(in bytes: [UInt8]) -> [UInt8]? {
        let event = bytes.first == 0x04 && bytes.count > 1 && bytes[1] == 0x3E ? bytes.dropFirst() : bytes[...]
        guard event.first == 0x3E else { return nil }
        let length = event.dropFirst().first.map(Int.init)
        if length == event.count - 2 { return Array(event) }
        do throws(AdvertisingFault) {
            try ADStructure.forEach(in: bytes.span) { _, _ in }
            return nil
        } catch {
            return Array(event)
        }
    }
}
