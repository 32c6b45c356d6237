internal import Bytes
internal import EventLedger
internal import WireProtocol

/// The events of nodes in order, each once; missing ones are requested, and lost ones are recorded as such.
///
/// Its entries are to be stored in one transaction with the positions beside them.
///
/// Its time is monotonic, since a clock that is set must not end the wait for an answer. So it has an `advance` and a
/// `nextDeadline` of its own, on the monotonic clock, which `FuserService` calls (`requestMissingEvents`) beside those of the pipeline.
final class NodeJournal: FuserComponent {
    /// A row for the journal.
    struct Entry: Hashable, Sendable {
        /// The node.
        var node: String
        /// The event, or the loss of one.
        var row: JournalReport.Entry
    }

    /// A change of a stored position.
    struct Change: Hashable, Sendable {
        /// The position.
        var position: LedgerPosition
        /// True if it is to be deleted.
        var isForgotten = false
    }

    /// Rows that wait to be kept at most, where they can …
    private static let bound = 1000
    /// … and the time for which they wait.
    private static let wait: Duration = .seconds(10)

    /// The topic on which nodes answer over MQTT 5; the others answer on their own.
    let replyTopic: String
    private let topics: Topics
    private let names: RequestNames
    private(set) var ledger: EventLedger<NodeEvent>
    private var entries: [Entry] = []
    private var changes: [Change] = []
    private var waitingSince: MonotonicTime?
    /// A node whose events are published and don't arrive.
    private var stalled: String?
    /// The latest time that it was advanced to.
    private var now = MonotonicTime.start

    /// A journal that continues from stored positions.
    ///
    /// - Parameter run: a secret that no earlier run has had.
    init(
        fuser: String, topics: Topics, run: String, from positions: [LedgerPosition] = [],
        limits: LedgerLimits = LedgerLimits()
    ) {
        self.topics = topics
        names = RequestNames(run)
        replyTopic = topics.fuserReplies(fuser)
        ledger = EventLedger(from: positions, limits: limits)
    }

    /// True if something is to be stored.
    var hasEntries: Bool { !entries.isEmpty || !changes.isEmpty }
    /// True if that is so much, or waits for so long, that it must be stored now.
    var isUrgent: Bool { entries.count >= Self.bound || waitingSince.map { now - $0 >= Self.wait } ?? false }
    /// The time by which `advance` must be called; nil if nothing is missing.
    var nextDeadline: MonotonicTime? { ledger.nextDeadline }

    func receive(_ message: HouseMessage, _ turn: Turn) {
        switch message {
        case .nodeEvent(let event, let node):
            ledger.receive(event, epoch: event.epoch, seq: event.seq, of: node, at: now)
        case .scan(let scan, let node):
            ledger.receivePosition(of: node, epoch: scan.epoch, lastEvent: scan.lastEvent, at: now)
        case .commandResult(let message): receive(answerIn: message)
        case .nodeStatus, .nodeInfo, .nodeRemoved, .window, .entry, .location, .itemEvent, .alerts, .room, .telemetry,
            .battery,
            .occupancy, .lesson, .plan, .external:
            break
        }
    }

    func store(in effects: inout FuserEffects, _ request: StoreRequest, _ turn: Turn) {
        (effects.journal, effects.positions) = (entries, changes)
        (entries, changes, waitingSince) = ([], [], nil)
    }

    /// Marks all positions as changed, since the stored ones are lost.
    func storeEverything(_ turn: Turn) { changes = ledger.positions.map { Change(position: $0) } }

    /// Receives an answer on any topic; one to another program is ignored.
    private func receive(answerIn message: Message) {
        guard let result = try? CommandResult(payload: message.payload.span), let id = result.id,
            let number = names.number(of: id)
        else { return }
        var report: ReplayReport?
        if case .replayed(let told) = result.answer { report = told }
        ledger.receiveAnswer(report, to: number, at: now)
    }

    /// Advances the time; requests to nodes are appended to `outbox`.
    /// `time` is the house's, at which losses are noted.
    func advance(to now: MonotonicTime, at time: Timestamp, _ outbox: inout [Message]) {
        self.now = now
        ledger.advance(to: now)
        for action in ledger.takeActions() {
            switch action {
            case .take(let event, let node, _, _): entries.append(Entry(node: node, row: .event(event)))
            case .lose(let loss, let node): entries.append(Entry(node: node, row: .lost(loss, at: time)))
            case .keep(let position): changes.append(Change(position: position))
            case .forget(let position): changes.append(Change(position: position, isForgotten: true))
            case .ask(let request): outbox.append(requestMessage(request))
            case .renew(let node): stalled = node
            }
        }
        if hasEntries, waitingSince == nil { waitingSince = now }
    }

    /// A node whose events are published and don't arrive, so that the connection should be made anew; given once.
    func takeStalled() -> String? {
        defer { stalled = nil }
        return stalled
    }

    private func requestMessage(_ request: LedgerRequest) -> Message {
        let command = NodeCommand(
            id: names.name(of: request.id), action: .replay(epoch: request.epoch, fromSeq: request.fromSeq))
        var message = Message(
            topic: topics.nodeCommand(request.publisher), payload: command.payload, qos: .atLeastOnce)
        message.responseTopic = replyTopic
        return message
    }
}
