internal import Glibc
public import WireProtocol

/// A connection to a broker that is restored after every loss.
///
/// One thread of its own does all the network work and is the only one that calls libmosquitto. Programs use two
/// bounded queues: one for published messages, and one for events, whose descriptor a `poll(2)` loop watches. Every
/// method may be called from any thread.
///
/// Every connection starts clean (MQTT 5 section 3.1.2.4): at its loss, waiting messages of QoS 0 are dropped and
/// counted, and unacknowledged ones of QoS 1 are published again, in order. A subscriber may therefore receive one
/// twice, but none before the first delivery of an older one.
///
/// `mosquitto_new` makes the process ignore SIGPIPE.
public final class MQTTClient: Sendable {
    let inbox: Inbox
    let outbox: Outbox
    private let configuration: MQTTConfiguration

    /// A client that isn't connected yet. Throws if the process has no descriptor left.
    public init(_ configuration: MQTTConfiguration) throws(MQTTError) {
        self.configuration = configuration
        inbox = Inbox(bound: configuration.incoming, wake: try EventDescriptor())
        outbox = Outbox(bound: configuration.outgoing, wake: try EventDescriptor())
        outbox.limit(to: configuration.rate)
    }

    deinit {
        stop(timeout: 0)
    }

    /// Starts the thread, which connects and reconnects. Calls after the first do nothing. Doesn't block.
    ///
    /// Throws if the process may not have another thread (`pthread_create`).
    public func start() throws(MQTTError) {
        guard outbox.beginRunning() else { return }
        let loop = ClientLoop(configuration, inbox: inbox, outbox: outbox)
        do throws(MQTTError) {
            try Thread.detach { loop.run() }
        } catch {
            outbox.endRunning()
            throw error
        }
    }

    /// Adds subscriptions, which are requested now and after every connect. Doesn't block.
    ///
    /// An existing filter is requested again with the QoS given now. The limit is 1,024 filters; throws for more, and
    /// for a malformed filter.
    public func subscribe(_ subscriptions: [Subscription]) throws(MQTTError) {
        for subscription in subscriptions where !TopicFilter.isValid(subscription.filter) {
            throw MQTTError(function: "subscribe", code: 3, words: "\(subscription.filter) is not a topic filter")
        }
        guard outbox.subscribe(subscriptions) else {
            throw MQTTError(function: "subscribe", code: 3, words: "more than \(Outbox.maximumSubscriptions) filters")
        }
    }

    /// Ends subscriptions, now and for later connects. Doesn't block. Messages that are on their way still arrive.
    public func unsubscribe(_ filters: Set<String>) { outbox.unsubscribe(filters) }

    /// Queues a message for sending. Doesn't block.
    @discardableResult
    public func publish(_ message: Message) -> PublishOutcome {
        outbox.publish(message)
    }

    /// Queues a message for sending. Doesn't block.
    @discardableResult
    public func publish(
        topic: String, payload: [UInt8], qos: Message.QualityOfService = .atMostOnce, retained: Bool = false
    ) -> PublishOutcome {
        outbox.publish(Message(topic: topic, payload: payload, qos: qos, retained: retained))
    }

    /// Closes the present connection and makes a new one, with all subscriptions; nothing where there is no connection. For
    /// a broker that accepts what is published and delivers nothing any more. Doesn't block.
    ///
    /// - Parameter reason: the words of the `disconnected` event.
    public func renewConnection(for reason: String) { outbox.renewConnection(for: reason) }

    /// Sets another rate than the configuration's; nil for as many as the broker takes.
    public func limit(to rate: Int?) { outbox.limit(to: rate) }

    /// Messages accepted and not yet written to the socket (QoS 0) or acknowledged (QoS 1).
    public var unsent: Int { outbox.unsent }

    /// True if the broker has accepted the current connection.
    public var isConnected: Bool { outbox.isConnected }

    /// The counts since the client was made.
    public var statistics: MQTTStatistics {
        var statistics = outbox.statistics
        inbox.addCounts(into: &statistics)
        return statistics
    }

    /// Blocks until fewer than `limit` messages are unsent, for at most `timeout` seconds; returns true if that was
    /// reached. Returns false at once if the client is stopped.
    public func waitUntilUnsent(below limit: Int, timeout: Double) -> Bool {
        outbox.waitUntilUnsent(below: limit, timeout: timeout)
    }

    /// A descriptor that is readable while events wait. For `poll(2)`; never read, write or close it.
    public var inboxDescriptor: Int32 { inbox.wake.descriptor }

    /// True if events wait.
    public var hasEvents: Bool { inbox.hasEvents }

    /// Removes and returns the events that wait. Doesn't block.
    public func takeEvents() -> [MQTTEvent] {
        var events: [MQTTEvent] = []
        takeEvents(into: &events)
        return events
    }

    /// Replaces `events` with those that wait. Doesn't block; a program that passes the same array each time lets the
    /// client reuse its memory.
    public func takeEvents(into events: inout [MQTTEvent]) {
        inbox.takeEvents(into: &events)
    }

    /// Ends the client: sends waiting messages for at most `timeout` seconds, sends DISCONNECT (so that the will isn't
    /// published), and ends the thread. Without a connection it ends at once.
    ///
    /// Blocks for at most `timeout` and one second. A thread in a name lookup ends by itself later; no event is added
    /// after the return. Waiting events can still be read.
    ///
    /// - Parameter last: a message to send after all others, also where an earlier one of its retained topic waits.
    public func stop(timeout: Double, last: Message? = nil) {
        outbox.stop(within: timeout, saying: true, last: last)
        inbox.close()
    }

    /// Ends the client as a crash would: at once and without DISCONNECT, so that the broker publishes the will.
    func abandon() {
        outbox.stop(within: 0, saying: false)
        inbox.close()
    }
}
