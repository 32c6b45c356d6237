internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import WireProtocol

/// `whereabouts batteries`: the batteries to change, the most urgent first.
enum BatteriesCommand {
    /// Its syntax.
    static let command = Command(
        "whereabouts batteries", summary: "List which batteries to change, the most urgent first.",
        options: BrokerChoice.houseOptions + [
            CommandOption("--urgent", help: "only those that will hardly last another week"),
            CommandOption("--json", help: "print a JSON array"),
        ],
        example: "whereabouts batteries --urgent")

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            var desk = try ItemsDesk(arguments, environment: environment)
            defer { desk.exchange.end() }
            try desk.readForTable()
            let messages = try desk.exchange.retained([desk.topics.allItems("battery")])
            var rows = BatteryRow.rows(messages, topics: desk.topics, book: desk.book)
            if arguments.has("--urgent") { rows.removeAll { $0.report.grade > .thisWeek } }
            var output = StandardOutput()
            if arguments.has("--json") {
                output.line(BatteryRow.json(rows))
            } else if rows.isEmpty {
                output.line(arguments.has("--urgent") ? "no battery is to be changed this week" : "no items")
            } else {
                for line in BatteryRow.table(rows) { output.line(line) }
            }
            return Program.finishOutput(&output)
        }
    }
}
