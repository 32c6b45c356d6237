import Bytes

/// A 128-bit UUID (RFC 9562) as beacons carry it, most significant byte first.
public struct BeaconUUID: Hashable, Sendable, BitwiseCopyable {
    /// The first eight bytes.
    public let high: UInt64
    /// The last eight bytes.
    public let low: UInt64

    /// A UUID of two halves.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The 16 bytes from `offset` on, or nil if they would pass the end.
    public init?(_ bytes: Span<UInt8>, at offset: Int = 0) {
        guard let high = bytes.bigEndian(UInt64.self, at: offset) else { return nil }
        guard let low = bytes.bigEndian(UInt64.self, at: offset + 8) else { return nil }
        self.init(high: high, low: low)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: high)
        bytes.append(bigEndian: low)
    }
}

extension BeaconUUID: CustomStringConvertible {
    /// Reads 32 digits of either case, or digits with hyphens in the groups 8-4-4-4-12; nil for anything else.
    public init?(_ text: some StringProtocol) {
        let length = text.utf8.count
        guard length == 32 || length == 36 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        var place = 0
        for character in text.utf8 {
            if length == 36, place == 8 || place == 13 || place == 18 || place == 23 {
                guard character == UInt8(ascii: "-") else { return nil }
            } else {
                guard let value = Hex.value(character) else { return nil }
                high = high << 4 | low >> 60
                low = low << 4 | UInt64(value)
            }
            place += 1
        }
        self.init(high: high, low: low)
    }

    /// Lower case with hyphens, such as `48534442-4c45-4144-80c0-1800fffffff0`.
    public var text: String {
        var ascii: [UInt8] = []
        ascii.reserveCapacity(36)
        for place in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 { ascii.append(UInt8(ascii: "-")) }
            let half = place < 16 ? high : low
            ascii.append(Hex.digit(UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (place % 16)))))
        }
        return String(decoding: ascii, as: UTF8.self)
    }

    /// The same as ``text``.
    public var description: String { text }
}
