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
/// requested: the retained answers tell it. Nor is what another epoch had, or what is more than `reach` events back.
final class PeerEvents: FuserComponent {
    /// Events before a fuser's last one that are requested at most, which is as many as one request repeats.
    private static let reach: UInt64 = 1000
    /// The pauses are short, since a takeover may follow soon.
    private static let limits = {
        var limits = LedgerLimits()
        limits.patience = .milliseconds(500)
        (limits.timeout, limits.longestTimeout) = (.seconds(3), .minutes(1))
        limits.blindTries = 1
        return limits
    }()

    /// The last claim of another fuser.
    private struct Claimed {
        let epoch: String
        let lastEvent: UInt64
    }

    private let fuser: String
    private let topics: Topics
    private let names: RequestNames
    private var ledger = EventLedger<Void>(limits: limits)
    private var claims: [String: Claimed] = [:]
    /// The latest time that it was advanced to.
    private var now = MonotonicTime.start

    /// - Parameter run: a secret that no earlier run has had.
    init(fuser: String, topics: Topics, run: String) {
        (self.fuser, self.topics, names) = (fuser, topics, RequestNames("\(run)|fuser"))
    }

    /// The time by which `advance` must be called; nil if nothing is missing.
    var nextDeadline: MonotonicTime? { ledger.nextDeadline }

    /// Receives another fuser's claim, which has the number of its last event.
    func receive(_ claim: Claim, of peer: String, at time: MonotonicTime) {
        let last = claims[peer]
        guard last != nil || claims.count < Self.limits.publishers, claim.lastEvent <= Self.limits.highest else {
            return
        }
        claims[peer] = Claimed(epoch: claim.epoch, lastEvent: claim.lastEvent)
        // A number that goes back is of a state that was restored, or the one before was wrong.
        guard let last, last.epoch == claim.epoch, last.lastEvent <= claim.lastEvent else {
            return begin(peer, claim.epoch, at: claim.lastEvent)
        }
        if claim.lastEvent - last.lastEvent > Self.reach {
            begin(peer, claim.epoch, at: claim.lastEvent - Self.reach)
        }
        ledger.receivePosition(of: peer, epoch: claim.epoch, lastEvent: claim.lastEvent, at: time)
    }

    private func begin(_ peer: String, _ epoch: String, at seq: UInt64) {
        ledger.begin(at: LedgerPosition(publisher: peer, epoch: epoch, seq: seq))
    }

    func receive(_ message: HouseMessage, _ turn: Turn) {
        switch message {
        case .itemEvent(let event, _):
            guard let claim = claims[event.fuser], claim.epoch == event.epoch,
                event.seq <= claim.lastEvent + Self.reach
            else { return }
            ledger.receive((), epoch: event.epoch, seq: event.seq, of: event.fuser, at: now)
        case .commandResult(let message):
            if message.topic == topics.fuserReplies(fuser) { receive(answerIn: message) }
        case .nodeStatus, .nodeInfo, .nodeRemoved, .scan, .window, .nodeEvent, .entry, .location, .alerts, .room,
            .telemetry, .battery, .occupancy, .lesson, .plan, .external:
            break
        }
    }

    /// Receives an answer; one to another request is ignored.
    private func receive(answerIn message: Message) {
        guard let result = try? FuserResult(payload: message.payload.span), let id = result.id,
            let number = names.number(of: id)
        else { return }
        var report: ReplayReport?
        if case .replayed(let told) = result.answer { report = told }
        ledger.receiveAnswer(report, to: number, at: now)
    }

    func fuserRemoved(_ name: String, _ turn: Turn) {
        claims[name] = nil
        ledger.remove(name)
    }

    /// Advances the time; requests to other fusers are appended to `outbox`.
    func advance(to now: MonotonicTime, _ outbox: inout [Message]) {
        self.now = now
        ledger.advance(to: now)
        for action in ledger.takeActions() {
            switch action {
            case .ask(let request): outbox.append(message(of: request))
            // One that does not answer may lack the right: no new connection helps.
            case .take, .lose, .keep, .forget, .renew: break
            }
        }
    }

    /// A request. It has QoS 0, since it is repeated, and a broker that denies it must not keep it.
    private func message(of request: LedgerRequest) -> Message {
        let command = FuserCommand(
            id: names.name(of: request.id), action: .replay(epoch: request.epoch, fromSeq: request.fromSeq))
        var message = Message(
            topic: topics.fuserCommand(request.publisher, byPeer: fuser), payload: command.payload, qos: .atMostOnce)
        message.responseTopic = topics.fuserReplies(fuser)
        return message
    }
}
