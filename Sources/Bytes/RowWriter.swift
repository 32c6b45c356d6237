/// Writes the values of a record in sequence, most significant byte first, as a database column stores it.
public struct RowWriter {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []

    /// An empty row.
    public init() {}

    /// Appends an integer of up to 64 bits.
    @inlinable
    public mutating func append(_ value: some FixedWidthInteger) {
        append(UInt64(truncatingIfNeeded: value), byteCount: value.bitWidth / 8)
    }

    /// Appends the low bytes of an integer, the highest of them first. Not generic: a generic body would run
    /// unspecialized in other modules.
    @usableFromInline
    mutating func append(_ value: UInt64, byteCount: Int) {
        for place in (0..<byteCount).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place))) }
    }

    /// Appends a number (IEEE 754 binary32).
    public mutating func append(_ value: Float) { append(value.bitPattern) }

    /// Appends the first 255 bytes of a text, after their count.
    public mutating func append(_ text: String) {
        let utf8 = text.utf8.prefix(255)
        append(UInt8(utf8.count))
        bytes.append(contentsOf: utf8)
    }
}

/// Reads the bytes that `RowWriter` wrote. Each read returns nil at the end of the bytes.
public struct RowReader {
    /// The number of bytes read.
    public private(set) var offset = 0

    /// A reader at the beginning of a row.
    public init() {}

    /// The next integer.
    public mutating func next<Value: FixedWidthInteger>(_ type: Value.Type, _ bytes: Span<UInt8>) -> Value? {
        let length = Value.bitWidth / 8
        guard bytes.count - offset >= length else { return nil }
        var value: Value = 0
        for _ in 0..<length {
            value = value << 8 | Value(truncatingIfNeeded: bytes[offset])
            offset += 1
        }
        return value
    }

    /// The next number; nil also if it isn't finite.
    public mutating func nextNumber(_ bytes: Span<UInt8>) -> Float? {
        guard let bits = next(UInt32.self, bytes) else { return nil }
        let value = Float(bitPattern: bits)
        return value.isFinite ? value : nil
    }

    /// The next text; nil also if it isn't UTF-8.
    public mutating func nextText(_ bytes: Span<UInt8>) -> String? {
        guard let count = next(UInt8.self, bytes), bytes.count - offset >= Int(count) else { return nil }
        let place = offset..<offset + Int(count)
        offset += Int(count)
        return bytes.extracting(place).text
    }
}
