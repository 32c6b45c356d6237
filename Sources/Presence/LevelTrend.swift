/// A beacon's level over the last seconds compared with that over a quarter of a minute, to detect a departure.
struct LevelTrend: Sendable {
    /// The difference in dB of the fast mean below the slow one while a person carries it away; noise of 4 dB a packet
    /// moves the fast mean by 2.
    static let recession: Float = 6
    /// A level within so many dB of the fast mean is a similar one.
    static let similarity: Float = 12

    private(set) var fast: Float = 0
    private(set) var slow: Float = 0
    private(set) var count: UInt8 = 0

    init() {}

    /// A trend restored from a record; one that isn't a level is reset.
    init(fast: Float, slow: Float, count: UInt8) {
        guard (-200...200).contains(fast), (-200...200).contains(slow) else { return }
        (self.fast, self.slow, self.count) = (fast, slow, min(count, 4))
    }

    /// Adds a level, received so many seconds after the one before.
    mutating func add(_ rssi: Int8?, after seconds: Float) {
        guard let rssi else { return }
        let level = Float(rssi)
        guard count > 0 else {
            (fast, slow, count) = (level, level, 1)
            return
        }
        if count < 4 { count += 1 }
        fast += (level - fast) * min(seconds / (seconds + 2), 0.6)
        slow += (level - slow) * seconds / (seconds + 15)
    }

    /// A Boolean value that is true if the level falls.
    var isReceding: Bool { count >= 4 && fast < slow - Self.recession }

    /// Returns true if a level is similar to those before it, or if one of them isn't known.
    func isSimilar(_ rssi: Int8?) -> Bool {
        guard count > 0, let rssi else { return true }
        return (Float(rssi) - fast).magnitude <= Self.similarity
    }
}
