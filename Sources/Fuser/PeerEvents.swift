internal import Bytes
internal import EventLedger
internal import WireProtocol

/// The item events of the other fusers: those that did not arrive are requested from the fuser that published them.
///
/// A connection that is made anew has missed what others published meanwhile, and a cluster of brokers may retain an answer
/// from before. Without these events a fuser that takes an item over would publish one of their numbers again. An event that
/// is repeated stands for the answer that was missed (``Household/receivePeerEvent(_:of:at:_:)``).
///
/// The number of the last event is in each claim. What was published before a fuser's first claim in this run is not
/// requested: the retained answers tell it. Nor is what another epoch had. The answer to a request is not read: the events
/// themselves close the gap, and what does not come is given up after some requests.
final class PeerEvents: FuserComponent {
    /// The pauses are short, since a takeover follows soon: what is not there by then comes too late.
    private static let limits = {
        var limits = LedgerLimits()
        limits.patience = .milliseconds(500)
        limits.timeout = .seconds(3)
        (limits.tries, limits.blindTries) = (5, 1)
        return limits
    }()

    private let fuser: String
    private let topics: Topics
    private var ledger = EventLedger<Void>(limits: limits)
    /// The epochs of the other fusers, by their names.
    private var epochs: [String: String] = [:]
    /// The latest time that it was advanced to.
    private var now = MonotonicTime.start

    init(fuser: String, topics: Topics) {
        (self.fuser, self.topics) = (fuser, topics)
    }

    /// The time by which `advance` must be called; nil if nothing is missing.
    var nextDeadline: MonotonicTime? { ledger.nextDeadline }

    /// Receives another fuser's claim, which has the number of its last event.
    func receive(_ claim: Claim, of peer: String, at time: MonotonicTime) {
        guard epochs[peer] == claim.epoch else {
            guard epochs[peer] != nil || epochs.count < Self.limits.publishers else { return }
            epochs[peer] = claim.epoch
            return ledger.begin(at: LedgerPosition(publisher: peer, epoch: claim.epoch, seq: claim.lastEvent))
        }
        ledger.receivePosition(of: peer, epoch: claim.epoch, lastEvent: claim.lastEvent, at: time)
    }

    func receive(_ message: HouseMessage, _ turn: Turn) {
        switch message {
        case .itemEvent(let event, _):
            guard epochs[event.fuser] == event.epoch else { return }
            ledger.receive((), epoch: event.epoch, seq: event.seq, of: event.fuser, at: now)
        case .nodeStatus, .nodeInfo, .nodeRemoved, .scan, .window, .nodeEvent, .commandResult, .entry, .location,
            .alerts,
            .room, .telemetry, .battery, .occupancy, .lesson, .plan, .external:
            break
        }
    }

    func fuserRemoved(_ name: String, _ turn: Turn) {
        epochs[name] = nil
        ledger.remove(name)
    }

    /// Advances the time; requests to other fusers are appended to `outbox`.
    func advance(to now: MonotonicTime, _ outbox: inout [Message]) {
        self.now = now
        ledger.advance(to: now)
        for action in ledger.takeActions() {
            switch action {
            case .ask(let request): outbox.append(message(of: request))
            case .take, .lose, .keep, .forget, .renew: break
            }
        }
    }

    private func message(of request: LedgerRequest) -> Message {
        let command = FuserCommand(
            id: "missed-\(request.id)", action: .replay(epoch: request.epoch, fromSeq: request.fromSeq))
        var message = Message(
            topic: topics.fuserCommand(request.publisher, byFuser: fuser), payload: command.payload, qos: .atLeastOnce)
        message.responseTopic = topics.fuserReplies(fuser)
        return message
    }
}
