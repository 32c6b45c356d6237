extension Span where Element == UInt8 {
    /// The unsigned integer stored least significant byte first at `offset`, or nil if it would pass the end.
    @inlinable
    public func littleEndian<Integer: FixedWidthInteger & UnsignedInteger>(
        _ type: Integer.Type, at offset: Int
    ) -> Integer? {
        let size = Integer.bitWidth / 8
        guard offset >= 0, offset <= count - size else { return nil }
        var value: Integer = 0
        for index in 0..<size { value |= Integer(truncatingIfNeeded: self[offset + index]) << Integer(8 * index) }
        return value
    }

    /// The unsigned integer stored most significant byte first at `offset`, or nil if it would pass the end.
    @inlinable
    public func bigEndian<Integer: FixedWidthInteger & UnsignedInteger>(
        _ type: Integer.Type, at offset: Int
    ) -> Integer? {
        let size = Integer.bitWidth / 8
        guard offset >= 0, offset <= count - size else { return nil }
        var value: Integer = 0
        for index in 0..<size {
            value |= Integer(truncatingIfNeeded: self[offset + index]) << Integer(8 * (size - 1 - index))
        }
        return value
    }

    /// The byte at `offset`, or nil past the end.
    @inlinable
    public func byte(at offset: Int) -> UInt8? {
        offset >= 0 && offset < count ? self[offset] : nil
    }

    /// The signed byte at `offset`, or nil past the end.
    @inlinable
    public func signedByte(at offset: Int) -> Int8? {
        offset >= 0 && offset < count ? Int8(bitPattern: self[offset]) : nil
    }

    /// Returns true if the bytes from `offset` on begin with `prefix`.
    @inlinable
    public func hasBytes(_ prefix: [UInt8], at offset: Int = 0) -> Bool {
        guard offset >= 0, offset <= count - prefix.count else { return false }
        for index in prefix.indices where self[offset + index] != prefix[index] { return false }
        return true
    }
}

extension Array where Element == UInt8 {
    /// Appends the bytes of a span.
    @inlinable
    public mutating func append(contentsOf span: Span<UInt8>) {
        reserveCapacity(count + span.count)
        for index in span.indices { append(span[index]) }
    }

    /// A copy of the bytes of a span.
    @inlinable
    public init(copying span: Span<UInt8>) {
        self = []
        append(contentsOf: span)
    }

    /// Appends an unsigned integer, most significant byte first.
    @inlinable
    public mutating func append<Integer: FixedWidthInteger & UnsignedInteger>(bigEndian value: Integer) {
        for shift in stride(from: Integer.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> Integer(shift)))
        }
    }

    /// Appends an unsigned integer, least significant byte first.
    @inlinable
    public mutating func append<Integer: FixedWidthInteger & UnsignedInteger>(littleEndian value: Integer) {
        for shift in stride(from: 0, to: Integer.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: value >> Integer(shift)))
        }
    }
}
