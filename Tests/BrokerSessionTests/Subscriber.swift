import MQTT
import WireProtocol
import Support

/// One who looks on at a broker.
final class Subscriber {
    private let client: MQTTClient
    private(set) var messages: [Message] = []

    init(_ broker: Broker, _ filters: [Subscription]) throws {
        var configuration = MQTTConfiguration(
            address: try BrokerAddress(url: broker.url), clientID: "subscriber-\(UInt64.random(in: 0 ... .max))")
        configuration.backoff = Backoff(first: 0.05, maximum: 0.2)
        client = try MQTTClient(configuration)
        try client.subscribe(filters)
        try client.start()
    }

    deinit { client.stop(timeout: 0) }

    /// The payloads so far.
    var texts: [String] { messages.map { String(decoding: $0.payload, as: UTF8.self) } }

    func forget() { messages = [] }

    /// Takes what has come.
    func take() {
        for event in client.takeEvents() { if case .message(let message) = event { messages.append(message) } }
    }
}
