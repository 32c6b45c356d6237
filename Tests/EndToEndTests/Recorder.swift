import MQTT
import WireProtocol
import Support

/// A subscriber that stores all messages of a broker, in order.
final class Recorder {
    private let client: MQTTClient
    private var taken: [MQTTEvent] = []
    private(set) var messages: [Message] = []
    /// The latest of each topic.
    private(set) var latest: [String: Message] = [:]

    /// Subscribes at QoS 0 unless said otherwise: then all messages of one publisher come in its order.
    init(
        _ broker: Broker, id: String = "recorder", _ filters: [String] = ["#"],
        qos: Message.QualityOfService = .atMostOnce
    ) throws {
        var configuration = MQTTConfiguration(address: try BrokerAddress(url: broker.url), clientID: id)
        configuration.backoff = Backoff(first: 0.05, maximum: 0.2)
        configuration.incoming = .init(messages: 1 << 20, bytes: 256 << 20)
        client = try MQTTClient(configuration)
        try client.subscribe(filters.map { Subscription($0, qos: qos) })
        try client.start()
    }

    deinit { client.stop(timeout: 0) }

    /// True if any message of the broker was lost here.
    var hasLost: Bool { client.statistics.droppedInbox > 0 }
    var isConnected: Bool { client.isConnected }

    /// Consumes messages until the condition holds, for at most `seconds`; true if it did.
    func wait(_ seconds: Double, for condition: (Recorder) -> Bool = { _ in false }) async throws -> Bool {
        try await until(seconds) {
            take()
            return condition(self)
        }
    }

    /// Waits until the subscription is active: a message of its own has come back.
    func ready() async throws -> Bool {
        let mark = "test/ready"
        let came = try await until(20) {
            take()
            if client.isConnected { client.publish(topic: mark, payload: [1]) }
            return latest[mark] != nil
        }
        messages.removeAll { $0.topic == mark }
        return came
    }

    /// Consumes the received messages.
    func poll() { take() }

    func publish(_ message: Message) { client.publish(message) }

    func text(_ topic: String) -> String? { latest[topic].map { String(decoding: $0.payload, as: UTF8.self) } }

    func count(_ prefix: String, from index: Int = 0) -> Int {
        messages[index...].count { $0.topic.hasPrefix(prefix) }
    }

    private func take() {
        client.takeEvents(into: &taken)
        for event in taken {
            guard case .message(let message) = event, message.topic != "test/ready" || latest[message.topic] == nil
            else { continue }
            messages.append(message)
            latest[message.topic] = message
        }
    }
}

/// Waits for a condition that a process causes, for at most `seconds`, and leaves the thread to others meanwhile.
func until(_ seconds: Double, _ condition: () async throws -> Bool) async throws -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while try await !condition() {
        guard clock.now < end else { return try await condition() }
        try await Task.sleep(for: .milliseconds(10))
    }
    return true
}
