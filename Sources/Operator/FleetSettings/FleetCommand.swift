internal import BrokerSession
internal import CommandLine

/// `whereabouts fleet`: the settings of all nodes from one file.
enum FleetCommand {
    /// Its syntax.
    static let command = Command(
        "whereabouts fleet", summary: "Keep the settings of all nodes in one file: status, diff, apply.",
        positionals: Command.Positionals(
            "status|diff|apply", 1...1, firstWords: subcommands.map(\.command.lastWord),
            help: "what to do; each has --help"),
        example: "whereabouts fleet status")

    private static let subcommands: [(command: Command, run: @Sendable ([String], [String: String]) -> Int32)] = [
        (FleetStatus.command, FleetStatus.run), (FleetDiff.command, FleetDiff.run),
        (FleetApply.command, FleetApply.run),
    ]

    /// The commands that follow the word `fleet`.
    static var commands: [Command] { subcommands.map(\.command) }

    /// Runs the subcommand that the first word names, and returns the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        if let subcommand = subcommands.first(where: { $0.command.lastWord == words.first }) {
            return subcommand.run(Array(words.dropFirst()), environment)
        }
        return Program.run(command, words) { arguments in
            throw UsageError(command: command.name, faults: ["'\(arguments.positionals[0])' must be the first word"])
        }
    }
}
