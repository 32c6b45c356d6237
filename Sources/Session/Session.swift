public import Daemon
public import MQTT
public import Sightings

/// A program's life with its broker: connects and goes on connecting, says `online` and repeats it, logs each change of
/// the connection once, and hands messages over.
///
/// It belongs to one thread, which waits until `descriptor` is readable and then calls `receive`.
public final class Session {
    /// What `receive` gives.
    public enum Notice: Sendable {
        /// The broker took the connection: what is retained must be published anew.
        case connected
        /// A message of one of the subscriptions.
        case message(Message)
        /// Something that the broker or the network did not grant; it is in the log already.
        case trouble(Trouble)
    }

    /// What was not granted, with the reason in words.
    public enum Trouble: Hashable, Sendable {
        /// There is no connection; the session tries again by itself.
        case unreachable(String, MQTTError.Cause)
        /// A subscription was denied.
        case subscriptionDenied(filter: String, String)
        /// A message was refused. Told once a connection for each reason.
        case publishRefused(topic: String, String)
    }

    let client: MQTTClient
    private let broker: String
    private let statusTopic: String?
    private let log: Log
    private let clientID: String
    private var lives = ConnectionLives()
    private var events: [MQTTEvent] = []
    /// Whether `online` is still to be said: a queue that an outage has filled took it not.
    private var owesOnline = false

    /// A session that is not started.
    ///
    /// - Parameters:
    ///   - settings: how to reach the broker.
    ///   - clientID: fixed, so that a broker replaces a connection that was left half-open; `settings` may set another.
    ///   - statusTopic: where `online` and, as the last will, `offline` are retained; nil for a program that only reads.
    public init(_ settings: MQTTSettings, clientID: String, statusTopic: String?, log: Log) throws(MQTTError) {
        let address = BrokerAddress(
            scheme: settings.url.isSecure ? .mqtts : .mqtt, host: settings.url.address.host,
            port: settings.url.address.port)
        var configuration = MQTTConfiguration(address: address, clientID: settings.clientID ?? clientID)
        configuration.username = settings.username
        configuration.password = settings.password?.text
        if let file = settings.caFile { configuration.trust = .file(path: file) }
        configuration.keepAlive = UInt16(clamping: settings.keepAlive.components.seconds)
        if let statusTopic {
            configuration.will = Message(topic: statusTopic, text: "offline", qos: .atLeastOnce, retained: true)
        }
        self.clientID = configuration.clientID
        client = try MQTTClient(configuration)
        broker = settings.url.description
        self.statusTopic = statusTopic
        self.log = log
    }

    /// Readable while `receive` has something to give; for `poll(2)`.
    public var descriptor: Int32 { client.inboxDescriptor }
    /// Whether the broker has accepted the present connection.
    public var isConnected: Bool { client.isConnected }
    /// Messages accepted and not yet sent.
    public var unsent: Int { client.unsent }
    /// What was counted since the start.
    public var statistics: MQTTStatistics { client.statistics }

    /// Starts connecting, with these subscriptions on every connection. Doesn't block.
    public func start(subscriptions: [Subscription] = []) throws(MQTTError) {
        // One's own status is read back: the last will may overtake the `online` of a quick reconnection.
        let own = statusTopic.map { [Subscription($0, qos: .atLeastOnce)] } ?? []
        try client.subscribe(own + subscriptions)
        try client.start()
    }

    /// Adds subscriptions; one that is there already is asked for again, so that what is retained comes once more.
    /// Doesn't block.
    public func subscribe(_ subscriptions: [Subscription]) throws(MQTTError) {
        try client.subscribe(subscriptions)
    }

    /// Gives a message to be sent; false where it was dropped, which the statistics count. Doesn't block.
    @discardableResult
    public func publish(_ message: Message) -> Bool {
        client.publish(message) == .queued
    }

    /// Blocks until fewer than `limit` messages are unsent, for at most `timeout` seconds; whether it came to that.
    public func waitUntilUnsent(below limit: Int, timeout: Double) -> Bool {
        client.waitUntilUnsent(below: limit, timeout: timeout)
    }

    /// Takes what waits and gives what the program must act on. Doesn't block.
    public func receive(_ body: (Notice) -> Void) {
        if owesOnline, client.isConnected { sayOnline() }
        client.takeEvents(into: &events)
        for event in events {
            switch event {
            case .connected:
                lives.connected(at: MonotonicClock.now())
                log.change("broker", .notice, "connected to \(broker)")
                sayOnline()
                body(.connected)
            case .disconnected(let error):
                log.change("broker", .warning, "lost \(broker): \(error.words); trying again")
                if lives.lost(at: MonotonicClock.now()) {
                    log.change(
                        "client id", .error,
                        """
                        each connection is lost soon after it was made: does another program with the client id \
                        '\(clientID)' run? End it, or give one of the two another name
                        """)
                }
                body(.trouble(.unreachable(error.words, error.cause)))
            case .connectFailed(let error):
                log.change("broker", .warning, "no connection to \(broker): \(error.words); trying again")
                body(.trouble(.unreachable(error.words, error.cause)))
            case .spokeOlderProtocol(let error):
                log.notice("\(broker) does not speak MQTT 5 (\(error.words)): going on with 3.1.1")
            case .subscriptionRefused(let filter, let error):
                log.error("\(broker) denied the subscription \(filter): \(error.words)")
                body(.trouble(.subscriptionDenied(filter: filter, error.words)))
            case .publishRefused(let topic, let error):
                log.change("refused \(topic)", .error, "\(broker) refused a message on \(topic): \(error.words)")
                body(.trouble(.publishRefused(topic: topic, error.words)))
            case .message(let message):
                guard message.topic != statusTopic else {
                    if message.payload != Array("online".utf8) { sayOnline() }
                    continue
                }
                body(.message(message))
            }
        }
    }

    /// Says `offline`, lets what waits go out for at most `timeout` seconds, and disconnects. Blocks as long.
    public func stop(timeout: Double) {
        if let statusTopic {
            client.publish(topic: statusTopic, payload: Array("offline".utf8), qos: .atLeastOnce, retained: true)
        }
        client.stop(timeout: timeout)
    }

    private func sayOnline() {
        guard let statusTopic else { return }
        let message = Message(topic: statusTopic, text: "online", qos: .atLeastOnce, retained: true)
        owesOnline = client.publish(message) == .droppedFull
    }
}
