public import Bytes
public import WireProtocol

/// A subscriber's state of publishers' events: each event is delivered once and in order, missing ones are requested,
/// and lost ones are reported.
///
///     ledger.receive(event, epoch: event.epoch, seq: event.seq, of: event.node, at: now)
///     ledger.receivePosition(of: node, epoch: scan.epoch, lastEvent: scan.lastEvent, at: now)
///     ledger.advance(to: now)
///     for action in ledger.takeActions() { … }        // but for requests, all of them in one transaction
///
/// An event that arrives early waits until those before it arrive or are given up. An epoch is closed before events of
/// the next are delivered. The ledger does no I/O and reads no clock.
public struct EventLedger<Event: Sendable>: Sendable {
    /// An action for the caller.
    public enum Action: Sendable {
        /// An event is delivered in its order.
        case take(Event, of: String, epoch: String, seq: UInt64)
        /// These events are lost: the events delivered next follow them.
        case lose(LedgerLoss, of: String)
        /// Store the position of a publisher's events, together with the preceding actions.
        case keep(LedgerPosition)
        /// Forget that.
        case forget(LedgerPosition)
        /// Ask a publisher.
        case ask(LedgerRequest)
        /// Make the connection anew: a publisher says that it published what was requested, and none of it came.
        case renew(of: String)
    }

    /// The bounds.
    public let limits: LedgerLimits
    private var publishers: [String: Publisher] = [:]
    /// The publishers with a scheduled request.
    private var waiting: Set<String> = []
    private var actions: [Action] = []
    private var heldInAll = 0
    private var requests: UInt64 = 0

    /// A ledger that continues from stored positions.
    public init(from positions: [LedgerPosition] = [], limits: LedgerLimits = LedgerLimits()) {
        self.limits = limits
        for position in positions.sorted(by: { $0.publisher < $1.publisher }) {
            guard publishers[position.publisher] != nil || publishers.count < limits.publishers else { continue }
            publishers[position.publisher, default: Publisher(position.publisher)].restore(position)
        }
    }

    /// All positions to store, by publisher.
    public var positions: [LedgerPosition] {
        publishers.values.sorted { $0.name < $1.name }.flatMap(\.positions)
    }

    /// The time at which `advance` is to be called next; nil if nothing is missing.
    public var nextDeadline: MonotonicTime? { waiting.compactMap { publishers[$0]?.askAt }.min() }

    /// Begins a publisher's events behind a position, in place of what is known of it: what it published before is not
    /// requested, and an earlier epoch neither.
    public mutating func begin(at position: LedgerPosition) {
        remove(position.publisher)
        guard publishers.count < limits.publishers else { return }
        publishers[position.publisher, default: Publisher(position.publisher)].restore(position)
    }

    /// Removes what is known of a publisher.
    public mutating func remove(_ publisher: String) {
        guard let state = publishers.removeValue(forKey: publisher) else { return }
        heldInAll -= state.held
        waiting.remove(publisher)
    }

    /// Receives an event: live, replayed, or duplicated. One with an impossible number, and one of a publisher beyond
    /// the bound, is ignored.
    public mutating func receive(
        _ event: Event, epoch: String, seq: UInt64, of publisher: String, at now: MonotonicTime
    ) {
        guard (1...limits.highest).contains(seq), isKnown(publisher) else { return }
        updatePublisher(publisher, at: now) { state, isRoom, limits, actions in
            state.receive(event, epoch: epoch, seq: seq, isRoom: isRoom, limits, &actions)
        }
    }

    /// Receives the fields of a `scan` or a `claim`: the publisher's epoch, and the number of its last event in it.
    public mutating func receivePosition(of publisher: String, epoch: String, lastEvent: UInt64, at now: MonotonicTime)
    {
        guard lastEvent <= limits.highest, isKnown(publisher) else { return }
        updatePublisher(publisher, at: now) { state, _, limits, actions in
            state.receivePosition(epoch: epoch, last: lastEvent, limits, &actions)
        }
    }

    /// Receives the answer to a request; nil if the publisher rejected it, for example because it was busy.
    public mutating func receiveAnswer(_ report: ReplayReport?, to id: UInt64, at now: MonotonicTime) {
        guard let publisher = waiting.first(where: { publishers[$0]?.request?.id == id }) else { return }
        updatePublisher(publisher, at: now) { state, _, limits, actions in
            state.receiveAnswer(report, at: now, limits, &actions)
        }
    }

    /// Advances the time, and requests missing events.
    public mutating func advance(to now: MonotonicTime) {
        for publisher in waiting.sorted() where (publishers[publisher]?.askAt ?? .distantFuture) <= now {
            requests += 1
            let id = requests
            updatePublisher(publisher, at: now, isHeard: false) { state, _, limits, actions in
                state.requestReplay(id, at: now, limits, &actions)
            }
        }
    }

    /// The pending actions, in order.
    public mutating func takeActions() -> [Action] {
        defer { actions.removeAll() }
        return actions
    }

    // MARK: Pieces

    /// Returns true if a publisher is known, or can be added.
    private mutating func isKnown(_ publisher: String) -> Bool {
        if publishers[publisher] != nil { return true }
        guard publishers.count < limits.publishers else { return false }
        publishers[publisher] = Publisher(publisher)
        return true
    }

    private mutating func updatePublisher(
        _ name: String, at now: MonotonicTime, isHeard: Bool = true,
        _ body: (inout Publisher, Bool, LedgerLimits, inout [Action]) -> Void
    ) {
        guard var state = publishers.removeValue(forKey: name) else { return }
        let held = state.held
        if isHeard { state.heard = now }
        body(&state, heldInAll < limits.heldInAll, limits, &actions)
        state.deliverEvents(at: now, limits, &actions)
        heldInAll += state.held - held
        if state.askAt == nil { waiting.remove(name) } else { waiting.insert(name) }
        publishers[name] = state
    }
}
