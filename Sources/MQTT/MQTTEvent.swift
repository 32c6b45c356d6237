public import WireProtocol

/// An event of a client, reported in the order of occurrence.
public enum MQTTEvent: Hashable, Sendable {
    /// The broker accepted the connection, and the subscriptions were requested again. Retained state is to be
    /// published anew.
    case connected(sessionPresent: Bool)
    /// The connection was lost; the client tries again by itself.
    case disconnected(MQTTError)
    /// No connection could be made; the client tries again by itself. Reported once, and again only when the reason
    /// changes.
    case connectFailed(MQTTError)
    /// The following events concern this broker. Reported only with several brokers, and when the broker changes.
    case turnedTo(BrokerAddress)
    /// The broker doesn't support MQTT 5; the client uses 3.1.1 for the next hour, and then tries 5 again. Reported
    /// once.
    case spokeOlderProtocol(MQTTError)
    /// The broker denied a subscription. Reported once a connection for each filter; the client requests it again by itself,
    /// after a pause that doubles from a second to a minute.
    case subscriptionRefused(filter: String, MQTTError)
    /// The broker granted a subscription that it had denied, on this connection or an earlier one.
    case subscriptionGranted(filter: String)
    /// The broker has answered the request for a subscription: it is granted, or was reported as refused. Reported for each
    /// request.
    case subscriptionAnswered(filter: String)
    /// The broker has answered all subscriptions that the connection began with: each is granted, or was reported as
    /// refused. Reported once a connection.
    case subscriptionsAnswered
    /// The broker (or its stated limits) rejected a message. Reported once a connection for each reason; all are
    /// counted. Acknowledgements are processed after the messages that came with them.
    case publishRefused(topic: String, MQTTError)
    /// A message of one of the subscriptions.
    case message(Message)
}

/// The immediate result of `MQTTClient.publish`.
public enum PublishOutcome: Hashable, Sendable {
    /// It waits to be sent.
    case queued
    /// There is no connection, and messages of QoS 0 aren't retained for one.
    case droppedDisconnected
    /// The queue is full.
    case droppedFull
    /// The topic is empty, too long, or has a wildcard or a NUL; or the payload exceeds MQTT's limit.
    case invalid
    /// The client was stopped.
    case stopped
}

/// The counts of a client since it was made.
public struct MQTTStatistics: Hashable, Sendable {
    /// Connections that the broker accepted.
    public var connections = 0
    /// Messages written to the socket (QoS 0) or acknowledged (QoS 1).
    public var sent = 0
    /// Messages of QoS 1 acknowledged …
    public var acknowledged = 0
    /// … and the time from sending each of them to its acknowledgement, together.
    public var acknowledging = Duration.zero
    /// Messages of QoS 0 dropped because there was no connection.
    public var droppedDisconnected = 0
    /// Messages of QoS 0 dropped because they exceeded the rate, or to make room for others.
    public var droppedFlood = 0
    /// Messages dropped because they waited beyond their expiry.
    public var droppedExpired = 0
    /// Messages dropped because the outgoing queue was full.
    public var droppedFull = 0
    /// Messages that waited when the client was stopped.
    public var droppedAtStop = 0
    /// Messages that the broker, or a limit that it stated, rejected.
    public var refused = 0
    /// Messages received.
    public var received = 0
    /// Messages received and dropped, because the program hadn't read earlier ones.
    public var droppedInbox = 0
    /// Messages received and dropped, because they were larger than the stated maximum.
    public var droppedOversize = 0

    /// The number of times that the client's thread woke up.
    public var wakeups = 0

    /// All outgoing messages that were dropped or rejected.
    public var dropped: Int {
        droppedDisconnected + droppedFlood + droppedExpired + droppedFull + droppedAtStop + refused
    }
}

/// A topic filter with its requested QoS.
public struct Subscription: Hashable, Sendable {
    /// The filter (MQTT 5 section 4.7).
    public var filter: String
    /// The highest QoS of the deliveries.
    public var qos: Message.QualityOfService

    /// A subscription to a filter.
    public init(_ filter: String, qos: Message.QualityOfService = .atMostOnce) {
        self.filter = filter
        self.qos = qos
    }
}
