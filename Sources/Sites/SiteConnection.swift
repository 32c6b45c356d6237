internal import BrokerSession
public import Bytes
internal import MQTT
public import System
internal import WireProtocol

/// The connection to the broker of a site. It reads, and publishes nothing.
///
/// It belongs to one thread, which waits until `descriptor` is readable and then calls `receive`. Threads of the
/// connection have the priority of the thread that made it.
public final class SiteConnection {
    /// The most that waits to be read, and the largest message: more is dropped and counted.
    private static let incoming = MQTTConfiguration.Bound(messages: 65_536, bytes: 8 << 20)
    private static let largestMessage: UInt32 = 65_536

    private let session: Session
    /// The time of the grant of all subscriptions; nil before it.
    public private(set) var granted: MonotonicTime?
    /// The time of the last message that the broker had retained, or of that grant.
    public private(set) var lastRetained: MonotonicTime?

    /// Begins to connect. Throws if the process has no descriptor or thread left.
    ///
    /// - Parameters:
    ///   - name: the beginning of the client id.
    ///   - patience: the seconds for an answer, shared by the site's brokers; nil for a connection that stays.
    public init(_ site: Site, _ state: SiteState, name: String, log: Log, patience: Double? = nil) throws {
        session = try Session(
            site.mqtt, clientID: "\(name)-\(SystemRandom.epoch())", statusTopic: nil, log: log,
            incoming: Self.incoming, largestMessage: Self.largestMessage, patience: patience)
        session.silentFilters = Set(state.filters)
        try session.start(subscriptions: state.filters.map { Subscription($0) })
    }

    /// Readable while `receive` has something to do.
    public var descriptor: Int32 { session.descriptor }

    /// Hands all that has come to the state of the site.
    public func receive(into state: inout SiteState, at now: MonotonicTime, _ time: Timestamp) {
        session.receive { notice in
            switch notice {
            case .connected:
                (granted, lastRetained) = (nil, nil)
                state.connected(at: now, time)
            case .subscribed:
                (granted, lastRetained) = (now, lastRetained ?? now)
                state.granted(at: now, time)
            case .message(let message):
                if message.retained { lastRetained = now }
                state.receive(message, at: now, time)
            case .trouble(.unreachable(let reason, let cause)):
                var words = reason
                if case .security(let mend?) = cause { words += "; \(mend)" }
                state.lost(words, at: time)
            case .trouble(.subscriptionDenied(let filter, let reason)):
                state.lost("the broker denied reading \(filter): \(reason)", at: time)
            case .subscriptionGranted, .trouble(.publishRefused), .trouble(.statusUnheard), .trouble(.statusReplaced):
                break
            }
        }
        let statistics = session.statistics
        state.set(dropped: statistics.droppedInbox + statistics.droppedOversize)
        state.advance(to: now, time)
    }

    /// Disconnects. Blocks for a second at most.
    public func end() { session.stop(timeout: 0) }
}
