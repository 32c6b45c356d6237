internal import BrokerSession
internal import WireProtocol

/// A command to a node or a fuser, and the topic of its answer: our own or, if one of the two has MQTT 3.1.1 alone, the
/// one shared by all answers without a topic of their own.
struct Question {
    /// The receiver of commands.
    enum Receiver {
        case node(String)
        case fuser(String)
    }

    private let receiver: Receiver
    private let results: String
    private let topics: Topics
    private let exchange: Exchange
    private let author: Author

    /// Waits until answers can arrive: once the mark is back, the subscription is active.
    init(to receiver: Receiver, _ topics: Topics, _ exchange: Exchange, by author: Author) throws {
        (self.receiver, self.topics, self.exchange, self.author) = (receiver, topics, exchange, author)
        switch receiver {
        case .node(let node): results = topics.commandResult(node)
        case .fuser(let fuser): results = topics.fuserCommandResult(fuser)
        }
        try exchange.listen([results])
        _ = try exchange.retained([results])
    }

    /// Sends a command with the right that it needs, and waits for an answer that `read` accepts; nil if none arrived in
    /// time.
    func ask<Answer>(
        _ command: [UInt8], _ right: CommandRight, within seconds: Double = Exchange.patience,
        _ read: ([UInt8]) -> Answer?
    ) throws -> Answer? {
        let topic =
            switch receiver {
            case .node(let node): topics.nodeCommand(node, right, user: author.level)
            case .fuser(let fuser): topics.fuserCommand(fuser, right, user: author.level)
            }
        var request = Message(topic: topic, payload: author.signature.sign(command), qos: .atLeastOnce)
        request.responseTopic = exchange.replyTopic
        let places = [exchange.replyTopic, results]
        return try exchange.request(request, within: seconds) { message in
            places.contains(message.topic) ? read(message.payload) : nil
        }
    }
}
