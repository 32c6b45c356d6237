/// Events that no controller should send, in an order that a seed repeats.
struct Malformed {
    private var generator: Generator

    init(seed: UInt64) { generator = Generator(seed: seed) }

    /// A packet with the H4 indicator: most are advertising reports with one thing wrong, some are noise.
    mutating func next() -> [UInt8] {
        let isLegacy = Bool.random(using: &generator)
        var reports: [UInt8] = []
        let count = Int.random(in: 1...3, using: &generator)
        for _ in 0..<count {
            reports += isLegacy ? legacyReport() : extendedReport()
        }
        var parameters: [UInt8] = [isLegacy ? 0x02 : 0x0D, UInt8(count)] + reports
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: parameters.removeLast(Int.random(in: 1..<parameters.count, using: &generator))
        case 1: parameters[1] = byte()
        case 2: parameters[2 + Int.random(in: 0..<reports.count, using: &generator)] = byte()
        // Subevents of which the specification knows nothing.
        case 3: parameters[0] = UInt8.random(in: 0xC0...0xFF, using: &generator)
        case 4: parameters += bytes(Int.random(in: 1...20, using: &generator))
        default: parameters.replaceSubrange(1..., with: bytes(Int.random(in: 0...250, using: &generator)))
        }
        parameters = Array(parameters.prefix(255))
        return [0x04, 0x3E, UInt8(parameters.count)] + parameters
    }

    private mutating func legacyReport() -> [UInt8] {
        let data = bytes(Int.random(in: 0...40, using: &generator))
        return [byte(), byte()] + bytes(6) + [UInt8(data.count)] + data + [byte()]
    }

    private mutating func extendedReport() -> [UInt8] {
        let data = bytes(Int.random(in: 0...50, using: &generator))
        return bytes(23) + [UInt8(data.count)] + data
    }

    private mutating func byte() -> UInt8 { UInt8.random(in: 0...255, using: &generator) }
    private mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }
}

/// Random numbers that a seed repeats (xorshift64*).
struct Generator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
