/// The destination of the answer to a request.
public struct ReplyAddress: Hashable, Sendable {
    /// The topic.
    public var topic: String
    /// The data by which the sender identifies the answer (MQTT 5 section 4.10.1); nil for none.
    public var correlationData: [UInt8]?

    /// An address of a topic alone.
    public init(topic: String) {
        self.topic = topic
    }

    /// Seconds after which an answer expires.
    static let expiry: UInt32 = 60

    /// A message to this address, with QoS 1 and not retained.
    public func message(_ payload: [UInt8]) -> Message {
        var message = Message(topic: topic, payload: payload, qos: .atLeastOnce)
        message.correlationData = correlationData
        message.expiry = Self.expiry
        return message
    }
}

extension Topics {
    /// The destination of a request's answer: its response topic if that is under `<prefix>/replies/`, else `fallback`.
    ///
    /// Any other topic would allow a sender of commands to write to topics that only the answering node may write to.
    public func reply(to request: Message, else fallback: String) -> ReplyAddress {
        let stem = replies("")
        guard let topic = request.responseTopic, topic.utf8.starts(with: stem.utf8),
            topic.utf8.count > stem.utf8.count, TopicFilter.isValidTopic(topic)
        else { return ReplyAddress(topic: fallback) }
        var address = ReplyAddress(topic: topic)
        address.correlationData = request.correlationData
        return address
    }
}
