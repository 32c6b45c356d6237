internal import BrokerSession
internal import CommandLine
internal import Configuration

/// `whereabouts range`: the beacons nearby, as a table.
enum RangeCommand {
    /// Its syntax.
    static let command = Command(
        "whereabouts range", summary: "Show which beacons are near, the nearest first, from a broker or a source.",
        options: RangeOptions.options,
        example: "whereabouts range --source hci:auto --once")

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let options = try RangeOptions(arguments, environment: environment, command: command.name)
            if let source = options.source { return try RangeSource(source, options, environment: environment).run() }
            let choice = try BrokerChoice.find(arguments, environment: environment)
            return try RangeBroker(choice, options, environment: environment).run()
        }
    }

    /// Ends a run: prints the remaining rows, or the reason for which there are none.
    static func finish(_ screen: inout RangeScreen, _ rows: [RangeRow], hidden: Int) throws {
        if case .failed(let error) = screen.finish(rows) { throw ProgramFault("standard output: \(error)") }
        guard rows.isEmpty else { return }
        printNote(
            hidden == 0
                ? "no beacon was heard of late"
                : "\(hidden) transmitters were heard, all known by their address alone: --all shows them")
    }

    /// Prints a remark on standard error.
    static func printNote(_ text: String) {
        var errors = StandardOutput(descriptor: 2)
        errors.line("\(command.name): \(text)")
        errors.flush()
    }
}
