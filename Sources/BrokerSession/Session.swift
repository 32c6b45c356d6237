public import Configuration
public import MQTT
public import System
public import WireProtocol

/// A program's life with its broker: connects and goes on connecting, says `online` and repeats it, logs each change of
/// the connection once, and hands messages over.
///
/// It belongs to one thread, which waits until `descriptor` is readable and then calls `receive`.
public final class Session {
    /// What `receive` gives.
    public enum Notice: Sendable {
        /// The broker took the connection: what is retained must be published anew.
        case connected
        /// The broker has granted every subscription that isn't optional: what it retains there has come, or is coming. Given
        /// once a connection, and again when the last denial of one of them has ended.
        case subscribed
        /// The broker has granted a subscription that it had denied; it is in the log already.
        case subscriptionGranted(filter: String)
        /// A message of one of the subscriptions.
        case message(Message)
        /// Something that the broker or the network did not grant; it is in the log already.
        case trouble(Trouble)
    }

    /// What was not granted, with the reason in words.
    public enum Trouble: Hashable, Sendable {
        /// There is no connection, to none of the brokers; the session tries again by itself.
        case unreachable(String, MQTTError.Cause)
        /// A subscription was denied; it is requested again until it is granted. Given once a connection.
        case subscriptionDenied(filter: String, String)
        /// A message was refused. Told once a connection for each reason.
        case publishRefused(topic: String, String)
        /// One's own status does not come back: the broker takes messages and drops them. And whether it does again.
        case statusUnheard(Bool)
    }

    let client: MQTTClient
    /// What will keep connections from being made before long, a sentence each: certificates that expire within 14 days,
    /// and renewed files that can't be used. Looked for after each connection and every hour, and logged once a day.
    public private(set) var problems: [String] = []
    var looksAt: Int64 = 0
    private var complainsAt: Int64 = 0
    private let security: BrokerSecurity
    /// The one that is spoken of.
    private var broker: String
    private let brokers: Int
    /// Those that could not be had since a connection was made.
    private var unreachable: Set<String> = []
    private var watch = StatusWatch()
    /// The first moment at which the connection may be made anew on purpose.
    private var renewsAt: Int64 = 0
    private var book = SubscriptionBook()
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
    ///   - rate: messages a second at most; nil for as many as the broker takes.
    ///   - backoff: the pauses between attempts to connect.
    public init(
        _ settings: MQTTSettings, clientID: String, statusTopic: String?, log: Log, rate: Int? = nil,
        backoff: Backoff = Backoff()
    ) throws(MQTTError) {
        var configuration = MQTTConfiguration(
            address: BrokerAddress(settings.url), clientID: settings.clientID ?? clientID)
        configuration.others = settings.others.map { BrokerAddress($0) }
        configuration.backoff = backoff
        configuration.rate = rate
        configuration.username = settings.username
        let security = BrokerSecurity(settings)
        self.security = security
        configuration.credentials = { (address) throws(SecurityRefusal) in
            try security.credentials(for: address)
        }
        configuration.keepAlive = UInt16(clamping: settings.keepAlive.components.seconds)
        if let statusTopic {
            configuration.will = Message(topic: statusTopic, text: "offline", qos: .atLeastOnce, retained: true)
        }
        self.clientID = configuration.clientID
        client = try MQTTClient(configuration)
        broker = settings.url.description
        brokers = 1 + settings.others.count
        self.statusTopic = statusTopic
        self.log = log
    }

    /// Throws what is wrong with the files that secure the connection, beyond what a configuration's reader sees: whether
    /// they hold what they should, and fit together. Reads them, and connects to nobody.
    public static func judge(_ settings: MQTTSettings) throws(ConfigurationFaults) {
        do throws(SecurityRefusal) {
            for url in settings.brokers { _ = try BrokerSecurity(settings).credentials(for: BrokerAddress(url)) }
        } catch {
            let place = ConfigurationPosition(outside: "mqtt")
            throw ConfigurationFaults([ConfigurationFault(place, "\(error.words); \(error.mend)")])
        }
    }

    /// Readable while `receive` has something to give; for `poll(2)`.
    public var descriptor: Int32 { client.inboxDescriptor }
    /// Whether the broker has accepted the present connection.
    public var isConnected: Bool { client.isConnected }
    /// Messages accepted and not yet sent.
    public var unsent: Int { client.unsent }
    /// When `receive` must be called at the latest, on the monotonic clock; nil where only the descriptor tells.
    public var nextDeadline: Int64? { watch.nextDeadline }
    /// What was counted since the start.
    public var statistics: MQTTStatistics { client.statistics }

    /// The subscriptions that the broker denies now, in the order of their filters. They are requested again.
    public var denials: [SubscriptionDenial] { book.denials }
    /// Whether the broker denies a subscription that isn't optional.
    public var lacksSubscription: Bool { book.isLacking }
    /// Whether the broker has answered all subscriptions of the present connection, each with a grant or a denial.
    public var isSubscriptionAnswered: Bool { book.isAnswered }

    /// Starts connecting, with these subscriptions on every connection. Doesn't block.
    ///
    /// - Parameter optional: the filters among them that the program can do without.
    public func start(subscriptions: [Subscription] = [], optional: Set<String> = []) throws(MQTTError) {
        // One's own status is read back: the last will may overtake the `online` of a quick reconnection.
        let own = statusTopic.map { [Subscription($0, qos: .atLeastOnce)] } ?? []
        book = SubscriptionBook(optional: optional.union(own.map(\.filter)))
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

    /// Sets how many messages a second go out at most; nil for as many as the broker takes.
    public func limit(to rate: Int?) { client.limit(to: rate) }

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
                looksAt = 0
                unreachable = []
                log.change("broker", .notice, "connected to \(broker)")
                sayOnline()
                if statusTopic != nil { watch.connected(at: MonotonicClock.now()) }
                book.connected()
                body(.connected)
            case .turnedTo(let address): broker = address.description
            case .disconnected(let error):
                watch.giveUp()
                book.disconnected()
                log.change("broker", .warning, "lost \(broker): \(error.sentence); trying again")
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
                log.change("broker", .warning, "no connection to \(broker): \(error.sentence); trying again")
                unreachable.insert(broker)
                guard unreachable.count == brokers else { continue }
                body(.trouble(.unreachable(error.words, error.cause)))
            case .spokeOlderProtocol(let error):
                log.notice("\(broker) does not speak MQTT 5 (\(error.words)): going on with 3.1.1")
            case .subscriptionRefused(let filter, let error):
                log.change(
                    "subscription \(filter)", .error,
                    "\(broker) denied the subscription \(filter): \(error.words); requesting it again")
                if filter == statusTopic { watch.giveUp() }
                book.deny(filter, error.words)
                body(.trouble(.subscriptionDenied(filter: filter, error.words)))
            case .subscriptionGranted(let filter):
                guard book.grant(filter) else { continue }
                log.change("subscription \(filter)", .notice, "\(broker) granted the subscription \(filter)")
                if filter == statusTopic { watch.connected(at: MonotonicClock.now()) }
                body(.subscriptionGranted(filter: filter))
                if book.takeCompletion() { body(.subscribed) }
            case .subscriptionsAnswered:
                book.answered()
                if book.takeCompletion() { body(.subscribed) }
            case .publishRefused(let topic, let error):
                log.change("refused \(topic)", .error, "\(broker) refused a message on \(topic): \(error.words)")
                body(.trouble(.publishRefused(topic: topic, error.words)))
            case .message(let message):
                guard message.topic != statusTopic else {
                    readBack(message, body)
                    continue
                }
                body(.message(message))
            }
        }
        lookForStatus(body)
        look(at: MonotonicClock.now())
    }

    /// Looks for problems, where it is time: while there is a connection, as what is wrong without one is told anyway.
    private func look(at now: Int64) {
        guard isConnected, now >= looksAt else { return }
        looksAt = now + 3_600_000_000_000
        let found = security.problems(at: WallClock.now())
        guard found != problems || now >= complainsAt else { return }
        complainsAt = now + 86_400_000_000_000
        problems = found
        for problem in found { log.warning(problem) }
    }

    /// Says `offline`, lets what waits go out for at most `timeout` seconds, and disconnects. Blocks as long.
    public func stop(timeout: Double) {
        if let statusTopic {
            client.publish(topic: statusTopic, payload: Array("offline".utf8), qos: .atLeastOnce, retained: true)
        }
        client.stop(timeout: timeout)
    }

    /// Takes one's own status as the broker gives it: a last will may have overtaken it.
    private func readBack(_ message: Message, _ body: (Notice) -> Void) {
        guard message.payload == Array("online".utf8) else { return sayOnline() }
        guard !message.retained, watch.heard(at: MonotonicClock.now()) else { return }
        log.change("status", .notice, "\(broker) takes this program's messages again")
        body(.trouble(.statusUnheard(false)))
    }

    /// Says it again, or that it doesn't come back.
    private func lookForStatus(_ body: (Notice) -> Void) {
        guard let statusTopic else { return }
        switch watch.advance(to: MonotonicClock.now(), isSending: client.unsent > 0) {
        case nil: break
        case .sayAgain: sayOnline()
        case .renewConnection: renewConnection(for: "\(statusTopic) does not come back any more")
        case .tell:
            log.change(
                "status", .error,
                """
                \(broker) takes this program's messages and drops them: \(statusTopic) does not come back. Does its \
                access list let this user write there?
                """)
            body(.trouble(.statusUnheard(true)))
        }
    }

    /// Makes the connection anew where messages are published and don't arrive; once a minute at most.
    public func renewConnection(for reason: String) {
        let now = MonotonicClock.now()
        guard isConnected, now >= renewsAt else { return }
        renewsAt = now + StatusWatch.pause
        client.renewConnection(for: "\(reason); connecting anew")
    }

    private func sayOnline() {
        guard let statusTopic else { return }
        let message = Message(topic: statusTopic, text: "online", qos: .atLeastOnce, retained: true)
        owesOnline = client.publish(message) == .droppedFull
    }
}

extension BrokerAddress {
    /// The place that a configuration names.
    init(_ url: BrokerURL) {
        self.init(scheme: url.isSecure ? .mqtts : .mqtt, host: url.address.host, port: url.address.port)
    }
}
