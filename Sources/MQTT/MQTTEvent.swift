public import WireProtocol

/// What a client tells its program, in the order in which it happened.
public enum MQTTEvent: Hashable, Sendable {
    /// The broker accepted the connection, and the subscriptions were asked for again. Retained state is to be published anew.
    case connected(sessionPresent: Bool)
    /// The connection was lost; the client tries again by itself.
    case disconnected(MQTTError)
    /// No connection could be made; the client tries again by itself. Told once, and again only when the reason changes.
    case connectFailed(MQTTError)
    /// What is told from here on is of this broker. Only where there are several, and when it is another than before.
    case turnedTo(BrokerAddress)
    /// The broker doesn't speak MQTT 5; for the next hour the client speaks 3.1.1, and tries 5 again then. Told once.
    case spokeOlderProtocol(MQTTError)
    /// The broker denied a subscription. Reported once a connection for each filter; the client requests it again by itself,
    /// after a pause that doubles from a second to a minute.
    case subscriptionRefused(filter: String, MQTTError)
    /// The broker granted a subscription that it had denied, on this connection or an earlier one.
    case subscriptionGranted(filter: String)
    /// The broker has answered all subscriptions that the connection began with: each is granted, or was reported as
    /// refused. Reported once a connection.
    case subscriptionsAnswered
    /// The broker (or its stated limits) refused a message. Told once a connection for each reason; all are counted.
    /// Acknowledgements are looked at after the messages that came with them.
    case publishRefused(topic: String, MQTTError)
    /// A message of one of the subscriptions.
    case message(Message)
}

/// What became of a message given to `MQTTClient.publish`.
public enum PublishOutcome: Hashable, Sendable {
    /// It waits to be sent.
    case queued
    /// There is no connection, and a message of QoS 0 is not kept for one.
    case droppedDisconnected
    /// The queue is full.
    case droppedFull
    /// The topic is empty, too long, or has a wildcard or a NUL; or the payload is larger than MQTT can carry.
    case invalid
    /// The client was stopped.
    case stopped
}

/// What a client counted since it was made.
public struct MQTTStatistics: Hashable, Sendable {
    /// Connections that the broker accepted.
    public var connections = 0
    /// Messages written to the socket (QoS 0) or acknowledged (QoS 1).
    public var sent = 0
    /// Messages of QoS 0 dropped because there was no connection.
    public var droppedDisconnected = 0
    /// Messages of QoS 0 dropped because more came than may go out in a second, or to make room for others.
    public var droppedFlood = 0
    /// Messages dropped because they waited for longer than they were of use.
    public var droppedExpired = 0
    /// Messages dropped because the outgoing queue was full.
    public var droppedFull = 0
    /// Messages that waited when the client was stopped.
    public var droppedAtStop = 0
    /// Messages that the broker, or a limit that it stated, refused.
    public var refused = 0
    /// Messages received.
    public var received = 0
    /// Messages received and dropped, because the program hadn't taken those before.
    public var droppedInbox = 0
    /// Messages received and dropped, because they were larger than the stated maximum.
    public var droppedOversize = 0

    /// How often the client's thread woke up.
    public var wakeups = 0

    /// All outgoing messages that were dropped or refused.
    public var dropped: Int {
        droppedDisconnected + droppedFlood + droppedExpired + droppedFull + droppedAtStop + refused
    }
}

/// A topic filter and the QoS wanted for it.
public struct Subscription: Hashable, Sendable {
    /// The filter (MQTT 5 section 4.7).
    public var filter: String
    /// The highest QoS in which the broker shall deliver.
    public var qos: Message.QualityOfService

    /// A subscription to a filter.
    public init(_ filter: String, qos: Message.QualityOfService = .atMostOnce) {
        self.filter = filter
        self.qos = qos
    }
}
