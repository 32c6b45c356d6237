internal import Bytes
internal import WireProtocol

/// The subscriptions requested on a connection, and the broker's answers.
///
/// Of those with QoS 1 one is requested at a time. A broker in a cluster that has lost a server may take seconds for each,
/// and reads nothing behind it meanwhile: nats-server 2.9 denies it after four seconds while its servers elect a leader. So
/// messages are sent between two requests there. Elsewhere they wait for the last request, since a program that says that it is
/// online must be reachable.
struct SubscriptionRequests {
    /// For so long messages wait for the answer to a request before the next ones.
    static let patience: Duration = .seconds(1)
    /// After so long without an answer the broker has lost the request. It is made again behind all others.
    static let longestWait: Duration = .seconds(30)

    /// The requests that are not sent yet, in the order of sending.
    private var waiting: [Subscription] = []
    /// The time of the last request with QoS 1.
    private var asked = MonotonicTime.start
    /// The requests that the broker has not answered yet, by packet identifier.
    private var open: [Int32: Subscription] = [:]
    /// The filters that are not wanted any more.
    private var ended: Set<String> = []
    /// True if it was reported that this connection's first requests are all answered.
    private var hasReportedAnswers = false
    /// The subscriptions that were denied on this connection or an earlier one.
    private(set) var denied: DeniedSubscriptions

    /// A new connection's requests, none yet.
    ///
    /// - Parameter denied: the subscriptions that were denied on earlier connections.
    init(denied: DeniedSubscriptions = DeniedSubscriptions()) {
        self.denied = denied
        self.denied.connected()
    }

    /// The moment at which a denied or a lost request is to be made again; nil if there is none.
    var nextDeadline: MonotonicTime? {
        guard !owed.isEmpty else { return denied.nextDeadline }
        let end = asked + Self.longestWait
        return min(denied.nextDeadline ?? end, end)
    }

    /// The packet identifiers of the requests with QoS 1 that the broker has not answered yet.
    private var owed: [Int32] {
        open.isEmpty ? [] : open.filter { $0.value.qos != .atMostOnce }.map(\.key)
    }

    /// Adds requests behind those that wait, or before them.
    mutating func enqueue(_ subscriptions: [Subscription], first: Bool = false) {
        ended.subtract(subscriptions.map(\.filter))
        waiting.insert(contentsOf: subscriptions, at: first ? 0 : waiting.count)
    }

    /// Removes and returns the next request to send; nil if there is none, or the broker owes an answer.
    mutating func takeNext(at now: MonotonicTime) -> Subscription? {
        let owed = owed
        guard owed.isEmpty || now >= asked + Self.longestWait else { return nil }
        for subscription in owed.compactMap({ open.removeValue(forKey: $0) })
        where !ended.contains(subscription.filter) {
            waiting.append(subscription)
        }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    /// The moment until which messages wait, since requests do; nil if they don't.
    func heldUntil(at now: MonotonicTime) -> MonotonicTime? {
        let end = asked + Self.patience
        return !waiting.isEmpty && now < end ? end : nil
    }

    /// Records a request that was sent.
    mutating func sent(_ subscription: Subscription, id: Int32, at now: MonotonicTime) {
        open[id] = subscription
        if subscription.qos != .atMostOnce { asked = now }
    }

    /// Forgets the denial of a filter that is not wanted any more.
    mutating func end(_ filter: String) {
        _ = denied.grant(filter)
        ended.insert(filter)
        waiting.removeAll { $0.filter == filter }
        if hasReportedAnswers { open = open.filter { $0.value.filter != filter } }
    }

    /// Removes and returns the denied subscriptions that are to be requested again now.
    mutating func takeDue(at now: MonotonicTime) -> [Subscription] { denied.takeDue(at: now) }

    /// Receives the broker's answer, and returns the events for the program: a denial once a connection, the grant that
    /// ends it, the answer as such, and the end of open requests. A reason of 0x80 and above denies (section 3.9.3 of MQTT
    /// 5, and of MQTT 3.1.1).
    mutating func answer(
        _ id: Int32, reason: Int32, version: ProtocolVersion, at now: MonotonicTime
    ) -> [MQTTEvent] {
        guard let subscription = open.removeValue(forKey: id) else { return [] }
        let filter = subscription.filter
        var events: [MQTTEvent] = []
        if reason < 0x80 {
            if denied.grant(filter) { events.append(.subscriptionGranted(filter: filter)) }
        } else if !ended.contains(filter), denied.deny(subscription, at: now) {
            events.append(
                .subscriptionRefused(filter: filter, MQTTError(packet: "SUBACK", reason: reason, version: version)))
        }
        return events + [.subscriptionAnswered(filter: filter)] + takeAnswered()
    }

    /// Returns, once a connection, the event that no request is open.
    mutating func takeAnswered() -> [MQTTEvent] {
        guard open.isEmpty, waiting.isEmpty, !hasReportedAnswers else { return [] }
        hasReportedAnswers = true
        return [.subscriptionsAnswered]
    }
}
