internal import Bytes
internal import Daemon
internal import MQTT
internal import Session
internal import Sightings

/// A running fuser: one thread that waits for its broker and its signals, and hands on what comes.
final class FuserService {
    private var pipeline: FuserPipeline
    private let session: Session
    private let loop: RunLoop
    private let notifier: ServiceNotifier
    private let log: Log
    private var outbox: [Message] = []

    init(pipeline: FuserPipeline, session: Session, loop: RunLoop, log: Log, notifier: ServiceNotifier) {
        self.pipeline = pipeline
        self.session = session
        self.loop = loop
        self.log = log
        self.notifier = notifier
    }

    /// Runs until a signal asks to end.
    func run() throws -> Int32 {
        try session.start(subscriptions: pipeline.subscriptions.map { Subscription($0.filter, qos: $0.qos) })
        notifier.ready()
        while true {
            let deadline = pipeline.nextDeadline.map { wall in
                MonotonicClock.now() + min(max(0, wall.microseconds(since: WallClock.now())), 1_000_000) * 1000
            }
            if try loop.wait(readable: [session.descriptor], until: deadline).shouldEnd { break }
            session.receive { notice in
                switch notice {
                case .connected: pipeline.connected(at: WallClock.now(), &outbox)
                case .message(let message): pipeline.receive(message, at: WallClock.now(), &outbox)
                case .trouble: break
                }
            }
            pipeline.advance(to: WallClock.now(), &outbox)
            for message in outbox { session.publish(message) }
            outbox.removeAll(keepingCapacity: true)
            if let words = pipeline.complaint { log.change("messages", .warning, words) }
        }
        notifier.stopping()
        session.stop(timeout: 5)
        return 0
    }
}
