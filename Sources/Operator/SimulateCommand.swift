internal import Bytes
public import Daemon
internal import Session
internal import Simulation

/// `whereabouts simulate`: what is true in a simulated house.
public enum SimulateCommand {
    /// What it takes.
    public static let command = Command(
        "whereabouts simulate", summary: "Print where everything truly is in a simulated house, as CSV.",
        positionals: .init("SCENARIO", 1...1, help: "the house, YAML"),
        options: [
            CommandOption("--truth", required: true, help: "print start_s,end_s,item,room"),
            CommandOption("--from", .text("T"), help: "begin, in simulated Unix seconds; default: now in the house"),
            CommandOption("--for", .text("S"), help: "how many simulated seconds; default 3600"),
        ])

    /// Runs it with the words after its name, and gives the exit status.
    public static func run(_ words: [String]) -> Int32 {
        Program.run(command, words) { arguments in
            let scenario = try ScenarioFile.read(arguments.positionals[0])
            let house = try SimulatedHouse(scenario)
            let from = try seconds("--from", arguments) ?? scenario.clock().simulated(at: WallClock.now()).seconds
            let length = try seconds("--for", arguments) ?? 3600
            guard let start = Timestamp(seconds: from), let end = Timestamp(seconds: from + length) else {
                throw UsageError(command: command.name, faults: ["--from and --for are out of range"])
            }
            var output = StandardOutput()
            output.line(TruthInterval.csvHeader)
            for interval in house.truthChanges(from: start, until: end) where output.isOpen {
                output.line(interval.csvRow)
            }
            output.flush()
            return 0
        }
    }

    private static func seconds(_ option: String, _ arguments: Arguments) throws(UsageError) -> Double? {
        guard let text = arguments.text(option) else { return nil }
        guard let number = Double(text), (0...1e11).contains(number) else {
            throw UsageError(command: command.name, faults: ["\(option) takes seconds; found '\(text)'"])
        }
        return number
    }
}
