internal import Alerts
internal import BrokerSession
internal import Configuration
internal import System
internal import WireProtocol

/// Does what crossings ask for: publishes, offers, and runs programs, and tells the log what became of those.
///
/// It belongs to the agent's thread, which waits on `descriptor` until `nextDeadline` and then calls `advance`.
final class NodeActions {
    /// What was counted since the start.
    struct Statistics: Hashable {
        /// Messages published.
        var published = 0
        /// Offers made.
        var offered = 0
        /// Offers that could not be made.
        var refused = 0
        /// Programs that ended well.
        var succeeded = 0
        /// Programs that failed, hung or could not be started.
        var failed = 0
    }

    private(set) var statistics = Statistics()
    private let runner: ActionRunner
    private let session: Session
    private let topics: Topics
    private let node: String
    private let log: Log
    private var toldDropped = 0

    init(session: Session, topics: Topics, node: String, log: Log) throws(SystemError) {
        runner = try ActionRunner()
        self.session = session
        self.topics = topics
        self.node = node
        self.log = log
    }

    /// Readable when `advance` is to be called.
    var descriptor: Int32 { runner.descriptor }
    /// When `advance` is to be called at the latest, on `MonotonicClock`; nil while nothing runs.
    var nextDeadline: Int64? { runner.nextDeadline }
    /// Whether programs run.
    var isRunning: Bool { runner.nextDeadline != nil }

    /// Does one thing; nil, or the reason why an offer could not be made. Blocks while a program is started or a passphrase
    /// is read.
    func perform(_ action: NodeAction) -> String? {
        switch action {
        case .publish(let message):
            session.publish(message)
            statistics.published += 1
        case .run(let command, let label): runner.start(command, label: label)
        case .offer(let attempt): return make(attempt.offer, of: attempt.subject.id, attempt.label)
        }
        return nil
    }

    /// Goes on with the programs, and tells what became of them.
    func advance() {
        guard isRunning else { return }
        tell(runner.advance())
    }

    /// Ends what runs. Blocks for some seconds where programs don't heed it.
    func stop() {
        if isRunning { tell(runner.stop()) }
        guard statistics != Statistics() || runner.dropped > 0 else { return }
        log.info(
            """
            reactions: \(statistics.published) messages and \(statistics.offered) offers \
            (\(statistics.refused) could not be made), \(statistics.succeeded) programs ended well, \
            \(statistics.failed) did not, \(runner.dropped) were dropped
            """)
    }

    /// Seconds for which an offer is of use.
    private static let offerExpiry: UInt32 = 300

    /// The secret is read now, and given away at once; no line of the log holds it.
    private func make(_ offer: Offer, of id: String, _ label: String) -> String? {
        let text: Secret
        do {
            text = try offer.text()
        } catch {
            statistics.refused += 1
            return "\(error)"
        }
        switch offer.way {
        case .topic:
            var offer = Message(topic: topics.offers(id, node: node), text: text.text, qos: .atLeastOnce)
            // It is made once a visit, to who is there now.
            offer.expiry = Self.offerExpiry
            guard session.publish(offer) else {
                statistics.refused += 1
                return "the queue of messages for the broker is full"
            }
            log.info("\(label) was made on its topic")
        case .program(var command):
            command.input = text
            runner.start(command, label: "\(label) to \(command.program)")
        }
        statistics.offered += 1
        return nil
    }

    /// A flood of crossings drops programs by the hundred: they are told as one line when it is over.
    private func tell(_ results: [ActionResult]) {
        for result in results where result.ending != .dropped {
            result.write(to: log)
            if result.isGood { statistics.succeeded += 1 } else { statistics.failed += 1 }
        }
        guard runner.dropped > toldDropped, runner.runningCount == 0 else { return }
        let limits = runner.limits
        log.warning(
            """
            \(runner.dropped - toldDropped) programs of reactions were dropped: at most \(limits.running) run and \
            \(limits.waiting) wait
            """)
        toldDropped = runner.dropped
    }
}
