/// Detects a broker that ends one connection after the other soon after each was made. The most frequent cause is two
/// programs with one client id: each of them displaces the other (MQTT 5 section 3.1.4), and not every broker reports
/// the reason.
struct ConnectionLives {
    /// The duration in nanoseconds below which a connection counts as short.
    static let short: Int64 = 10_000_000_000
    /// The number of consecutive short connections that raises the suspicion.
    static let suspicious = 3

    private var began: Int64?
    private var shortOnes = 0

    /// Records that a connection was made; times are nanoseconds of a clock that is never set.
    mutating func connected(at time: Int64) { began = time }

    /// Records its loss. Returns true if another program seems to have displaced it repeatedly.
    mutating func lost(at time: Int64) -> Bool {
        let isShort = began.map { time - $0 < Self.short } ?? false
        shortOnes = isShort ? shortOnes + 1 : 0
        return shortOnes >= Self.suspicious
    }
}
