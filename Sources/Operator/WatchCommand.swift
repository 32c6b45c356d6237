internal import Bytes
public import Daemon
internal import MQTT
internal import Session
internal import Sightings

/// `whereabouts watch`: rooms and events as they come, from the broker.
public enum WatchCommand {
    /// What it takes.
    public static let command = Command(
        "whereabouts watch", summary: "Show who and what is where, and each change, live from the broker.",
        options: BrokerChoice.options + [
            CommandOption("--changes", .text("N"), help: "end after so many changes"),
            CommandOption("--for", .text("D"), help: "end after so long, such as 30s"),
        ])

    /// Runs it with the words after its name, and gives the exit status.
    public static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let choice = try BrokerChoice.find(
                config: arguments.text("--config"), broker: arguments.text("--broker"), environment: environment)
            let log = Log(environment: environment)
            Program.tell(choice.warnings, withoutEffect: [], log)
            let limit = try Limit(arguments)
            let loop = try RunLoop()
            let session = try Session(
                choice.mqtt, clientID: "whereabouts-watch-\(SystemRandom.epoch())", statusTopic: nil, log: log)
            let names = NameBook(configuration: arguments.text("--config"), environment: environment)
            var view = WatchView(topics: Topics(prefix: choice.topicPrefix), names: names)
            try session.start(subscriptions: view.subscriptions.map { Subscription($0, qos: .atLeastOnce) })
            var output = StandardOutput()
            while output.isOpen, !limit.isReached(view.changes) {
                if try loop.wait(readable: [session.descriptor], until: limit.deadline).shouldEnd { break }
                session.receive { notice in
                    guard case .message(let message) = notice else { return }
                    for line in view.lines(for: message, at: WallClock.now()) { output.line(line) }
                }
                output.flush()
            }
            session.stop(timeout: 1)
            return 0
        }
    }

    /// When to end by itself.
    private struct Limit {
        var changes: Int?
        var deadline: Int64?

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
                deadline = MonotonicClock.now() + duration.microseconds * 1000
            }
        }

        func isReached(_ seen: Int) -> Bool {
            changes.map { seen >= $0 } ?? false || deadline.map { MonotonicClock.now() >= $0 } ?? false
        }
    }
}
