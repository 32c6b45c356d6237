internal import Bytes
internal import Synchronization
internal import WireProtocol

/// The program's requests to the connection: messages to send, subscriptions to hold, and the end.
///
/// Shared by the program's threads and the client's own. The queue is bounded in messages and bytes, those in flight
/// included. A full queue drops messages of QoS 0, the oldest first, for others; otherwise the newest message. Each is
/// counted.
final class Outbox: Sendable {
    static let maximumSubscriptions = 1024
    /// The number of waiting messages from which on, as without a connection, only the latest message of a retained
    /// topic waits.
    static let longQueue = 256
    /// The greatest payload: the most that a packet's remaining length can hold (MQTT 5 section 1.5.5), less room for
    /// its header.
    static let maximumPayload = 268_435_455 - 65_600

    /// Seconds between checks for permission to send.
    static let limitPause = 0.01

    let wake: EventDescriptor
    private let bound: MQTTConfiguration.Bound
    private let monitor = Monitor(State())
    private let wakeups = Atomic<Int>(0)

    private struct State {
        var queue = MessageQueue()
        /// Messages removed from the queue and not yet completed.
        var inHand = 0
        var inHandBytes = 0
        var subscriptions: [Subscription] = []
        var unasked: [Subscription] = []
        /// Filters that the present connection is to be unsubscribed from, before `unasked`.
        var ended: Set<String> = []
        var statistics = MQTTStatistics()
        var connected = false
        var running = false
        /// True while the thread is in `poll`, or about to be, with nothing to do.
        var asleep = false
        var stop: Stop?
        /// The reason for which the present connection is to be made anew.
        var renewal: String?
        /// The most messages a second, with the bucket that holds to it.
        var limit: (rate: Int, bucket: TokenBucket<MonotonicTime>)?
        /// The moment before which no message may be sent.
        var pausedUntil: MonotonicTime?
        /// The highest number of unsent messages that a thread waits for.
        var awaited = 0

        var unsent: Int { queue.count + inHand }
        var isLong: Bool { !connected || queue.count >= Outbox.longQueue }

        /// Drops messages of QoS 0 if the queue is full of them and one of another kind comes; returns true if there is
        /// room.
        mutating func makeRoom(for message: Message, _ size: Int, _ bound: MQTTConfiguration.Bound) -> Bool {
            let replaced = isLong ? queue.replaces(message) : nil
            func isFull(_ state: borrowing State) -> Bool {
                state.unsent - (replaced == nil ? 0 : 1) >= bound.messages
                    || state.queue.bytes + state.inHandBytes + size - (replaced ?? 0) > bound.bytes
            }
            while isFull(self) {
                guard message.qos == .atLeastOnce, queue.dropSample() else { return false }
                statistics.droppedFlood += 1
            }
            return true
        }

        /// True if the threads that wait for fewer unsent messages are to be woken; each registers again.
        mutating func reachedAwaited() -> Bool {
            guard unsent < awaited else { return false }
            awaited = 0
            return true
        }
    }

    /// The program's request to end.
    struct Stop {
        var deadline: MonotonicTime
        /// True to send a DISCONNECT.
        var saying: Bool
    }

    init(bound: MQTTConfiguration.Bound, wake: EventDescriptor) {
        self.bound = bound
        self.wake = wake
    }

    var unsent: Int { monitor.withLock { $0.unsent } }
    var isConnected: Bool { monitor.withLock { $0.connected } }

    var statistics: MQTTStatistics {
        var statistics = monitor.withLock { $0.statistics }
        statistics.wakeups = wakeups.load(ordering: .relaxed)
        return statistics
    }

    // MARK: The program's side

    func publish(_ message: Message) -> PublishOutcome {
        guard TopicFilter.isValidTopic(message.topic), message.payload.count <= Self.maximumPayload else {
            return .invalid
        }
        let size = message.size
        let now = MonotonicTime.now
        return updateState { state in
            if state.stop != nil { return .stopped }
            if !state.connected && message.qos == .atMostOnce {
                state.statistics.droppedDisconnected += 1
                return .droppedDisconnected
            }
            guard state.makeRoom(for: message, size, bound) else {
                state.statistics.droppedFull += 1
                return .droppedFull
            }
            state.queue.append(message, at: now, replacing: state.isLong)
            if let limit = state.limit, state.queue.samples > limit.rate, state.queue.dropSample() {
                state.statistics.droppedFlood += 1
            }
            return .queued
        }
    }

    /// Sets the most messages a second; nil for as many as the broker accepts.
    func limit(to rate: Int?) {
        updateState { $0.limit = rate.map { ($0, Self.bucket(rate: $0)) } }
    }

    /// The bucket for a number of messages a second, a tenth of which may go at once.
    static func bucket(rate: Int) -> TokenBucket<MonotonicTime> {
        TokenBucket(burst: max(1, rate / 10), interval: .seconds(1) / max(1, rate))
    }

    func subscribe(_ subscriptions: [Subscription]) -> Bool {
        updateState { state in
            var all = state.subscriptions
            for subscription in subscriptions {
                all.removeAll { $0.filter == subscription.filter }
                all.append(subscription)
            }
            guard all.count <= Self.maximumSubscriptions else { return false }
            state.subscriptions = all
            if state.connected { state.unasked += subscriptions }
            return true
        }
    }

    func unsubscribe(_ filters: Set<String>) {
        updateState { state in
            state.subscriptions.removeAll { filters.contains($0.filter) }
            state.unasked.removeAll { filters.contains($0.filter) }
            if state.connected { state.ended.formUnion(filters) }
        }
    }

    func waitUntilUnsent(below limit: Int, timeout: Double) -> Bool {
        monitor.wait(until: .now.advanced(bySeconds: timeout)) { state -> Bool? in
            if state.unsent < limit { return true }
            if state.stop != nil { return false }
            state.awaited = max(state.awaited, limit)
            return nil
        } ?? false
    }

    /// Returns true if the thread is to be started.
    func beginRunning() -> Bool {
        monitor.withLock { state in
            guard !state.running, state.stop == nil else { return false }
            state.running = true
            return true
        }
    }

    /// Asks the thread to end, after a last message if there is one, and waits for its end.
    func stop(within timeout: Double, saying: Bool, last: Message? = nil) {
        let now = MonotonicTime.now
        let deadline = now.advanced(bySeconds: timeout)
        monitor.withLock { state in
            guard state.stop == nil else { return }
            state.stop = Stop(deadline: deadline, saying: saying)
            // Beyond the queue's bound, since none follows.
            if let last { state.queue.append(last, at: now, replacing: false) }
        }
        wake.set()
        monitor.broadcast()
        _ = monitor.wait(until: deadline.advanced(bySeconds: 1)) { $0.running ? nil : () }
        monitor.withLock { state in
            state.statistics.droppedAtStop += state.unsent
            state.queue.removeAll()
            state.inHand = 0
            state.inHandBytes = 0
        }
    }

    /// Has the thread close the present connection and make a new one; nothing where there is none.
    func renewConnection(for reason: String) {
        monitor.withLock { state in
            if state.connected { state.renewal = reason }
        }
        wake.set()
    }

    /// Changes the state, and wakes the thread where it sleeps for want of work.
    private func updateState<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, woken) = monitor.withLock { state in
            let result = body(&state)
            defer { state.asleep = false }
            return (result, state.asleep)
        }
        if woken { wake.set() }
        return result
    }

    // MARK: The thread's side

    /// Blocks until the socket is ready, the program has a request, or the time is over.
    func wait(socket: Int32, writing: Bool, milliseconds: Int32) -> Readiness {
        defer { wakeups.add(1, ordering: .relaxed) }
        return Readiness.wait(socket: socket, writing: writing, wake: wake, milliseconds: milliseconds)
    }

    var stopRequest: Stop? { monitor.withLock { $0.stop } }

    /// The reason for which the connection is to be made anew; given once.
    func takeRenewal() -> String? {
        monitor.withLock { state in
            defer { state.renewal = nil }
            return state.renewal
        }
    }

    /// The connection stands; gives all subscriptions to ask for.
    func connected() -> [Subscription] {
        monitor.withLock { state in
            state.connected = true
            // It was asked for an earlier connection, which is gone.
            state.renewal = nil
            state.statistics.connections += 1
            (state.unasked, state.ended) = ([], [])
            return state.subscriptions
        }
    }

    /// Removes and returns the filters to unsubscribe from.
    func takeEnded() -> Set<String> {
        monitor.withLock { state in
            defer { state.ended = [] }
            return state.ended
        }
    }

    /// Removes and returns the subscriptions added since.
    func takeUnasked() -> [Subscription] {
        monitor.withLock { state in
            guard !state.unasked.isEmpty else { return [] }
            defer { state.unasked = [] }
            return state.unasked
        }
    }

    /// The next message to send, unless its QoS is 1 and such a message can't be sent now.
    func next(acceptingAcknowledged: Bool) -> Message? {
        let now = MonotonicTime.now
        return monitor.withLock { state in
            state.pausedUntil = nil
            let first = state.queue.first(at: now)
            state.statistics.droppedExpired = state.queue.expired
            guard let first, acceptingAcknowledged || first.qos == .atMostOnce else { return nil }
            if state.stop == nil, state.limit?.bucket.take(at: now) == false {
                state.pausedUntil = now.advanced(bySeconds: Self.limitPause)
                return nil
            }
            let message = state.queue.removeFirst(at: now)
            state.inHand += 1
            state.inHandBytes += message.size
            return message
        }
    }

    /// The moment before which no message may be sent; nil if one may.
    var pausedUntil: MonotonicTime? { monitor.withLock { $0.pausedUntil } }

    /// Records that messages are completed.
    func finish(_ finished: Finished) {
        let reached = monitor.withLock { state in
            state.inHand = max(0, state.inHand - finished.sent - finished.refused)
            state.inHandBytes = max(0, state.inHandBytes - finished.bytes)
            state.statistics.sent += finished.sent
            state.statistics.refused += finished.refused
            state.statistics.acknowledged += finished.acknowledged
            state.statistics.acknowledging += finished.acknowledging
            return state.reachedAwaited()
        }
        if reached { monitor.broadcast() }
    }

    struct Finished {
        var sent = 0
        var refused = 0
        var bytes = 0
        /// Messages of QoS 1, and the time that the broker took for them together.
        var acknowledged = 0, acknowledging = Duration.zero
    }

    /// Records the loss of the connection. Unacknowledged messages move to the front of the queue; QoS 0 is dropped.
    func disconnected(unacknowledged: [Message]) {
        let reached = monitor.withLock { state in
            state.connected = false
            (state.unasked, state.ended) = ([], [])
            let before = state.queue.samples + state.inHand - unacknowledged.count
            state.queue.keepAcknowledged(after: unacknowledged, at: .now)
            state.inHand = 0
            state.inHandBytes = 0
            state.statistics.droppedDisconnected += max(0, before)
            return state.reachedAwaited()
        }
        if reached { monitor.broadcast() }
    }

    /// Returns true if the thread may sleep; from then on a change wakes it.
    func fallAsleep(ifNothingToSend blocked: Bool) -> Bool {
        monitor.withLock { state in
            guard state.unasked.isEmpty, state.ended.isEmpty, blocked || state.queue.count == 0 else { return false }
            state.asleep = true
            return true
        }
    }

    /// Records the end of the thread.
    func endRunning() {
        monitor.withLock { $0.running = false }
        monitor.broadcast()
    }
}
