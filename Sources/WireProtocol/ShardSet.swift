/// Some of the 256 shards: the first bytes of the SHA-256 of topic levels, by which fusers split the work.
public struct ShardSet: Hashable, Sendable {
    private var bits = SIMD4<UInt64>()

    /// An empty set.
    public init() {}

    /// The shards of a range.
    public init(_ range: ClosedRange<UInt8>) {
        for shard in range { insert(shard) }
    }

    /// Every shard.
    public static let all = ShardSet(0...255)

    /// A Boolean value that is true if the set is empty.
    public var isEmpty: Bool { bits == SIMD4() }

    /// The number of shards in the set.
    public var count: Int { (0..<4).reduce(0) { $0 + bits[$1].nonzeroBitCount } }

    /// Returns true if a shard is in the set.
    public func contains(_ shard: UInt8) -> Bool {
        bits[Int(shard >> 6)] & (1 << UInt64(shard & 63)) != 0
    }

    /// Returns true if the shard of a topic level is in the set. A set of all shards computes no hash.
    public func contains(level: String) -> Bool { self == .all || contains(Topics.shardNumber(of: level)) }

    /// Adds a shard.
    public mutating func insert(_ shard: UInt8) {
        bits[Int(shard >> 6)] |= 1 << UInt64(shard & 63)
    }

    /// The shards of this one that the other lacks.
    public func subtracting(_ other: ShardSet) -> ShardSet {
        var rest = self
        rest.bits &= ~other.bits
        return rest
    }
}
