internal import Bytes

/// Detects a broker that ends one connection after the other soon after each was made. The most frequent cause is two
/// programs with one client id: each of them displaces the other (MQTT 5 section 3.1.4), and not every broker reports
/// the reason.
struct ConnectionLives {
    /// The duration below which a connection counts as short.
    static let short: Duration = .seconds(10)
    /// The number of consecutive short connections that raises the suspicion.
    static let suspicious = 3

    private var began: MonotonicTime?
    private var shortOnes = 0

    /// Records that a connection was made.
    mutating func connected(at time: MonotonicTime) { began = time }

    /// Records its loss. Returns true if another program seems to have displaced it repeatedly.
    mutating func recordLoss(at time: MonotonicTime) -> Bool {
        let isShort = began.map { time - $0 < Self.short } ?? false
        shortOnes = isShort ? shortOnes + 1 : 0
        return shortOnes >= Self.suspicious
    }
}
