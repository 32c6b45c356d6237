/// A beacon's level over the last seconds against that over a quarter of a minute: whether it goes away.
struct LevelTrend: Sendable {
    /// The fast mean lies so many dB below the slow one while someone walks off with it; noise of 4 dB a packet moves the
    /// fast mean by 2.
    static let recession: Float = 6
    /// A level within so many dB of the fast mean is a similar one.
    static let similarity: Float = 12

    private(set) var fast: Float = 0
    private(set) var slow: Float = 0
    private(set) var count: UInt8 = 0

    init() {}

    /// A trend as it was kept; one that isn't a level is forgotten.
    init(fast: Float, slow: Float, count: UInt8) {
        guard (-200...200).contains(fast), (-200...200).contains(slow) else { return }
        (self.fast, self.slow, self.count) = (fast, slow, min(count, 4))
    }

    /// Takes in a level that came so many microseconds after the one before.
    mutating func add(_ rssi: Int8?, after gap: Int64) {
        guard let rssi else { return }
        let level = Float(rssi)
        guard count > 0 else {
            (fast, slow, count) = (level, level, 1)
            return
        }
        if count < 4 { count += 1 }
        let seconds = Float(gap) / 1e6
        fast += (level - fast) * min(seconds / (seconds + 2), 0.6)
        slow += (level - slow) * seconds / (seconds + 15)
    }

    /// Whether the level falls.
    var isReceding: Bool { count >= 4 && fast < slow - Self.recession }

    /// Whether a level is like those before it; any is where one of them isn't known.
    func isSimilar(_ rssi: Int8?) -> Bool {
        guard count > 0, let rssi else { return true }
        return (Float(rssi) - fast).magnitude <= Self.similarity
    }
}
