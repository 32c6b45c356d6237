/// Writes one JSON value (RFC 8259) into a byte buffer that is kept between values, commas set by itself.
///
/// A number that isn't finite can't be written: `field` leaves it out, since a missing value is absent, never a sentinel.
///
///     var json = JSONWriter()
///     json.beginObject()
///     json.field("seq", 412)
///     json.field("distance", 2.414, decimals: 2)
///     json.endObject()
public struct JSONWriter: Sendable {
    /// The text written so far, in UTF-8.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// An empty writer.
    public init() {}

    /// The text written so far.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Forgets the text and keeps the room for the next.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Ends a line, so that another value may follow on the next (JSON Lines).
    public mutating func endLine() {
        bytes.append(0x0A)
        needsComma = false
    }

    // MARK: Containers

    /// Opens an object.
    public mutating func beginObject() { open(0x7B) }
    /// Closes the object that was opened last.
    public mutating func endObject() { close(0x7D) }
    /// Opens an array.
    public mutating func beginArray() { open(0x5B) }
    /// Closes the array that was opened last.
    public mutating func endArray() { close(0x5D) }

    /// Writes an object's key; its value must follow.
    public mutating func key(_ name: String) {
        separate()
        quote(name)
        bytes.append(0x3A)
        needsComma = false
    }

    /// Writes a key and opens an object as its value.
    public mutating func beginObject(_ name: String) {
        key(name)
        beginObject()
    }

    /// Writes a key and opens an array as its value.
    public mutating func beginArray(_ name: String) {
        key(name)
        beginArray()
    }

    // MARK: Values

    /// Writes a string.
    public mutating func value(_ string: String) {
        separate()
        quote(string)
    }

    /// Writes a whole number of up to 64 bits; a larger one as the largest.
    @inlinable
    public mutating func value(_ integer: some FixedWidthInteger) {
        value(magnitude: UInt64(clamping: integer.magnitude), isNegative: integer < 0)
    }

    @usableFromInline
    mutating func value(magnitude: UInt64, isNegative: Bool) {
        separate()
        digits(magnitude, isNegative: isNegative)
    }

    /// Writes a number rounded to so many decimals (0...9), without trailing zeros; `null` where it isn't finite.
    public mutating func value(_ number: Double, decimals: Int) {
        separate()
        guard number.isFinite else { return ascii("null") }
        decimal(number, decimals)
    }

    /// Writes `true` or `false`.
    public mutating func value(_ flag: Bool) {
        separate()
        ascii(flag ? "true" : "false")
    }

    /// Writes a moment as Unix seconds with milliseconds.
    public mutating func value(_ time: Timestamp) {
        separate()
        let (milliseconds, remainder) = time.microseconds.quotientAndRemainder(dividingBy: 1000)
        scaled(milliseconds + (remainder >= 500 ? 1 : remainder < -500 ? -1 : 0), 3)
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        ascii("null")
    }

    // MARK: Fields

    /// Writes a key and a string; nothing for nil.
    public mutating func field(_ name: String, _ string: String?) {
        guard let string else { return }
        key(name)
        value(string)
    }

    /// Writes a key and a whole number; nothing for nil.
    @inlinable
    public mutating func field(_ name: String, _ integer: (some FixedWidthInteger)?) {
        guard let integer else { return }
        key(name)
        value(integer)
    }

    /// Writes a key and a number rounded to so many decimals; nothing for nil or a number that isn't finite.
    public mutating func field(_ name: String, _ number: Double?, decimals: Int) {
        guard let number, number.isFinite else { return }
        key(name)
        value(number, decimals: decimals)
    }

    /// Writes a key and `true` or `false`; nothing for nil.
    public mutating func field(_ name: String, _ flag: Bool?) {
        guard let flag else { return }
        key(name)
        value(flag)
    }

    /// Writes a key and a moment as Unix seconds with milliseconds; nothing for nil.
    public mutating func field(_ name: String, _ time: Timestamp?) {
        guard let time else { return }
        key(name)
        value(time)
    }

    /// Writes a key and bytes as lower-case hexadecimal digits.
    public mutating func field(_ name: String, hex span: Span<UInt8>) {
        key(name)
        bytes.append(0x22)
        Hex.append(span, to: &bytes)
        bytes.append(0x22)
        needsComma = true
    }

    // MARK: Pieces

    private mutating func separate() {
        if needsComma { bytes.append(0x2C) }
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func ascii(_ word: String) {
        bytes.append(contentsOf: word.utf8)
    }

    private mutating func quote(_ string: String) {
        bytes.append(0x22)
        let start = bytes.count
        bytes.append(contentsOf: string.utf8)
        // Copied and looked through as a whole, since hardly any text holds a byte that must be escaped.
        if Self.holdsEscaped(bytes.span.extracting(start...)) { escape(from: start) }
        bytes.append(0x22)
    }

    private static func holdsEscaped(_ text: Span<UInt8>) -> Bool {
        var found: UInt8 = 0
        for index in text.indices {
            let byte = text[index]
            found |= (byte < 0x20 ? 1 : 0) | (byte == 0x22 ? 1 : 0) | (byte == 0x5C ? 1 : 0) | (byte == 0x7F ? 1 : 0)
        }
        return found != 0
    }

    /// Writes what stands from `index` on anew, escaped.
    private mutating func escape(from index: Int) {
        let rest = Array(bytes[index...])
        bytes.removeLast(rest.count)
        for byte in rest {
            switch byte {
            case 0x22, 0x5C:
                bytes.append(0x5C)
                bytes.append(byte)
            case 0..<0x20, 0x7F:
                ascii("\\u00")
                bytes.append(Hex.digit(byte >> 4))
                bytes.append(Hex.digit(byte))
            default: bytes.append(byte)
            }
        }
    }

    private mutating func digits(_ magnitude: UInt64, isNegative: Bool) {
        if isNegative { bytes.append(0x2D) }
        // Twenty digits hold any UInt64; filled from the end, they need no reversing.
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var first = 20
        var rest = magnitude
        repeat {
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
            first -= 1
            digits[first] = 0x30 + UInt8(truncatingIfNeeded: remainder)
            rest = quotient
        } while rest != 0
        for index in first..<20 { bytes.append(digits[index]) }
    }

    private mutating func decimal(_ number: Double, _ decimals: Int) {
        var power = 1.0
        for _ in 0..<decimals { power *= 10 }
        let product = (number * power).rounded()
        guard product.magnitude < 9e15 else { return ascii(number.description) }
        scaled(Int64(product), decimals)
    }

    /// Writes `value / 10^decimals` without trailing zeros.
    private mutating func scaled(_ value: Int64, _ decimals: Int) {
        var value = value
        var decimals = decimals
        while decimals > 0, value % 10 == 0 {
            value /= 10
            decimals -= 1
        }
        var power: Int64 = 1
        for _ in 0..<decimals { power *= 10 }
        let (whole, fraction) = value.quotientAndRemainder(dividingBy: power)
        if value < 0, whole == 0 { bytes.append(0x2D) }
        digits(whole.magnitude, isNegative: whole < 0)
        guard decimals > 0 else { return }
        bytes.append(0x2E)
        var rest = fraction.magnitude
        var place = UInt64(power) / 10
        while place > 0 {
            bytes.append(0x30 + UInt8(rest / place))
            rest %= place
            place /= 10
        }
    }
}
