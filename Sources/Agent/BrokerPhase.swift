internal import Bytes

/// The steps after a connection to the broker, on the monotonic clock.
struct BrokerPhase {
    /// The time over which a fleet that has lost its broker publishes its states again, each node at its own moment.
    static let reunion: Duration = .seconds(3)
    /// The time from a connection to the release of unused code, in which the registry arrives and the first windows
    /// are sent.
    private static let timeToSettle: Duration = .seconds(5)

    /// True if the session's event of a connection was processed, which follows the connection itself.
    private(set) var hasMet = false
    private var settlesAt: MonotonicTime?
    /// The moment at which the retained state is published again.
    private(set) var republishesAt: MonotonicTime?

    /// Records a connection: the first one, or a later one, after which a burst of all nodes is avoided.
    mutating func connected(isFirst: Bool, _ stagger: PublicationStagger, at now: MonotonicTime) {
        hasMet = true
        settlesAt = now + Self.timeToSettle
        republishesAt = isFirst ? now : now + stagger.share(of: Self.reunion)
    }

    /// Returns true once if the code that only the start and a connection need may be released.
    mutating func takeSettled(at now: () -> MonotonicTime) -> Bool {
        guard let moment = settlesAt, now() >= moment else { return false }
        settlesAt = nil
        return true
    }

    /// Returns true once if the retained state is to be published again.
    mutating func takeRepublication(at now: () -> MonotonicTime) -> Bool {
        guard let moment = republishesAt, now() >= moment else { return false }
        republishesAt = nil
        return true
    }
}
