internal import Bytes
internal import Glibc
internal import WireProtocol

/// The life of an accepted connection: sends waiting messages, receives packets, and keeps the connection alive.
struct ConnectionSession {
    /// The most messages of QoS 1 that are sent and not acknowledged: libmosquitto's own default, so it never queues
    /// any itself.
    static let maximumInFlight = 20
    /// The most packets read or written before the other direction has its turn.
    static let turn = 256

    private let connection: Connection
    private let inbox: Inbox
    private let outbox: Outbox
    private let misc: Double
    private var inFlight: [InFlight] = []
    private var handed = 0
    /// The sizes of the messages of QoS 0 that the library holds, oldest first.
    private var writing: [Int] = []
    private var refusals: Set<Int32> = []

    private struct InFlight {
        var id: Int32
        var ordinal: Int
        var message: Message
        /// The time at which it was sent.
        var sent = MonotonicTime.now
    }

    /// - Parameter denied: the subscriptions that were denied on earlier connections.
    init(
        _ connection: Connection, _ configuration: MQTTConfiguration, inbox: Inbox, outbox: Outbox,
        denied: DeniedSubscriptions
    ) {
        connection.callbacks.requests = SubscriptionRequests(denied: denied)
        self.connection = connection
        self.inbox = inbox
        self.outbox = outbox
        let keepAlive = connection.callbacks.connack?.serverKeepAlive ?? max(5, configuration.keepAlive)
        // A broker waits for one and a half times the keep-alive (MQTT 5 section 3.1.2.10).
        misc = max(1, Double(keepAlive) / 4)
    }

    /// The messages that the broker hasn't acknowledged, in order.
    var unacknowledged: [Message] { inFlight.map(\.message) }

    /// The subscriptions that were denied on this connection or an earlier one.
    var denied: DeniedSubscriptions { connection.callbacks.requests.denied }

    /// Serves until the connection is lost, and returns the reason; nil if it was ended by `stop`.
    mutating func run() -> MQTTError? {
        do throws(MQTTError) {
            let subscriptions = outbox.connected()
            connection.callbacks.requests.enqueue(subscriptions)
            if connection.socket >= 0 { try sendSubscriptions() }
            inbox.deliver(.connected(sessionPresent: connection.callbacks.connack?.sessionPresent ?? false))
            try connection.checkOpen()
            for event in connection.callbacks.requests.takeAnswered() { inbox.deliver(event) }
            try exchangePackets()
            return nil
        } catch {
            return error
        }
    }

    private mutating func exchangePackets() throws(MQTTError) {
        var nextMisc = MonotonicTime.now.advanced(bySeconds: misc)
        while true {
            for filter in outbox.takeEnded() {
                connection.callbacks.requests.end(filter)
                try connection.unsubscribe(filter)
            }
            for event in connection.callbacks.requests.takeAnswered() { inbox.deliver(event) }
            connection.callbacks.requests.enqueue(outbox.takeUnasked(), first: true)
            connection.callbacks.requests.enqueue(connection.callbacks.requests.takeDue(at: .now))
            try sendSubscriptions()
            let held = outbox.stopRequest == nil ? connection.callbacks.requests.heldUntil(at: .now) : nil
            var blocked = true
            if held == nil { blocked = try sendMessages() }
            var limit = min(nextMisc, connection.callbacks.requests.nextDeadline ?? nextMisc, held ?? nextMisc)
            if held == nil, let pause = outbox.pausedUntil {
                limit = min(limit, pause)
                blocked = true
            }
            if let stop = outbox.stopRequest {
                if !stop.saying { return }
                if outbox.unsent == 0 || stop.deadline < .now {
                    // A socket closed with unread data is reset, which also discards data that the broker hasn't read.
                    try receive()
                    return connection.disconnect()
                }
                limit = min(limit, stop.deadline)
            }
            if let reason = outbox.takeRenewal() {
                // With DISCONNECT, so that the will isn't published.
                connection.disconnect()
                throw MQTTError(function: "renewal", code: 0, words: reason)
            }
            let idle = outbox.fallAsleep(ifNothingToSend: blocked)
            let ready = outbox.wait(
                socket: connection.socket, writing: connection.wantsWrite,
                milliseconds: idle ? limit.milliseconds(from: .now) : 0)
            if ready.socket & ~Int16(POLLOUT) != 0 { try receive() }
            if ready.socket & Int16(POLLOUT) != 0 { try connection.write() }
            processCallbacks()
            let now = MonotonicTime.now
            if nextMisc < now {
                nextMisc = now.advanced(bySeconds: misc)
                try connection.keepAlive()
            }
        }
    }

    /// Reads as long as packets arrive: the callbacks show this, which is cheaper than asking the kernel.
    private func receive() throws(MQTTError) {
        for _ in 0..<Self.turn {
            let before = connection.callbacks.received
            try connection.read()
            if connection.callbacks.received == before { return }
        }
    }

    private mutating func sendSubscriptions() throws(MQTTError) {
        while let subscription = connection.callbacks.requests.takeNext(at: .now) {
            let id = try connection.subscribe(subscription)
            connection.callbacks.requests.sent(subscription, id: id, at: .now)
        }
    }

    /// Passes on waiting messages, as far as the socket accepts them. Returns true if no more can be sent at the
    /// moment.
    private mutating func sendMessages() throws(MQTTError) -> Bool {
        for _ in 0..<Self.turn {
            guard !connection.wantsWrite else { return true }
            // Packet identifiers count all messages, so one of QoS 0 could get that of one in flight 65,535 earlier.
            guard inFlight.first.map({ handed - $0.ordinal < 32_768 }) ?? true else { return true }
            guard let message = outbox.next(acceptingAcknowledged: inFlight.count < Self.maximumInFlight) else {
                return inFlight.count >= Self.maximumInFlight
            }
            try sendMessage(message)
        }
        return false
    }

    private mutating func sendMessage(_ message: Message) throws(MQTTError) {
        handed += 1
        do throws(MQTTError) {
            // Before the call: a message of QoS 0 is usually written inside it.
            if message.qos == .atMostOnce { writing.append(message.size) }
            let id = try connection.publish(message)
            if message.qos == .atLeastOnce { inFlight.append(InFlight(id: id, ordinal: handed, message: message)) }
        } catch {
            guard error.concernsMessage else {
                // It was sent in part at most: it is sent again with those in flight.
                if message.qos == .atLeastOnce { inFlight.append(InFlight(id: 0, ordinal: handed, message: message)) }
                throw error
            }
            if message.qos == .atMostOnce { writing.removeLast() }
            outbox.finish(Outbox.Finished(refused: 1, bytes: message.size))
            reportRefusal(error, of: message.topic)
        }
        processCallbacks()
    }

    /// Processes the stored callbacks.
    private mutating func processCallbacks() {
        let callbacks = connection.callbacks
        if !callbacks.published.isEmpty {
            var finished = Outbox.Finished()
            let now = MonotonicTime.now
            for (id, reason) in callbacks.published {
                var topic: String?
                if let index = inFlight.firstIndex(where: { $0.id == id }) {
                    let entry = inFlight.remove(at: index)
                    finished.bytes += entry.message.size
                    finished.acknowledged += 1
                    finished.acknowledging += now - entry.sent
                    topic = entry.message.topic
                } else if !writing.isEmpty {
                    finished.bytes += writing.removeFirst()
                }
                // 0x80 and above are failures (MQTT 5 section 2.4).
                if reason >= 0x80 {
                    finished.refused += 1
                    let error = MQTTError(packet: "PUBACK", reason: reason, version: connection.version)
                    reportRefusal(error, of: topic ?? "")
                } else {
                    finished.sent += 1
                }
            }
            callbacks.published.removeAll(keepingCapacity: true)
            outbox.finish(finished)
        }
    }

    private mutating func reportRefusal(_ error: MQTTError, of topic: String) {
        if refusals.insert(error.code).inserted { inbox.deliver(.publishRefused(topic: topic, error)) }
    }
}

extension MQTTError {
    /// True if a failed publish is caused by the message and not by the connection: `MOSQ_ERR_INVAL`, `PAYLOAD_SIZE`,
    /// `NOT_SUPPORTED`, `MALFORMED_UTF8`, `QOS_NOT_SUPPORTED`, `OVERSIZE_PACKET`, `RETAIN_NOT_SUPPORTED`.
    fileprivate var concernsMessage: Bool {
        function == "mosquitto_publish" && [3, 9, 10, 18, 24, 25, 28].contains(code)
    }
}
