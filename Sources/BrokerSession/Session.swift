public import Bytes
public import Configuration
public import MQTT
public import System
public import WireProtocol

/// The connection of a program to its broker over the program's life: connects and reconnects, publishes `online` and
/// repeats it, logs each change of the connection once, and passes messages on.
///
/// It belongs to one thread, which waits until `descriptor` is readable and then calls `receive`.
public final class Session {
    /// An event that `receive` returns.
    public enum Notice: Sendable {
        /// The broker accepted the connection: retained messages must be published again.
        case connected
        /// The broker has granted every subscription that isn't optional: its retained messages have arrived or are
        /// arriving. Reported once a connection, and again when the last denial of one of them has ended.
        case subscribed
        /// The broker has granted a subscription that it had denied; already logged.
        case subscriptionGranted(filter: String)
        /// A message of one of the subscriptions.
        case message(Message)
        /// A request that the broker or the network rejected; already logged.
        case trouble(Trouble)
    }

    /// The kind of trouble, with the text of the reason.
    public enum Trouble: Hashable, Sendable {
        /// There is no connection to any of the brokers; the session tries again by itself.
        case unreachable(String, MQTTError.Cause)
        /// A subscription was denied; it is requested again until it is granted. Reported once a connection.
        case subscriptionDenied(filter: String, String)
        /// A message was rejected. Reported once a connection for each reason.
        case publishRefused(topic: String, String)
        /// The program's own status does not return, or returns again: the broker accepts messages and drops them.
        case statusUnheard(Bool)
        /// The program's own status was another than `online`, as where the broker published the last will of a connection
        /// before: others have taken it for gone. It is published again already.
        case statusReplaced
    }

    let client: MQTTClient
    /// The problems that will soon prevent connections, a sentence each: certificates that expire within 14 days, and
    /// renewed files that can't be used. Checked after each connection and every hour, and logged once a day.
    public private(set) var problems: [String] = []
    /// The earliest end of a certificate that the connection needs, as last checked; nil if it needs none.
    private(set) var certificateExpiry: Timestamp?
    var looksAt = MonotonicTime.start
    private var complainsAt = MonotonicTime.start
    private let security: BrokerSecurity
    /// The URL of the current broker: that of the connection, or of the attempt.
    public private(set) var broker: String
    private let brokers: Int
    /// The brokers that could not be reached since a connection was made.
    private var unreachable: Set<String> = []
    private var watch = StatusWatch()
    /// The first moment at which the connection may be made anew on purpose.
    private var renewsAt = MonotonicTime.start
    private var book = SubscriptionBook()
    private let statusTopic: String?
    /// The subscription by which the program reads its status.
    private var statusFilter: String?
    private let log: Log
    private let clientID: String
    /// Filters and topics whose denial is not logged, since the program goes on without them and reports what is missing then.
    public var silentFilters: Set<String> = []
    private var lives = ConnectionLives()
    private var events: [MQTTEvent] = []
    /// True if `online` is still to be published: the queue was full after an outage.
    private var owesOnline = false

    /// A session that is not started.
    ///
    /// - Parameters:
    ///   - settings: the settings of the connection.
    ///   - clientID: fixed, so that a broker replaces a connection that was left half-open; `settings` may set another.
    ///   - statusTopic: the topic of the retained `online` and, as the last will, `offline`; nil for a program that only
    ///     reads.
    ///   - rate: the most messages a second; nil for as many as the broker accepts.
    ///   - backoff: the pauses between attempts to connect.
    ///   - incoming: the bound on messages that wait for `receive`; nil for that of all clients.
    ///   - largestMessage: the largest packet that is accepted, in bytes; nil likewise.
    ///   - patience: the seconds within which a command needs a connection. Several brokers share them, with two each
    ///     at least; nil for the time of all clients for each.
    public init(
        _ settings: MQTTSettings, clientID: String, statusTopic: String?, log: Log, rate: Int? = nil,
        backoff: Backoff = Backoff(), incoming: MQTTConfiguration.Bound? = nil, largestMessage: UInt32? = nil,
        patience: Double? = nil
    ) throws(MQTTError) {
        var configuration = MQTTConfiguration(
            address: BrokerAddress(settings.url), clientID: settings.clientID ?? clientID)
        configuration.others = settings.others.map { BrokerAddress($0) }
        if let patience, !settings.others.isEmpty {
            let share = max(2, patience / Double(settings.brokers.count))
            configuration.connectTimeout = min(configuration.connectTimeout, share)
        }
        configuration.backoff = backoff
        configuration.rate = rate
        if let incoming { configuration.incoming = incoming }
        if let largestMessage { configuration.maximumPacketSize = largestMessage }
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

    /// Throws the faults of the files that secure the connection, beyond those found by a configuration's reader: a
    /// wrong content, or files that don't match. Reads them, and makes no connection.
    public static func validateFiles(_ settings: MQTTSettings) throws(ConfigurationFaults) {
        do throws(SecurityRefusal) {
            for url in settings.brokers { _ = try BrokerSecurity(settings).credentials(for: BrokerAddress(url)) }
        } catch {
            let place = ConfigurationPosition(outside: "mqtt")
            throw ConfigurationFaults([ConfigurationFault(place, "\(error.words); \(error.mend)")])
        }
    }

    /// The descriptor for `poll(2)`, readable while `receive` has something to return.
    public var descriptor: Int32 { client.inboxDescriptor }
    /// True if the broker has accepted the current connection.
    public var isConnected: Bool { client.isConnected }
    /// Messages accepted and not yet sent.
    public var unsent: Int { client.unsent }
    /// The latest time for the next call of `receive`, on the monotonic clock; nil if the descriptor is sufficient.
    public var nextDeadline: MonotonicTime? { watch.nextDeadline }
    /// The counts since the start.
    public var statistics: MQTTStatistics { client.statistics }

    /// The subscriptions that the broker currently denies, in the order of their filters. They are requested again.
    public var denials: [SubscriptionDenial] { book.denials }
    /// True if the broker denies a subscription that isn't optional.
    public var lacksSubscription: Bool { book.isLacking }
    /// True if the broker has answered each subscription of the current connection that isn't optional.
    public var isRequiredAnswered: Bool { book.isRequiredAnswered }
    /// True if the broker has granted each subscription that isn't optional, those added since the start of the current
    /// connection too: all that they bring arrives. It holds without a connection.
    public var isComplete: Bool { book.isComplete }
    /// True if the broker has answered all subscriptions requested at the start of the current connection, each with a grant
    /// or a denial.
    public var isSubscriptionAnswered: Bool { book.isAnswered }
    /// True if it has also answered all that were added since its start.
    public var isEachSubscriptionAnswered: Bool { book.isEachAnswered }

    /// Starts connecting, with these subscriptions on every connection. Doesn't block.
    ///
    /// - Parameter optional: the filters among them that the program can do without.
    public func start(subscriptions: [Subscription] = [], optional: Set<String> = []) throws(MQTTError) {
        // The program reads its own status: the last will may overtake the `online` of a quick reconnection.
        var own: [Subscription] = []
        if let statusTopic {
            let reading = subscriptions.first {
                $0.qos == .atLeastOnce && TopicFilter.matches($0.filter, statusTopic)
            }
            statusFilter = reading?.filter ?? statusTopic
            if reading == nil { own = [Subscription(statusTopic, qos: .atLeastOnce)] }
        }
        book = SubscriptionBook(Set(subscriptions.map(\.filter)), optional: optional.union(own.map(\.filter)))
        // A broker may take seconds for one with QoS 1: those that the program can do without come last.
        let isLate = { (one: Subscription) in one.qos == .atLeastOnce && optional.contains(one.filter) }
        try client.subscribe(own + subscriptions.filter { !isLate($0) } + subscriptions.filter(isLate))
        try client.start()
    }

    /// Adds subscriptions; an existing one is requested again, so that its retained messages arrive once more. Doesn't
    /// block.
    public func subscribe(_ subscriptions: [Subscription]) throws(MQTTError) {
        try client.subscribe(subscriptions)
        book.begin(Set(subscriptions.map(\.filter)))
    }

    /// Ends subscriptions. Doesn't block. Messages that are on their way still arrive.
    public func unsubscribe(_ filters: Set<String>) {
        client.unsubscribe(filters)
        book.end(filters)
    }

    /// Queues a message for sending; returns false if it was dropped, which the statistics count. Doesn't block.
    @discardableResult
    public func publish(_ message: Message) -> Bool {
        client.publish(message) == .queued
    }

    /// Sets the most messages a second; nil for as many as the broker accepts.
    public func limit(to rate: Int?) { client.limit(to: rate) }

    /// Blocks until fewer than `limit` messages are unsent, for at most `timeout` seconds; returns true if that was
    /// reached.
    public func waitUntilUnsent(below limit: Int, timeout: Double) -> Bool {
        client.waitUntilUnsent(below: limit, timeout: timeout)
    }

    /// True if events wait that the next `receive` processes.
    public var hasEvents: Bool { client.hasEvents }

    /// Processes the waiting events and returns those on which the program must act. Doesn't block.
    public func receive(_ body: (Notice) -> Void) {
        if owesOnline, client.isConnected { sayOnline() }
        client.takeEvents(into: &events)
        for event in events {
            switch event {
            case .connected:
                lives.connected(at: MonotonicClock.now())
                looksAt = .start
                unreachable = []
                log.logChange("broker", .notice, "connected to \(broker)")
                sayOnline()
                if statusTopic != nil { watch.connected(at: MonotonicClock.now()) }
                book.connected()
                body(.connected)
            case .turnedTo(let address): broker = address.description
            case .disconnected(let error):
                watch.giveUp()
                book.disconnected()
                log.logChange("broker", .warning, "lost \(broker): \(error.sentence); trying again")
                if lives.recordLoss(at: MonotonicClock.now()) {
                    log.logChange(
                        "client id", .error,
                        """
                        each connection is lost soon after it was made: does another program with the client id \
                        '\(clientID)' run? End it, or give one of the two another name
                        """)
                }
                body(.trouble(.unreachable(error.words, error.cause)))
            case .connectFailed(let error):
                log.logChange("broker", .warning, "no connection to \(broker): \(error.sentence); trying again")
                unreachable.insert(broker)
                guard unreachable.count == brokers else { continue }
                body(.trouble(.unreachable(error.words, error.cause)))
            case .spokeOlderProtocol(let error):
                log.notice("\(broker) does not speak MQTT 5 (\(error.words)): going on with 3.1.1")
            case .subscriptionRefused(let filter, let error):
                if !silentFilters.contains(filter) {
                    log.logChange(
                        "subscription \(filter)", .error,
                        "\(broker) denied the subscription \(filter): \(error.words); requesting it again")
                }
                if filter == statusFilter { watch.giveUp() }
                book.recordDenial(filter, error.words)
                body(.trouble(.subscriptionDenied(filter: filter, error.words)))
            case .subscriptionGranted(let filter):
                guard book.recordGrant(filter) else { continue }
                log.logChange("subscription \(filter)", .notice, "\(broker) granted the subscription \(filter)")
                if filter == statusFilter { watch.connected(at: MonotonicClock.now()) }
                body(.subscriptionGranted(filter: filter))
                if book.takeCompletion() { body(.subscribed) }
            case .subscriptionAnswered(let filter):
                book.recordAnswer(filter)
                if book.takeCompletion() { body(.subscribed) }
            case .subscriptionsAnswered:
                book.recordAnswers()
                if book.takeCompletion() { body(.subscribed) }
            case .publishRefused(let topic, let error):
                if !silentFilters.contains(topic) {
                    log.logChange(
                        "refused \(topic)", .error, "\(broker) refused a message on \(topic): \(error.words)",
                        about: Topics.names(in: topic))
                }
                body(.trouble(.publishRefused(topic: topic, error.words)))
            case .message(let message):
                guard message.topic != statusTopic else {
                    readBack(message, body)
                    continue
                }
                body(.message(message))
            }
        }
        // The last denial may have been of a subscription that was ended.
        if book.takeCompletion() { body(.subscribed) }
        lookForStatus(body)
        checkProblems(at: MonotonicClock.now())
    }

    /// Checks for problems, if it is time and there is a connection: without one the fault is reported anyway.
    private func checkProblems(at now: MonotonicTime) {
        guard isConnected, now >= looksAt else { return }
        looksAt = now + .hours(1)
        let (found, expiry) = security.examine(at: WallClock.now())
        certificateExpiry = expiry
        guard found != problems || now >= complainsAt else { return }
        complainsAt = now + .days(1)
        problems = found
        for problem in found { log.warning(problem) }
    }

    /// Publishes `offline`, sends waiting messages for at most `timeout` seconds, and disconnects. Blocks as long.
    public func stop(timeout: Double) {
        let offline = statusTopic.map { Message(topic: $0, text: "offline", qos: .atLeastOnce, retained: true) }
        client.stop(timeout: timeout, last: offline)
    }

    /// Receives the program's own status from the broker: a last will may have replaced it.
    private func readBack(_ message: Message, _ body: (Notice) -> Void) {
        guard message.payload == Array("online".utf8) else {
            sayOnline()
            // A retained one is from before this connection.
            if !message.retained { body(.trouble(.statusReplaced)) }
            return
        }
        guard !message.retained, watch.recordReturn(at: MonotonicClock.now()) else { return }
        log.logChange("status", .notice, "\(broker) takes this program's messages again")
        body(.trouble(.statusUnheard(false)))
    }

    /// Publishes the status again, or reports that it doesn't return.
    private func lookForStatus(_ body: (Notice) -> Void) {
        guard let statusTopic else { return }
        switch watch.advance(to: MonotonicClock.now(), isSending: client.unsent > 0) {
        case nil: break
        case .sayAgain: sayOnline()
        case .renewConnection: renewConnection(for: "\(statusTopic) does not come back any more")
        case .tell:
            log.logChange(
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
    /// The address in a configuration.
    init(_ url: BrokerURL) {
        self.init(scheme: url.isSecure ? .mqtts : .mqtt, host: url.address.host, port: url.address.port)
    }
}
