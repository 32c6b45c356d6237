internal import Bytes
internal import BrokerSession
internal import CommandLine
internal import Configuration
internal import Simulation
internal import System

/// `whereabouts simulate`: the truth of a simulated house.
enum SimulateCommand {
    /// Its syntax.
    public static let command = Command(
        "whereabouts simulate", summary: "Print the true places of all items in a simulated house, as CSV.",
        positionals: Command.Positionals("SCENARIO", 1...1, help: "the house, YAML"),
        options: [
            CommandOption("--truth", help: "print start_s,end_s,item,room; the only thing it prints so far"),
            CommandOption("--from", .text("T"), help: "begin, in simulated Unix seconds; default: now in the house"),
            CommandOption("--for", .text("S"), help: "how many simulated seconds; default 3600"),
            CommandOption("--json", help: "print an object a line: start, end, item, room"),
        ],
        example: "whereabouts simulate etc/examples/simulation/house.yaml --truth --for 600")

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String]) -> Int32 {
        Program.run(command, words) { arguments in
            guard arguments.has("--truth") else {
                throw UsageError(command: command.name, faults: ["say what to print: --truth"])
            }
            let scenario = try ScenarioFile.read(arguments.positionals[0])
            let house = try SimulatedHouse(scenario)
            let from = try readSeconds("--from", arguments) ?? scenario.clock().simulated(at: WallClock.now()).seconds
            let length = try readSeconds("--for", arguments) ?? 3600
            guard let start = Timestamp(seconds: from), let end = Timestamp(seconds: from + length) else {
                throw UsageError(command: command.name, faults: ["--from and --for are out of range"])
            }
            var output = StandardOutput()
            let isJSON = arguments.has("--json")
            if !isJSON { output.line(TruthInterval.csvHeader) }
            let progress = Progress("simulating", total: length, unit: .seconds)
            defer { progress.end() }
            let intervals = house.truthChanges(from: start, until: end) { progress.advance(to: $0 * length) }
            progress.end()
            for interval in intervals where output.isOpen {
                output.line(isJSON ? json(of: interval) : interval.csvRow)
            }
            return Program.finishOutput(&output)
        }
    }

    private static func json(of interval: TruthInterval) -> String {
        JSONLine.text { json in
            json.field("start", interval.start)
            json.field("end", interval.end)
            json.field("item", interval.item)
            json.field("room", interval.room ?? Scenario.away)
        }
    }

    private static func readSeconds(_ option: String, _ arguments: Arguments) throws(UsageError) -> Double? {
        guard let text = arguments.text(option) else { return nil }
        guard let number = Double(text), (0...1e11).contains(number) else {
            throw UsageError(command: command.name, faults: ["\(option) takes seconds; found '\(text)'"])
        }
        return number
    }
}
