internal import Bytes

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

    /// Adds the shards of another set.
    public mutating func formUnion(_ other: ShardSet) { bits |= other.bits }

    /// Removes the shards that another set lacks.
    public mutating func formIntersection(_ other: ShardSet) { bits &= other.bits }

    /// The shards in the set, in order.
    public var shards: [UInt8] { (UInt8.min...UInt8.max).filter(contains) }

    /// The shards of this one that the other lacks.
    public func subtracting(_ other: ShardSet) -> ShardSet {
        var rest = self
        rest.bits &= ~other.bits
        return rest
    }
}

/// On the wire 64 hexadecimal digits: the highest bit of the first one is shard `00`.
extension ShardSet: WireValue {
    /// The text of the set.
    public var text: String {
        (0..<64).reduce(into: "") { text, digit in
            let value = (0..<4).reduce(0) { $0 << 1 | (contains(UInt8(digit * 4 + $1)) ? 1 : 0) }
            text += Hex.text(UInt8(value), digits: 1)
        }
    }

    /// The set of such a text; nil for any other.
    public init?(_ text: some StringProtocol) {
        guard let bytes = Hex.bytes(text), bytes.count == 32 else { return nil }
        for shard in UInt8.min...UInt8.max where bytes[Int(shard >> 3)] & 0x80 >> (shard & 7) != 0 { insert(shard) }
    }

    func write(to json: inout JSONWriter) { json.value(text) }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> Self? { Self(try json.string()) }
}
