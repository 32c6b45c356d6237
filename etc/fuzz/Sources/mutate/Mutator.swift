/// Makes faulty inputs of whole ones.
struct Mutator {
    /// The most bytes of an input.
    static let limit = 4096
    private static let edges: [UInt8] = [0x00, 0x01, 0x7F, 0x80, 0xFF, 0x0A, 0x20, 0x22, 0x5C, 0x2D]
    private static let words: [[UInt8]] = [
        "{", "}", "[", "]", "\"", ":", ",", "\\u", "\\ud800", "1e999", "-", "0.", "null", "true", "9223372036854775808",
        "\n", "\n  ", "\t", ": ", "- ", "&a ", "*a", "!!", "%", "---\n", "...\n", "|\n", ">-\n", "? ", "#", "''", "~",
    ].map { Array($0.utf8) }

    let seeds: [[UInt8]]
    /// How many of the seeds, from the first on, are whole; every other input is made of one of them.
    let whole: Int
    let isText: Bool
    private(set) var input: [UInt8] = []

    init(seeds: [[UInt8]], whole: Int, isText: Bool) {
        self.seeds = seeds
        self.whole = whole
        self.isText = isText
        input.reserveCapacity(Self.limit + 256)
    }

    /// Puts another input in place, which `random` alone decides.
    mutating func make(_ random: inout Generator) {
        input.removeAll(keepingCapacity: true)
        let seed = random.below(random.below(2) == 0 ? whole : seeds.count)
        input.append(contentsOf: seeds[seed].prefix(Self.limit))
        for _ in 0...random.below(4) { mutate(&random) }
        if input.count > Self.limit { input.removeLast(input.count - Self.limit) }
    }

    private mutating func mutate(_ random: inout Generator) {
        guard !input.isEmpty else { return insert(&random) }
        let place = random.below(input.count)
        switch random.below(isText ? 9 : 8) {
        case 0: input[place] ^= 1 << UInt8(random.below(8))
        case 1: input[place] = UInt8(truncatingIfNeeded: random.next())
        case 2: input[place] = Self.edges[random.below(Self.edges.count)]
        case 3: input.removeLast(input.count - place)
        case 4: input.removeSubrange(place..<min(input.count, place + 1 + random.below(8)))
        case 5: insert(&random)
        case 6: splice(&random)
        case 7: editLength(&random)
        default: input.insert(contentsOf: Self.words[random.below(Self.words.count)], at: place)
        }
    }

    /// Random bytes, or a piece of the input again.
    private mutating func insert(_ random: inout Generator) {
        let place = random.below(input.count + 1)
        if input.isEmpty || random.below(2) == 0 {
            for _ in 0...random.below(8) { input.insert(UInt8(truncatingIfNeeded: random.next()), at: place) }
        } else {
            let start = random.below(input.count)
            let piece = Array(input[start..<min(input.count, start + 1 + random.below(32))])
            input.insert(contentsOf: piece, at: place)
        }
    }

    /// The rest of another seed behind a beginning of this one.
    private mutating func splice(_ random: inout Generator) {
        let other = seeds[random.below(seeds.count)]
        guard !other.isEmpty else { return }
        input.removeLast(input.count - random.below(input.count + 1))
        input.append(contentsOf: other[random.below(other.count)...].prefix(Self.limit))
    }

    /// A number of 8, 16 or 32 bits that could be a length: near what is left, what is there, or an end of its range.
    private mutating func editLength(_ random: inout Generator) {
        let place = random.below(input.count)
        let size = [1, 2, 4][random.below(3)]
        guard place + size <= input.count else { return }
        let left = input.count - place - size
        let present = (0..<size).reduce(0) { $0 << 8 | UInt32(input[place + $1]) }
        var value: UInt32
        switch random.below(4) {
        case 0: value = UInt32(left)
        case 1: value = UInt32(input.count)
        case 2: value = present
        default: value = [0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF][random.below(8)]
        }
        value = value &+ UInt32(random.below(5)) &- 2
        let littleEndian = random.below(2) == 0
        for index in 0..<size {
            let shift = UInt32(8 * (littleEndian ? index : size - 1 - index))
            input[place + index] = UInt8(truncatingIfNeeded: value >> shift)
        }
    }
}
