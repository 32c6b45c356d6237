internal import WireProtocol

/// The events that wait for the program. Bounded in messages and bytes; QoS 0 may fill three quarters of it.
///
/// A full inbox drops the newest message and counts it. Other events are few (each needs a change of connection) and
/// are retained up to `maximumNotices`.
final class Inbox: Sendable {
    static let maximumNotices = 4096

    let wake: EventDescriptor
    private let bound: MQTTConfiguration.Bound
    private let state = Monitor(State())

    private struct State {
        var events: [MQTTEvent] = []
        var notices = 0
        var bytes = 0
        var received = 0
        var dropped = 0
        var oversize = 0
        var closed = false
    }

    init(bound: MQTTConfiguration.Bound, wake: EventDescriptor) {
        self.bound = bound
        self.wake = wake
    }

    /// Adds a message, or drops it.
    func receive(_ message: Message) {
        let size = message.size
        state.withLock { state in
            state.received += 1
            guard !state.closed else { return }
            let share = message.qos == .atMostOnce ? 3 : 4
            guard state.events.count - state.notices < bound.messages / 4 * share,
                state.bytes + size <= bound.bytes / 4 * share
            else {
                state.dropped += 1
                return
            }
            state.bytes += size
            append(.message(message), to: &state)
        }
    }

    /// Counts a message that was too large to be read.
    func countOversize() {
        state.withLock {
            $0.received += 1
            $0.oversize += 1
        }
    }

    /// Adds an event that isn't a message.
    func deliver(_ event: MQTTEvent) {
        state.withLock { state in
            guard !state.closed, state.notices < Self.maximumNotices else { return }
            state.notices += 1
            append(event, to: &state)
        }
    }

    /// Ends the addition of events.
    func close() {
        state.withLock { $0.closed = true }
    }

    /// Replaces `events` with those that wait.
    func takeEvents(into events: inout [MQTTEvent]) {
        events.removeAll(keepingCapacity: true)
        wake.clear()
        state.withLock { state in
            swap(&state.events, &events)
            state.notices = 0
            state.bytes = 0
        }
    }

    /// True if events wait.
    var hasEvents: Bool { state.withLock { !$0.events.isEmpty } }

    func addCounts(into statistics: inout MQTTStatistics) {
        state.withLock {
            statistics.received = $0.received
            statistics.droppedInbox = $0.dropped
            statistics.droppedOversize = $0.oversize
        }
    }

    /// The descriptor is written only when the first event comes, so a burst costs one system call.
    private func append(_ event: MQTTEvent, to state: inout State) {
        state.events.append(event)
        if state.events.count == 1 { wake.set() }
    }
}

extension Message {
    /// The bytes of topics and payload, by which queues are bounded.
    var size: Int {
        topic.utf8.count + payload.count + (responseTopic?.utf8.count ?? 0) + (correlationData?.count ?? 0)
    }
}
