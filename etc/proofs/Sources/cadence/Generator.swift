/// Random numbers that a seed repeats (SplitMix64).
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 0..<1.
    mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Around 0 with a standard deviation of 1: the sum of twelve uniform numbers, less six.
    mutating func normal() -> Double {
        var sum = -6.0
        for _ in 0..<4 {
            let bits = next()
            // Three numbers of 21 bits out of one of 64.
            let sums = (bits & 0x1F_FFFF) + (bits >> 21 & 0x1F_FFFF) + (bits >> 42 & 0x1F_FFFF)
            sum += Double(sums) / 0x20_0000
        }
        return sum
    }
}
