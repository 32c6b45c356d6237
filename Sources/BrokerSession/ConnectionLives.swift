/// Tells a broker that ends one connection after the other soon after each was made, which is most often two programs
/// with one client id: each of them throws the other out (MQTT 5 section 3.1.4), and not every broker gives the reason.
struct ConnectionLives {
    /// A connection that didn't last so long, in nanoseconds, is a short one.
    static let short: Int64 = 10_000_000_000
    /// Short ones in a row before anything is made of them.
    static let suspicious = 3

    private var began: Int64?
    private var shortOnes = 0

    /// Says that a connection was made; times are nanoseconds of a clock that is never set.
    mutating func connected(at time: Int64) { began = time }

    /// Says that it was lost. Whether another program seems to have taken it, again and again.
    mutating func lost(at time: Int64) -> Bool {
        let isShort = began.map { time - $0 < Self.short } ?? false
        shortOnes = isShort ? shortOnes + 1 : 0
        return shortOnes >= Self.suspicious
    }
}
