internal import Bytes
internal import Daemon
internal import MQTT
internal import Session
internal import Sightings

/// A running fuser: one thread that waits for its broker and its signals, and hands on what comes.
final class FuserService {
    var pipeline: FuserPipeline
    var rivals: Rivals
    let memory: FuserMemory
    /// What stands under names that the fuser had before.
    private var former: FormerNames
    private let session: Session
    private let loop: RunLoop
    private var notifier: ServiceNotifier
    let log: Log
    var outbox: [Message] = []
    var commands = CommandGate<FuserCommand>()
    let commandTopic: String
    private let learning: LearningThread
    var backlog = Backlog()
    private var complained: Int64 = 0

    /// Messages a second at most.
    static let rate = 5000
    /// Messages that are given to the session at once. It gets others when the broker has acknowledged these: what waits
    /// here can be taken back.
    private static let batch = 1000
    /// How soon, in nanoseconds, a backlog is looked at again.
    private static let backlogPause: Int64 = 20_000_000
    /// How soon, in nanoseconds, it is looked again whether those who were refused can be told.
    private static let refusalPause: Int64 = 1_000_000_000
    /// What is odd is told not more often than after so many nanoseconds.
    private static let complaintPause: Int64 = 10_000_000_000

    init(
        pipeline: FuserPipeline, rivals: Rivals, memory: FuserMemory, former: FormerNames, session: Session,
        loop: RunLoop, log: Log,
        notifier: ServiceNotifier
    ) {
        self.pipeline = pipeline
        self.rivals = rivals
        self.memory = memory
        self.former = former
        self.session = session
        self.loop = loop
        self.log = log
        self.notifier = notifier
        commandTopic = pipeline.topics.fuserCommand(pipeline.fuser)
        learning = LearningThread(wakeUp: loop.wakeUp)
    }

    /// Runs until a signal asks to end.
    func run() throws -> Int32 {
        learn()
        try session.start(
            subscriptions: pipeline.subscriptions.map { Subscription($0.filter, qos: $0.qos) }
                + former.subscriptions.map { Subscription($0, qos: .atLeastOnce) })
        notifier.ready()
        while true {
            let due = pipeline.nextDeadline.map { wall in
                MonotonicClock.now() + min(max(0, wall.microseconds(since: WallClock.now())), 1_000_000) * 1000
            }
            let retry = backlog.isEmpty ? nil : MonotonicClock.now() + Self.backlogPause
            let refusal = commands.isWaiting ? MonotonicClock.now() + Self.refusalPause : nil
            let deadline = [
                due, retry, refusal, notifier.nextDeadline, rivals.nextDeadline, session.nextDeadline,
                former.nextDeadline,
            ].compactMap { $0 }.min()
            if try loop.wait(readable: [session.descriptor], until: deadline).shouldEnd { break }
            // Who stood still must know it before anything else is told.
            turn()
            session.receive { notice in
                switch notice {
                case .connected:
                    rivals.connected(at: MonotonicClock.now())
                    former.connected(at: MonotonicClock.now())
                    serve()
                    pipeline.connected(at: WallClock.now(), &outbox)
                case .message(let message):
                    if !former.receive(message, at: MonotonicClock.now()) { receive(message) }
                case .trouble(.unreachable): rivals.disconnected()
                case .trouble(.subscriptionDenied(let filter, _)): former.denied(filter)
                case .trouble: break
                }
            }
            claim()
            pipeline.advance(to: WallClock.now(), &outbox)
            learn()
            answerLater()
            leaveFormerNames()
            settle()
            for message in outbox { backlog.add(message) }
            outbox.removeAll(keepingCapacity: true)
            send()
            tellComplaints()
            notifier.alive()
        }
        notifier.stopping()
        settle(isLast: true)
        memory.close(at: pipeline.time(atWall: WallClock.now()))
        session.stop(timeout: 5)
        return 0
    }

    /// Keeps what has happened, then tells it: what has no hurry when it is due, or asked for.
    func settle(isLast: Bool = false, isAsked: Bool = false) {
        // Until nodes are heard again the end of the run before stays on record.
        let isDue = (isAsked || memory.isDue) && !pipeline.isWaiting
        guard pipeline.hasEvents || isLast || isDue else { return }
        let wall = WallClock.now()
        let now = pipeline.time(atWall: wall)
        let effects = pipeline.takeEffects(at: wall, remembers: memory.isLasting, isLast: isLast)
        for event in memory.keep(effects, at: now) { outbox.append(pipeline.message(event.event, of: event.item)) }
        if memory.takeLoss(at: now) { pipeline.rememberAll() }
    }

    /// Puts in force what was learned, and begins to learn what changed since.
    private func learn() {
        if let learned = learning.take() {
            pipeline.use(learned)
            log.change("lessons", .notice, "what was taught is learned")
        }
        if pipeline.isStarting {
            log.change("lessons", .notice, "learning what was taught: until that is done rooms stand as they were")
        }
        if let task = pipeline.takeLearning() { learning.start(task) }
        rivals.note(isLearning: pipeline.isStarting)
    }

    /// Gives the session as much as it may hold. What waits while there is no connection goes out with the next.
    private func send() {
        guard session.isConnected, session.unsent == 0 else { return }
        var left = Self.batch
        backlog.send { message in
            left -= 1
            return left >= 0 && session.publish(message)
        }
    }

    /// Clears what stands under names that the fuser had before.
    private func leaveFormerNames() {
        let steps = former.advance(to: MonotonicClock.now())
        for topic in steps.cleared {
            outbox.append(Message(topic: topic, payload: [], qos: .atLeastOnce, retained: true))
        }
        for words in steps.words { log.notice(words) }
        if steps.isChanged { memory.keep(former, at: pipeline.time(atWall: WallClock.now())) }
    }

    private func tellComplaints() {
        let now = MonotonicClock.now()
        guard now - complained >= Self.complaintPause else { return }
        for complaint in pipeline.takeComplaints() {
            complained = now
            log.change(complaint.key, .warning, complaint.words)
        }
    }
}
