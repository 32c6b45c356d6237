/// A message as it was published, to be held against the description of its topic.
public struct PublishedMessage: Sendable {
    /// The topic, with the prefix.
    public var topic: String
    /// The payload.
    public var payload: [UInt8]
    /// The quality of service; nil where it is not known.
    public var qos: Int?
    /// True if it is retained; nil if that is not known.
    public var isRetained: Bool?

    /// A message by all its values.
    public init(topic: String, payload: [UInt8], qos: Int? = nil, isRetained: Bool? = nil) {
        (self.topic, self.payload, self.qos, self.isRetained) = (topic, payload, qos, isRetained)
    }

    private static let descriptions = TopicDescription.all
    private static let answers = PayloadObject(keys: AnswerDescription.all.flatMap(\.object.keys), samples: [])

    /// The description of a topic under a prefix; nil where there is none.
    public static func description(of topic: String, prefix: String) -> TopicDescription? {
        guard topic.hasPrefix(prefix + "/") else { return nil }
        let levels = topic.dropFirst(prefix.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        return descriptions.first { description in
            let pattern = description.pattern.split(separator: "/")
            return pattern.count == levels.count && zip(pattern, levels).allSatisfy { $0.hasPrefix("<") || $0 == $1 }
        }
    }

    /// The parts of this message that the description lacks; none for topics outside the prefix.
    public func contradictions(prefix: String = "whereabouts") -> [String] {
        guard topic.hasPrefix(prefix + "/") else { return [] }
        guard let description = Self.description(of: topic, prefix: prefix) else { return ["\(topic): not described"] }
        var found: [String] = []
        if let qos, qos != description.qos { found.append("\(topic): QoS \(qos) for \(description.qos)") }
        if let isRetained, isRetained != description.isRetained {
            found.append("\(topic): retained \(isRetained) for \(description.isRetained)")
        }
        let object: PayloadObject? =
            switch description.payload {
            case .object(let object): object
            case .elsewhere: description.pattern.hasSuffix("command") ? nil : Self.answers
            case .text: nil
            }
        return found + (object?.undescribed(in: payload) ?? []).map { "\(topic): the key '\($0)' is not described" }
    }
}
