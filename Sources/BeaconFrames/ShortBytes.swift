/// Up to 26 bytes in place, so that a frame that holds them holds no references and is no larger than others.
struct ShortBytes: Hashable, Sendable, BitwiseCopyable {
    /// The maximum number of bytes.
    static let capacity = 26

    private var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    private var last: UInt16 = 0
    private(set) var count: UInt8 = 0

    /// The bytes from `offset` to the end; nil if there are more than ``capacity``.
    init?(_ bytes: Span<UInt8>, from offset: Int) {
        guard offset >= 0, bytes.count - offset <= Self.capacity else { return nil }
        for index in min(offset, bytes.count)..<bytes.count { append(bytes[index]) }
    }

    /// All of them.
    var bytes: [UInt8] {
        (0..<Int(count)).map { place in
            let word =
                switch place / 8 {
                case 0: words.0
                case 1: words.1
                case 2: words.2
                default: UInt64(last)
                }
            return UInt8(truncatingIfNeeded: word >> UInt64(8 * (place % 8)))
        }
    }

    private mutating func append(_ byte: UInt8) {
        let bits = UInt64(byte) << UInt64(8 * (count % 8))
        switch count / 8 {
        case 0: words.0 |= bits
        case 1: words.1 |= bits
        case 2: words.2 |= bits
        default: last |= UInt16(truncatingIfNeeded: bits)
        }
        count += 1
    }

    static func == (left: ShortBytes, right: ShortBytes) -> Bool {
        left.count == right.count && left.words == right.words && left.last == right.last
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(last)
    }
}
