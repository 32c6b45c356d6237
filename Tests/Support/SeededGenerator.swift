/// Random numbers that a seed repeats (SplitMix64), for tests that print their seed.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The sequence that belongs to `seed`.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next number of the sequence.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number with mean 0 and spread 1 (the sum of twelve).
    public mutating func normal() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
    }
}
