internal import Bytes
internal import Daemon
internal import Session
internal import Sightings

/// `whereabouts purge`: forget where an item was.
enum PurgeCommand {
    /// What it takes.
    static let command = Command(
        "whereabouts purge",
        summary: "Forget where an item was: its visits, and what its kept events told. Where it is now stays known.",
        positionals: .init("ITEM", 1...1, help: "the item's id"),
        options: FuserDesk.options + [
            CommandOption("--before", .text("T"), help: "only what lies before: \(MomentText.forms)"),
            CommandOption("--yes", help: "without asking"),
        ])

    /// Runs it with the words after its name, and gives the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let before = try arguments.text("--before").map { text throws(UsageError) in
                guard let moment = MomentText.moment(text, now: WallClock.now()) else {
                    throw UsageError(
                        command: command.name, faults: ["--before takes \(MomentText.forms); found '\(text)'"])
                }
                return moment
            }
            var desk = try FuserDesk(arguments, name: "purge", environment: environment)
            defer { desk.exchange.end() }
            let item = arguments.positionals[0]
            try desk.learnName(of: item)
            let until = before.map { " before \(LocalTime.text($0).prefix(19))" } ?? " until now"
            if !arguments.has("--yes") {
                var errors = StandardOutput(descriptor: 2)
                errors.write("Forget where \(desk.names.item(item)) was\(until)? This can't be undone. [y/N] ")
                errors.flush()
                let answer = try desk.exchange.line()?.lowercased() ?? ""
                guard answer.hasPrefix("y") else { throw ProgramFault("nothing was forgotten") }
            }
            _ = try desk.ask(.purge(item: item, before: before))
            var output = StandardOutput()
            output.line("where \(desk.names.item(item)) was\(until) is forgotten")
            return Program.end(&output)
        }
    }
}
