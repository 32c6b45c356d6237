/// A block of 16 bytes, the input and output of AES, as two integers; the first byte of each is the most significant.
public struct AESBlock: Hashable, Sendable, BitwiseCopyable {
    /// The bytes 0...7.
    public var high: UInt64
    /// The bytes 8...15.
    public var low: UInt64

    /// A block of these halves; zeros by default.
    @inlinable
    public init(high: UInt64 = 0, low: UInt64 = 0) {
        self.high = high
        self.low = low
    }

    /// The bytes from `offset` on, at most 16, padded with zeros.
    public init(_ bytes: Span<UInt8>, from offset: Int = 0) {
        self.init()
        guard offset >= 0 else { return }
        for place in 0..<max(0, min(16, bytes.count - offset)) { self[place] = bytes[offset + place] }
    }

    /// The byte at an index of 0...15.
    @inlinable
    public subscript(place: Int) -> UInt8 {
        get {
            UInt8(truncatingIfNeeded: (place < 8 ? high : low) >> UInt64(8 * (7 - place % 8)))
        }
        set {
            let shift = UInt64(8 * (7 - place % 8))
            if place < 8 {
                high = high & ~(0xFF << shift) | UInt64(newValue) << shift
            } else {
                low = low & ~(0xFF << shift) | UInt64(newValue) << shift
            }
        }
    }

    /// The sum of two blocks without carries.
    @inlinable
    public static func ^ (left: AESBlock, right: AESBlock) -> AESBlock {
        AESBlock(high: left.high ^ right.high, low: left.low ^ right.low)
    }

    /// The next block of a counter; the first one follows the last.
    var next: AESBlock {
        let (low, isFull) = low.addingReportingOverflow(1)
        return AESBlock(high: isFull ? high &+ 1 : high, low: low)
    }

    /// The block times x in the field of CMAC (NIST SP 800-38B section 6.1).
    var doubled: AESBlock {
        AESBlock(high: high << 1 | low >> 63, low: low << 1 ^ (high >> 63 == 1 ? 0x87 : 0))
    }
}
