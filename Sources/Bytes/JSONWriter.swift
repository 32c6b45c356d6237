/// Writes one JSON value (RFC 8259) into a byte buffer that is reused between values, and sets the commas.
///
/// A number that isn't finite can't be written: `field` leaves it out, since a missing value is absent, never a
/// sentinel.
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

    /// Removes the text and retains the capacity of the buffer.
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
        quote(name, 0x3A)
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
        quote(string, nil)
    }

    /// Writes an integer of up to 64 bits; a larger one as the largest.
    @inlinable
    public mutating func value(_ integer: some FixedWidthInteger) {
        value(magnitude: UInt64(clamping: integer.magnitude), isNegative: integer < 0)
    }

    @usableFromInline
    mutating func value(magnitude: UInt64, isNegative: Bool) {
        number(magnitude, isNegative: isNegative)
    }

    /// Writes a number rounded to so many decimals (0...9), without trailing zeros; `null` if it isn't finite.
    public mutating func value(_ number: Double, decimals: Int) {
        guard number.isFinite else { return null() }
        decimal(number, decimals)
    }

    /// Writes `true` or `false`.
    public mutating func value(_ flag: Bool) {
        separate()
        ascii(flag ? "true" : "false")
    }

    /// Writes a moment as Unix seconds with milliseconds.
    public mutating func value(_ time: Timestamp) {
        scaled(time.milliseconds, 3)
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

    /// Writes a key and an integer; nothing for nil.
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

    /// Writes a key and a value that is JSON already.
    public mutating func field(_ name: String, json value: [UInt8]) {
        key(name)
        separate()
        bytes += value
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

    /// Writes a string in quotes, after a comma if one is due, and then the byte `end`.
    private mutating func quote(_ string: String, _ end: UInt8?) {
        let text = string.utf8.span
        let isDue = needsComma
        var holdsEscaped = false
        // One append, since reserving capacity costs more than writing a key.
        bytes.append(addingCapacity: text.count + 4) { output in
            if isDue { output.append(0x2C) }
            output.append(0x22)
            for index in text.indices {
                let byte = text[index]
                holdsEscaped = holdsEscaped || Self.isEscaped(byte)
                output.append(byte)
            }
            output.append(0x22)
            if let end { output.append(end) }
        }
        needsComma = end == nil
        if holdsEscaped { escape(text.count, end) }
    }

    private static func isEscaped(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F }

    /// Replaces the last `count` bytes, a string in quotes, by its escaped form.
    private mutating func escape(_ count: Int, _ end: UInt8?) {
        bytes.removeLast(end == nil ? 1 : 2)
        let string = bytes.suffix(count)
        bytes.removeLast(count)
        for byte in string {
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
        bytes.append(0x22)
        if let end { bytes.append(end) }
    }

    /// Writes `magnitude / 10^decimals`, after a comma if one is due.
    private mutating func number(_ magnitude: UInt64, isNegative: Bool, decimals: Int = 0) {
        // A comma, a sign, a point and the twenty digits of the largest; filled from the end, so that no reversal is
        // needed.
        var text = InlineArray<23, UInt8>(repeating: 0)
        var first = text.count
        var (rest, left) = (magnitude, decimals)
        repeat {
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
            first -= 1
            text[first] = 0x30 + UInt8(truncatingIfNeeded: remainder)
            rest = quotient
            left -= 1
            if left == 0 {
                first -= 1
                text[first] = 0x2E
            }
        } while rest != 0 || left >= 0
        if isNegative {
            first -= 1
            text[first] = 0x2D
        }
        if needsComma {
            first -= 1
            text[first] = 0x2C
        }
        needsComma = true
        bytes.append(addingCapacity: text.count - first) { output in
            for index in first..<text.count { output.append(text[index]) }
        }
    }

    private mutating func decimal(_ number: Double, _ decimals: Int) {
        var power = 1.0
        for _ in 0..<decimals { power *= 10 }
        let product = (number * power).rounded()
        guard product.magnitude < 9e15 else {
            separate()
            return ascii(number.description)
        }
        scaled(Int64(product), decimals)
    }

    /// Writes `value / 10^decimals` without trailing zeros.
    private mutating func scaled(_ value: Int64, _ decimals: Int) {
        var (magnitude, decimals) = (value.magnitude, decimals)
        while decimals > 0 {
            let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: 10)
            guard remainder == 0 else { break }
            (magnitude, decimals) = (quotient, decimals - 1)
        }
        number(magnitude, isNegative: value < 0, decimals: decimals)
    }
}

#if compiler(<6.3)
    extension [UInt8] {
        /// Appends the bytes that `body` writes, `count` at most. The standard library has it since Swift 6.3.
        fileprivate mutating func append(
            addingCapacity count: Int, initializingWith body: (inout OutputSpan<UInt8>) -> Void
        ) {
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { room in
                var output = unsafe OutputSpan(buffer: room, initializedCount: 0)
                body(&output)
                let written = unsafe output.finalize(for: room)
                unsafe append(contentsOf: room[..<written])
            }
        }
    }
#endif
