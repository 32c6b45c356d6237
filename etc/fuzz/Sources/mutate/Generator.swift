/// Random numbers that a seed repeats (SplitMix64).
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    /// The numbers of one execution of a run, whatever ran before it.
    init(seed: UInt64, execution: UInt64) {
        state = seed &+ execution &* 0xD134_2543_DE82_EF95
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which must be positive. The bias of so small bounds doesn't matter here.
    mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % bound }
}
