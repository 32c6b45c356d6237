import Glibc
import MQTT
import WireProtocol
import Support

/// A client and all that it told, taken as a program does: `poll(2)` on its descriptor.
final class Watcher {
    let client: MQTTClient
    private(set) var events: [MQTTEvent] = []
    private var taken: [MQTTEvent] = []
    /// True if the broker has answered the subscriptions of the present connection.
    private var isAnswered = false

    init(
        _ broker: Broker, id: String, subscribing subscriptions: [Subscription] = [],
        _ adjust: (inout MQTTConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = MQTTConfiguration(address: try BrokerAddress(url: broker.url), clientID: id)
        configuration.backoff = Backoff(first: 0.05, maximum: 0.2)
        adjust(&configuration)
        client = try MQTTClient(configuration)
        try client.subscribe(subscriptions)
        try client.start()
    }

    deinit {
        client.stop(timeout: 0)
    }

    var messages: [Message] {
        events.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    /// All events but messages, without their details.
    var changes: [String] {
        events.compactMap {
            switch $0 {
            case .connected: "connected"
            case .disconnected: "disconnected"
            case .connectFailed: "failed"
            case .spokeOlderProtocol: "older"
            case .subscriptionRefused: "subscription refused"
            case .publishRefused: "publish refused"
            case .subscriptionGranted: "subscription granted"
            case .message, .turnedTo, .subscriptionAnswered, .subscriptionsAnswered: nil
            }
        }
    }

    var errors: [MQTTError] {
        events.compactMap {
            switch $0 {
            case .disconnected(let error), .connectFailed(let error), .spokeOlderProtocol(let error): error
            case .subscriptionRefused(_, let error), .publishRefused(_, let error): error
            case .connected, .message, .turnedTo, .subscriptionGranted, .subscriptionAnswered, .subscriptionsAnswered:
                nil
            }
        }
    }

    /// The brokers that it turned to.
    var turns: [BrokerAddress] { events.compactMap { if case .turnedTo(let address) = $0 { address } else { nil } } }

    func texts(_ topic: String) -> [String] {
        messages.filter { $0.topic == topic }.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    func forget() { events = [] }

    /// Takes events until the condition holds, for at most `seconds`; whether it did.
    func wait(_ seconds: Double = 10, for condition: (Watcher) -> Bool) -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        while true {
            client.takeEvents(into: &taken)
            events += taken
            for event in taken {
                switch event {
                case .connected, .disconnected: isAnswered = false
                case .subscriptionsAnswered: isAnswered = true
                default: break
                }
            }
            if condition(self) { return true }
            guard clock.now < end else { return false }
            var descriptor = pollfd(fd: client.inboxDescriptor, events: Int16(POLLIN), revents: 0)
            poll(&descriptor, 1, 50)
        }
    }

    /// Waits for a connection and the answers to its subscriptions.
    func waitConnected() -> Bool { wait { $0.client.isConnected && $0.isAnswered } }

    /// Waits until a message of its own comes back, so all before it has come too.
    func waitRoundTrip(_ topic: String, qos: Message.QualityOfService = .atLeastOnce) -> Bool {
        client.publish(Message(topic: topic, text: "mark", qos: qos))
        return wait { $0.texts(topic).contains("mark") }
    }
}
