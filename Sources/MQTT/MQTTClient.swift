internal import Glibc
public import WireProtocol

/// A connection to a broker that never gives up.
///
/// One thread of its own does all the network work and is the only one that calls libmosquitto. Programs talk to it
/// through two bounded queues: what is published waits in one, what happened in the other, whose descriptor a
/// `poll(2)` loop watches. Every method may be called from any thread.
///
/// Every connection starts clean (MQTT 5 section 3.1.2.4): messages of QoS 0 that wait when it is lost are dropped and
/// counted, those of QoS 1 that weren't acknowledged are published again, in order. So a subscriber may see one twice,
/// but none before an older one's first time.
///
/// `mosquitto_new` makes the process ignore SIGPIPE.
public final class MQTTClient: Sendable {
    let inbox: Inbox
    let outbox: Outbox
    private let configuration: MQTTConfiguration

    /// A client that isn't connected yet. Throws where the process has no descriptor left.
    public init(_ configuration: MQTTConfiguration) throws(MQTTError) {
        self.configuration = configuration
        inbox = Inbox(bound: configuration.incoming, wake: try EventDescriptor())
        outbox = Outbox(bound: configuration.outgoing, wake: try EventDescriptor())
        outbox.limit(to: configuration.rate)
    }

    deinit {
        stop(timeout: 0)
    }

    /// Starts the thread, which connects and goes on connecting. Calls after the first do nothing. Doesn't block.
    ///
    /// Throws where the process may not have another thread (`pthread_create`).
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

    /// Adds subscriptions, which are asked for now and after every connect. Doesn't block.
    ///
    /// A filter that is there already is asked for again with the QoS given now. At most 1,024 filters are held;
    /// throws for more, and for a malformed filter.
    public func subscribe(_ subscriptions: [Subscription]) throws(MQTTError) {
        for subscription in subscriptions where !TopicFilter.isValid(subscription.filter) {
            throw MQTTError(function: "subscribe", code: 3, words: "\(subscription.filter) is not a topic filter")
        }
        guard outbox.subscribe(subscriptions) else {
            throw MQTTError(function: "subscribe", code: 3, words: "more than \(Outbox.maximumSubscriptions) filters")
        }
    }

    /// Gives a message to be sent. Doesn't block.
    @discardableResult
    public func publish(_ message: Message) -> PublishOutcome {
        outbox.publish(message)
    }

    /// Gives a message to be sent. Doesn't block.
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

    /// Whether the broker has accepted the present connection.
    public var isConnected: Bool { outbox.isConnected }

    /// What was counted since the client was made.
    public var statistics: MQTTStatistics {
        var statistics = outbox.statistics
        inbox.count(into: &statistics)
        return statistics
    }

    /// Blocks until fewer than `limit` messages are unsent, for at most `timeout` seconds; whether it came to that.
    /// Returns false at once when the client is stopped.
    public func waitUntilUnsent(below limit: Int, timeout: Double) -> Bool {
        outbox.waitUntilUnsent(below: limit, timeout: timeout)
    }

    /// A descriptor that is readable while events wait. For `poll(2)`; never read, write or close it.
    public var inboxDescriptor: Int32 { inbox.wake.descriptor }

    /// Takes the events that wait. Doesn't block.
    public func takeEvents() -> [MQTTEvent] {
        var events: [MQTTEvent] = []
        takeEvents(into: &events)
        return events
    }

    /// Replaces `events` with those that wait. Doesn't block; a program that gives the same array each time
    /// makes the client reuse its memory.
    public func takeEvents(into events: inout [MQTTEvent]) {
        inbox.take(into: &events)
    }

    /// Ends the client: lets what waits go out for at most `timeout` seconds, says DISCONNECT (so that the will isn't
    /// published), and ends the thread. Without a connection it ends at once.
    ///
    /// Blocks for at most `timeout` and one second. A thread held up by a name lookup ends by itself later; no event
    /// comes after this returns. Events that wait can still be taken.
    public func stop(timeout: Double) {
        outbox.stop(within: timeout, saying: true)
        inbox.close()
    }

    /// Ends the client as a crash would: at once and without DISCONNECT, so that the broker publishes the will.
    func abandon() {
        outbox.stop(within: 0, saying: false)
        inbox.close()
    }
}
