internal import BrokerSession
internal import WireProtocol

/// A command to a node or a fuser, and where its answer comes: on our own topic or, where one of the two speaks MQTT 3.1.1
/// alone, on the one that all answers without a place of their own go to.
struct Question {
    /// Where commands are read, and where answers go.
    let commands: String, results: String
    private let exchange: Exchange

    /// Waits until answers can come: once the mark is back, the subscription stands.
    init(on commands: String, answeredOn results: String, _ exchange: Exchange) throws {
        (self.commands, self.results, self.exchange) = (commands, results, exchange)
        try exchange.listen([results])
        _ = try exchange.retained([results])
    }

    /// Sends a command, and waits for what `read` takes for its answer; nil where none came in time.
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
