/// One MQTT message, as it is published or received.
public struct Message: Hashable, Sendable {
    /// How often it may arrive (MQTT 5 section 4.3).
    public enum QualityOfService: UInt8, Sendable {
        /// Not at all, or once.
        case atMostOnce = 0
        /// Once, or more often.
        case atLeastOnce = 1
    }

    /// The whole topic, prefix included.
    public var topic: String
    /// The payload; empty clears a retained topic.
    public var payload: [UInt8]
    /// How often it may arrive.
    public var qos: QualityOfService
    /// Published: whether the broker shall keep it. Received: whether it was kept from before the subscription.
    public var retained: Bool
    /// Where its sender wants the answer (MQTT 5 section 3.3.2.3.5); nil for none, and always by MQTT 3.1.1.
    public var responseTopic: String?
    /// What its sender knows the answer by (MQTT 5 section 3.3.2.3.6); nil for none, and always by MQTT 3.1.1.
    public var correlationData: [UInt8]?

    /// Seconds after which it is of no use: then no broker of MQTT 5 gives it any more (section 3.3.2.3.3), and a client
    /// without a connection doesn't keep it for one. Nil for never.
    public var expiry: UInt32?

    /// A message with its payload in bytes.
    public init(topic: String, payload: [UInt8], qos: QualityOfService = .atMostOnce, retained: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retained = retained
    }

    /// A message with a plain text as its payload.
    public init(topic: String, text: String, qos: QualityOfService = .atMostOnce, retained: Bool = false) {
        self.init(topic: topic, payload: Array(text.utf8), qos: qos, retained: retained)
    }

    /// What takes away the message that a broker retains on a topic (MQTT 5 section 3.3.1.3).
    public static func clearing(_ topic: String) -> Message {
        Message(topic: topic, payload: [], qos: .atLeastOnce, retained: true)
    }
}
