/// Randomness by counting: every number is a hash of (seed, names, index). Each can be computed at any time, in any
/// order, by any process, and is always the same.
///
/// The finaliser is SplitMix64's (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
struct RandomStream: Sendable {
    private let key: UInt64

    init(seed: UInt64) {
        key = Self.mixedBits(seed &+ 0x9E37_79B9_7F4A_7C15)
    }

    private init(key: UInt64) {
        self.key = key
    }

    /// The stream of an object within this one. It depends on a name, not on an index: an added node changes no other's
    /// world.
    func child(_ name: String) -> RandomStream {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return RandomStream(key: Self.mixedBits(key ^ Self.mixedBits(hash)))
    }

    /// 64 random bits.
    func bits(_ index: Int64) -> UInt64 {
        Self.mixedBits(key &+ UInt64(bitPattern: index) &* 0x9E37_79B9_7F4A_7C15)
    }

    /// A number uniform over 0 ..< 1.
    func uniform(_ index: Int64) -> Double {
        Double(bits(index) >> 11) * 0x1p-53
    }

    /// A number uniform over a range.
    func uniform(_ index: Int64, in range: ClosedRange<Double>) -> Double {
        range.lowerBound + uniform(index) * (range.upperBound - range.lowerBound)
    }

    /// An integer of 0 ..< `count`; `count` must be positive.
    func choice(_ index: Int64, of count: Int) -> Int {
        Int(bits(index).multipliedFullWidth(by: UInt64(count)).high)
    }

    /// A number near a standard normal: mean 0, deviation 1, never beyond 3.47 (a sum of four 16-bit lanes).
    func normal(_ index: Int64) -> Double {
        Self.normal(bits(index))
    }

    /// The same on a lattice of two indices.
    func normal(_ column: Int64, _ row: Int64) -> Double {
        Self.normal(Self.mixedBits(bits(column) &+ UInt64(bitPattern: row) &* 0xD6E8_FEB8_6659_FD93))
    }

    private static func normal(_ bits: UInt64) -> Double {
        let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
        return (Double(sum) / 65_535 - 2) * 1.732_050_807_568_877_2
    }

    private static func mixedBits(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
