internal import BrokerSession
internal import WireProtocol

/// A command to a node or a fuser, and the topic of its answer: our own or, if one of the two has MQTT 3.1.1 alone, the
/// one shared by all answers without a topic of their own.
struct Question {
    /// The topics of commands and of answers.
    let commands: String, results: String
    private let exchange: Exchange

    /// Waits until answers can arrive: once the mark is back, the subscription is active.
    init(on commands: String, answeredOn results: String, _ exchange: Exchange) throws {
        (self.commands, self.results, self.exchange) = (commands, results, exchange)
        try exchange.listen([results])
        _ = try exchange.retained([results])
    }

    /// Sends a command, and waits for an answer that `read` accepts; nil if none arrived in time.
    func ask<Answer>(
        _ command: [UInt8], within seconds: Double = Exchange.patience, _ read: ([UInt8]) -> Answer?
    ) throws -> Answer? {
        var request = Message(topic: commands, payload: command, qos: .atLeastOnce)
        request.responseTopic = exchange.replyTopic
        let places = [exchange.replyTopic, results]
        return try exchange.request(request, within: seconds) { message in
            places.contains(message.topic) ? read(message.payload) : nil
        }
    }
}
