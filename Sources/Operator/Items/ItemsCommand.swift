internal import BrokerSession
internal import CommandLine

/// `whereabouts items`: the registry that all nodes and fusers share.
enum ItemsCommand {
    /// Its syntax.
    static let command = Command(
        "whereabouts items", summary: "Register beacons: list, add, remove, import, export, sync.",
        positionals: Command.Positionals(
            "list|add|remove|import|export|sync", 1...1, firstWords: subcommands.map(\.command.lastWord),
            help: "what to do; each has --help"),
        example: "whereabouts items list")

    private static let subcommands: [(command: Command, run: @Sendable ([String], [String: String]) -> Int32)] = [
        (ItemsList.command, ItemsList.run), (ItemsAdd.command, ItemsAdd.run),
        (ItemsRemove.command, ItemsRemove.run), (ItemsImport.command, ItemsImport.run),
        (ItemsExport.command, ItemsExport.run), (ItemsSync.command, ItemsSync.run),
    ]

    /// The commands that follow the word `items`.
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
