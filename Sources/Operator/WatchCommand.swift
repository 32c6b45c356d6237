internal import MQTT
internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import System
internal import WireProtocol

/// `whereabouts watch`: rooms and events as they arrive from the broker.
enum WatchCommand {
    /// Its syntax.
    public static let command = Command(
        "whereabouts watch", summary: "Show the rooms of items and persons, and each change, live from the broker.",
        options: BrokerChoice.houseOptions + [
            CommandOption("--changes", .text("N"), help: "end after so many changes"),
            CommandOption(
                "--for", .text("D"),
                help:
                    "end so long after the first answer was shown, such as 30s; without one after as long, at least 20s"
            ),
            CommandOption(
                "--json",
                help:
                    "print an object a line: at; item, name, state, room, previous, confidence; or node or fuser, status"
            ),
        ],
        example: "whereabouts watch --config /etc/whereabouts/fuser.yaml --for 30s")

    /// The time without an answer after which a hint is printed.
    private static let hintAfter: Duration = .seconds(10)
    /// The time without an answer after which `--for` gives up at the earliest: a fuser that starts answers within it.
    private static let patience: Duration = .seconds(20)

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let choice = try BrokerChoice.find(arguments, environment: environment)
            let log = Log(environment: environment)
            Program.logWarnings(choice.warnings, log)
            var limit = try Limit(arguments)
            let loop = try RunLoop()
            let session = try Session(
                choice.mqtt, clientID: "whereabouts-watch-\(SystemRandom.epoch())", statusTopic: nil, log: log)
            let names = NameBook(configuration: choice.origin, environment: environment)
            var view = WatchView(
                topics: Topics(prefix: choice.topicPrefix), names: names, isJSON: arguments.has("--json"))
            try session.start(subscriptions: view.subscriptions)
            var output = StandardOutput()
            let started = MonotonicClock.now()
            while output.isOpen, !limit.isReached(view.changes) {
                let silence = view.hasShownAnswer ? nil : MonotonicClock.now() - started
                if let silence, silence >= Self.hintAfter {
                    log.logChange(
                        "answer", .notice,
                        "no answer yet from \(choice.mqtt.url): does a fuser run there, and is any item heard?")
                }
                let patience = limit.length.map { max($0, Self.patience) }
                if let silence, let patience, silence >= patience {
                    throw ProgramFault(
                        "no answer from \(choice.mqtt.url) within \(patience.components.seconds) s: does a fuser run there, and is "
                            + "any item heard?")
                }
                let end = patience.map { started + $0 } ?? .distantFuture
                let deadline = limit.deadline ?? silence.map { _ in min(end, MonotonicClock.now() + Self.hintAfter) }
                if try loop.wait(readable: [session.descriptor], until: deadline).shouldEnd { break }
                session.receive { notice in
                    guard case .message(let message) = notice else { return }
                    for line in view.lines(for: message, at: WallClock.now()) { output.line(line) }
                }
                output.flush()
                if view.hasShownAnswer { limit.begin() }
            }
            session.stop(timeout: 1)
            return Program.finishOutput(&output)
        }
    }

    /// The condition on which it ends by itself.
    private struct Limit {
        var changes: Int?
        private(set) var length: Duration?
        private(set) var deadline: MonotonicTime?

        init(_ arguments: Arguments) throws(UsageError) {
            if let text = arguments.text("--changes") {
                guard let number = Int(text), number > 0 else {
                    throw UsageError(command: command.name, faults: ["--changes takes a number; found '\(text)'"])
                }
                changes = number
            }
            if let text = arguments.text("--for") {
                guard let duration = DurationText.duration(text) else {
                    throw UsageError(command: command.name, faults: ["--for takes such as 30s; found '\(text)'"])
                }
                length = duration
            }
        }

        /// Starts the time; calls after the first do nothing.
        mutating func begin() {
            guard let length, deadline == nil else { return }
            deadline = MonotonicClock.now() + length
        }

        func isReached(_ seen: Int) -> Bool {
            changes.map { seen >= $0 } ?? false || deadline.map { MonotonicClock.now() >= $0 } ?? false
        }
    }
}
