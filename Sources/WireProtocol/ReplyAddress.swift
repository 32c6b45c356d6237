/// Where the answer to a request goes.
public struct ReplyAddress: Hashable, Sendable {
    /// The topic.
    public var topic: String
    /// What the answer carries so that its sender knows it (MQTT 5 section 4.10.1); nil for nothing.
    public var correlationData: [UInt8]?

    /// An address of a topic alone.
    public init(topic: String) {
        self.topic = topic
    }

    /// Seconds for which an answer is of use.
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
    /// Where a request wants its answer: at its response topic where that lies under `<prefix>/replies/`, else at `fallback`.
    ///
    /// Elsewhere an answer would let whoever may send commands write where the answering node may and they may not.
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
