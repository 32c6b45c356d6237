internal import BrokerSession
internal import CommandLine

/// A command whose first word selects one of several: `items`, `fleet`.
struct CommandGroup: Sendable {
    /// A command with its function, which returns the exit status.
    typealias Member = (command: Command, run: @Sendable ([String], [String: String]) -> Int32)

    /// Its syntax.
    let command: Command
    private let members: [Member]

    /// A group of commands, in the order of its help.
    init(_ name: String, summary: String, _ members: [Member], example: String) {
        let words = members.map(\.command.lastWord)
        self.members = members
        command = Command(
            name, summary: summary,
            positionals: Command.Positionals(
                words.joined(separator: "|"), 1...1, firstWords: words, help: "what to do; each has --help"),
            example: example)
    }

    /// The commands that follow its word.
    var commands: [Command] { members.map(\.command) }

    /// Runs the command that the first word names, and returns the exit status.
    @Sendable func run(_ words: [String], environment: [String: String]) -> Int32 {
        if let member = members.first(where: { $0.command.lastWord == words.first }) {
            return member.run(Array(words.dropFirst()), environment)
        }
        return Program.run(command, words) { arguments in
            throw UsageError(command: command.name, faults: ["'\(arguments.positionals[0])' must be the first word"])
        }
    }
}

extension CommandGroup {
    /// `whereabouts items`: the registry that all nodes and fusers share.
    static let items = CommandGroup(
        "whereabouts items", summary: "Register beacons: list, add, remove, import, export, sync.",
        [
            (ItemsList.command, ItemsList.run), (ItemsAdd.command, ItemsAdd.run),
            (ItemsRemove.command, ItemsRemove.run), (ItemsImport.command, ItemsImport.run),
            (ItemsExport.command, ItemsExport.run), (ItemsSync.command, ItemsSync.run),
        ], example: "whereabouts items list")

    /// `whereabouts fleet`: the settings of all nodes and fusers from one file, and versions.
    static let fleet = CommandGroup(
        "whereabouts fleet",
        summary: "Change settings and versions of a house, a few nodes first: status, diff, apply, upgrade.",
        [
            (FleetStatus.command, FleetStatus.run), (FleetDiff.command, FleetDiff.run),
            (FleetApply.command, FleetApply.run), (FleetUpgrade.command, FleetUpgrade.run),
        ], example: "whereabouts fleet status")
}
