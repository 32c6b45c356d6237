/// Hexadecimal text: lower case, two digits a byte, without separators by default.
public enum Hex {
    /// The lower-case digit of the low four bits of `nibble`, as ASCII.
    @inlinable
    public static func digit(_ nibble: UInt8) -> UInt8 {
        let value = nibble & 15
        return value < 10 ? 48 + value : 87 + value
    }

    /// The value of an ASCII hexadecimal digit of either case, or nil.
    @inlinable
    public static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 48...57: digit - 48
        case 65...70: digit - 55
        case 97...102: digit - 87
        default: nil
        }
    }

    /// Appends the digits of `bytes` as ASCII.
    public static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        for index in bytes.indices {
            text.append(digit(bytes[index] >> 4))
            text.append(digit(bytes[index]))
        }
    }

    /// The digits of `bytes`.
    public static func text(_ bytes: Span<UInt8>) -> String {
        var ascii: [UInt8] = []
        ascii.reserveCapacity(bytes.count * 2)
        append(bytes, to: &ascii)
        return String(decoding: ascii, as: UTF8.self)
    }

    /// The low `digits` digits of an integer, most significant first.
    public static func text<Integer: FixedWidthInteger & UnsignedInteger>(_ value: Integer, digits: Int) -> String {
        var ascii: [UInt8] = []
        for place in stride(from: digits - 1, through: 0, by: -1) {
            ascii.append(digit(UInt8(truncatingIfNeeded: value >> Integer(4 * place))))
        }
        return String(decoding: ascii, as: UTF8.self)
    }

    /// The bytes of a text of digits in either case.
    ///
    /// Returns nil for an odd number of digits or any other character. `ignoring` lists ASCII characters, such as `:`
    /// or `-`, that are allowed between bytes.
    public static func bytes(_ text: some StringProtocol, ignoring separators: Set<UInt8> = []) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            if high == nil, separators.contains(character) { continue }
            guard let value = value(character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }
}
