internal import Bytes

/// The subscriptions requested on a connection, and the broker's answers.
struct SubscriptionRequests {
    /// The requests that the broker has not answered yet, by packet identifier.
    private var open: [Int32: Subscription] = [:]
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

    /// The moment at which a denied subscription is to be requested again; nil if there is none.
    var nextDeadline: MonotonicTime? { denied.nextDeadline }

    /// Records a request that was sent.
    mutating func sent(_ subscription: Subscription, id: Int32) { open[id] = subscription }

    /// Forgets the denial of a filter that is not wanted any more.
    mutating func end(_ filter: String) {
        _ = denied.grant(filter)
        if hasReportedAnswers { open = open.filter { $0.value.filter != filter } }
    }

    /// Removes and returns the denied subscriptions that are to be requested again now.
    mutating func takeDue(at now: MonotonicTime) -> [Subscription] { denied.takeDue(at: now) }

    /// Receives the broker's answer, and returns the events for the program: a denial once a connection, the grant that
    /// ends it, and the end of open requests. A reason of 0x80 and above denies (section 3.9.3 of MQTT 5, and of MQTT
    /// 3.1.1).
    mutating func answer(
        _ id: Int32, reason: Int32, version: ProtocolVersion, at now: MonotonicTime
    ) -> [MQTTEvent] {
        guard let subscription = open.removeValue(forKey: id) else { return [] }
        let filter = subscription.filter
        var events: [MQTTEvent] = []
        if reason < 0x80 {
            if denied.grant(filter) { events.append(.subscriptionGranted(filter: filter)) }
        } else if denied.deny(subscription, at: now) {
            events.append(
                .subscriptionRefused(filter: filter, MQTTError(packet: "SUBACK", reason: reason, version: version)))
        }
        return events + takeAnswered()
    }

    /// Returns, once a connection, the event that no request is open.
    mutating func takeAnswered() -> [MQTTEvent] {
        guard open.isEmpty, !hasReportedAnswers else { return [] }
        hasReportedAnswers = true
        return [.subscriptionsAnswered]
    }
}
