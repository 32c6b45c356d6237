/// One MQTT message, as it is published or received.
public struct Message: Hashable, Sendable {
    /// The guarantee of delivery (MQTT 5 section 4.3).
    public enum QualityOfService: UInt8, Sendable {
        /// At most once.
        case atMostOnce = 0
        /// Once, or more often.
        case atLeastOnce = 1
    }

    /// The whole topic, prefix included.
    public var topic: String
    /// The payload; empty clears a retained topic.
    public var payload: [UInt8]
    /// The guarantee of delivery.
    public var qos: QualityOfService
    /// Published: a request to the broker to retain it. Received: true if it was retained before the subscription.
    public var retained: Bool
    /// The topic for the answer, chosen by the sender (MQTT 5 section 3.3.2.3.5); nil for none, and always by MQTT
    /// 3.1.1.
    public var responseTopic: String?
    /// The sender's data to identify the answer (MQTT 5 section 3.3.2.3.6); nil for none, and always by MQTT 3.1.1.
    public var correlationData: [UInt8]?

    /// Seconds after which it expires: then no broker of MQTT 5 delivers it any more (section 3.3.2.3.3), and a client
    /// without a connection doesn't retain it for one. Nil for never.
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

    /// The message that removes a topic's retained message from the broker (MQTT 5 section 3.3.1.3).
    public static func clearing(_ topic: String) -> Message {
        Message(topic: topic, payload: [], qos: .atLeastOnce, retained: true)
    }
}
