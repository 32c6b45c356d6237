internal import Alerts
internal import BrokerSession
internal import Bytes
internal import Configuration
internal import System
internal import WireProtocol

/// Carries out the actions of crossings: publishes, makes offers, runs programs, and logs the results.
///
/// It belongs to the agent's thread, which waits on `descriptor` until `nextDeadline` and then calls `advance`.
final class NodeActions {
    /// The counts since the start.
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
    private var loggedDropped = 0

    init(session: Session, topics: Topics, node: String, log: Log) throws(SystemError) {
        runner = try ActionRunner()
        self.session = session
        self.topics = topics
        self.node = node
        self.log = log
    }

    /// The descriptor, readable when `advance` is to be called.
    var descriptor: Int32 { runner.descriptor }
    /// The latest time for the next call of `advance`, on `MonotonicClock`; nil while nothing runs.
    var nextDeadline: MonotonicTime? { runner.nextDeadline }
    /// True if programs run.
    var isRunning: Bool { runner.nextDeadline != nil }

    /// Carries out one action; returns the reason if an offer could not be made. Blocks while a program is started or a
    /// passphrase is read.
    func perform(_ action: NodeAction) -> String? {
        switch action {
        case .publish(let message):
            session.publish(message)
            statistics.published += 1
        case .run(let command, let label): runner.start(command, label: label)
        case .offer(let attempt): return publishOffer(attempt.offer, of: attempt.subject.id, attempt.label)
        }
        return nil
    }

    /// Continues the programs, and logs their results.
    func advance() {
        guard isRunning else { return }
        logResults(runner.advance())
    }

    /// Ends all programs. Blocks for some seconds if they ignore it.
    func stop() {
        if isRunning { logResults(runner.stop()) }
        guard statistics != Statistics() || runner.dropped > 0 else { return }
        log.info(
            """
            reactions: \(statistics.published) messages and \(statistics.offered) offers \
            (\(statistics.refused) could not be made), \(statistics.succeeded) programs ended well, \
            \(statistics.failed) did not, \(runner.dropped) were dropped
            """)
    }

    /// Seconds after which an offer expires.
    private static let offerExpiry: UInt32 = 300

    /// Reads the secret and publishes it at once; no line of the log contains it.
    private func publishOffer(_ offer: Offer, of id: String, _ label: String) -> String? {
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
            // It is made once a visit, for those present now.
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

    /// Logs results; the many dropped programs of a flood of crossings are logged in one line at its end.
    private func logResults(_ results: [ActionResult]) {
        for result in results where result.ending != .dropped {
            result.write(to: log, about: NodeAction.subjects(ofLabel: result.label))
            if result.isGood { statistics.succeeded += 1 } else { statistics.failed += 1 }
        }
        guard runner.dropped > loggedDropped, runner.runningCount == 0 else { return }
        let limits = runner.limits
        log.warning(
            """
            \(runner.dropped - loggedDropped) programs of reactions were dropped: at most \(limits.running) run and \
            \(limits.waiting) wait
            """)
        loggedDropped = runner.dropped
    }
}
