public import Bytes

/// A retained topic that was published and must be cleared when it no longer applies.
public struct TopicRecord: Hashable, Sendable {
    /// The topic.
    public var topic: String
    /// The time of the first publication.
    public var at: Timestamp

    /// A topic by all its values.
    public init(topic: String, at: Timestamp) {
        self.topic = topic
        self.at = at
    }
}
