internal import BrokerSession
public import CommandLine

/// `whereabouts`: the operator's tool, from its command line to its exit status.
public enum OperatorProgram {
    private struct Subcommand {
        let command: Command
        let run: ([String], [String: String]) -> Int32

        /// The word that selects it.
        var word: String { command.lastWord }
    }

    private static var subcommands: [Subcommand] {
        [
            Subcommand(command: WatchCommand.command, run: WatchCommand.run),
            Subcommand(command: CommandGroup.items.command, run: CommandGroup.items.run),
            Subcommand(command: BatteriesCommand.command, run: BatteriesCommand.run),
            Subcommand(command: LearnCommand.command, run: LearnCommand.run),
            Subcommand(command: WhyCommand.command, run: WhyCommand.run),
            Subcommand(command: HistoryCommand.command, run: HistoryCommand.run),
            Subcommand(command: PurgeCommand.command, run: PurgeCommand.run),
            Subcommand(command: AuditCommand.command, run: AuditCommand.run),
            Subcommand(command: ForgetCommand.command, run: ForgetCommand.run),
            Subcommand(command: SitesCommand.command, run: SitesCommand.run),
            Subcommand(command: CommandGroup.fleet.command, run: CommandGroup.fleet.run),
            Subcommand(command: RangeCommand.command, run: RangeCommand.run),
            Subcommand(command: DecodeCommand.command) { words, _ in DecodeCommand.run(words) },
            Subcommand(command: ACLCommand.command) { words, _ in ACLCommand.run(words) },
            Subcommand(command: EnrollCommand.command) { words, _ in EnrollCommand.run(words) },
            Subcommand(command: RevokeCommand.command) { words, _ in RevokeCommand.run(words) },
            Subcommand(command: AdvertiseCommand.command) { words, _ in AdvertiseCommand.run(words) },
            Subcommand(command: DoctorCommand.command, run: DoctorCommand.run),
            Subcommand(command: BackupCommand.command, run: BackupCommand.run),
            Subcommand(command: RestoreCommand.command, run: RestoreCommand.run),
            Subcommand(command: SimulateCommand.command) { words, _ in SimulateCommand.run(words) },
            Subcommand(command: LocateCommand.command) { words, _ in LocateCommand.run(words) },
        ]
    }

    /// All commands, in the order of the help; those of `items` and `fleet` follow them.
    public static var commands: [Command] {
        let groups = [CommandGroup.items, .fleet]
        let further = Dictionary(uniqueKeysWithValues: groups.map { ($0.command.name, $0.commands) })
        return subcommands.flatMap { [$0.command] + (further[$0.command.name] ?? []) }
    }

    /// Runs the command that the first word names; blocks until it ends. Returns an ``ExitStatus``.
    public static func run(_ words: [String], environment: [String: String]) -> Int32 {
        let subcommands = subcommands
        guard let first = words.first else { return printFaults(["a command is missing"], subcommands) }
        if let subcommand = subcommands.first(where: { $0.word == first }) {
            return subcommand.run(Array(words.dropFirst()), environment)
        }
        switch first {
        case "--help", "-h", "help": return printText(helpText(subcommands))
        case "--version": return printText("whereabouts \(Version.current)\n")
        default:
            let hint = Spelling.question(first, among: subcommands.map(\.word) + ["help"])
            return printFaults(["there is no command '\(first)'\(hint)"], subcommands)
        }
    }

    private static func helpText(_ subcommands: [Subcommand]) -> String {
        let width = subcommands.map(\.word.count).max() ?? 0
        var text = "Usage: whereabouts COMMAND …\n\n"
        for subcommand in subcommands {
            let padding = String(repeating: " ", count: width - subcommand.word.count)
            text += "  \(subcommand.word)\(padding)  \(subcommand.command.summary)\n"
        }
        return text + "\n`whereabouts COMMAND --help` tells what a command takes.\n"
    }

    private static func printText(_ text: String) -> Int32 {
        var output = StandardOutput()
        output.write(text)
        return Program.finishOutput(&output)
    }

    private static func printFaults(_ faults: [String], _ subcommands: [Subcommand]) -> Int32 {
        var output = StandardOutput(descriptor: 2)
        output.line("\(UsageError(command: "whereabouts", faults: faults))")
        output.line("Commands: \(subcommands.map(\.word).joined(separator: ", "))")
        output.flush()
        return UsageError.exitStatus
    }
}
