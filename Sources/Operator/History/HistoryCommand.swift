internal import Bytes
internal import BrokerSession
internal import CommandLine
internal import System
internal import WireProtocol

/// `whereabouts history`: the visits of an item, or the events of a node.
enum HistoryCommand {
    /// Its syntax.
    static let command = Command(
        "whereabouts history",
        summary: "Show where an item was: from when, until when, how long, in which room; or what happened at a node.",
        positionals: .init("ITEM", 0...1, help: "the item's id; not with --node"),
        options: FuserDesk.options + [
            CommandOption(
                "--node", .text("NODE"), help: "what happened at a node: events in order, and what is missing"),
            CommandOption("--region", .text("R"), help: "with --node: of one region alone"),
            CommandOption("--from", .text("T"), help: "visits that lasted then or later: \(MomentText.forms)"),
            CommandOption("--to", .text("T"), help: "visits that had begun by then"),
            CommandOption("--csv", help: "print CSV"), CommandOption("--json", help: "print a JSON object"),
        ],
        example: "whereabouts history keys --from 2h")

    /// The most answers requested in a row, so that the command ends: more visits than a fuser stores.
    private static let answers = 250
    /// The same for a node's events, of which an answer has fewer.
    private static let pages = 600

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let (from, to) = try MomentText.readSpan(arguments, from: "--from", to: "--to", of: command)
            let node = arguments.text("--node")
            if (node == nil) != (arguments.positionals.count == 1) || node == nil && arguments.has("--region") {
                throw UsageError(
                    command: command.name, faults: ["either an ITEM or --node NODE, and --region with --node alone"])
            }
            var desk = try FuserDesk(
                arguments, name: "history", environment: environment, item: arguments.positionals.first)
            defer { desk.exchange.end() }
            var output = StandardOutput()
            if let node {
                let entries = try printJournal(of: node, region: arguments.text("--region"), from: from, to: to, desk)
                let form: JournalText.Form = arguments.has("--json") ? .json : arguments.has("--csv") ? .csv : .table
                for line in JournalText.lines(entries, of: node, form) { output.line(line) }
                return Program.finishOutput(&output)
            }
            let item = arguments.positionals[0]
            let report = try askReport(of: item, from: from, to: to, desk)
            if arguments.has("--json") {
                output.line(HistoryText.json(report))
            } else if arguments.has("--csv") {
                for line in HistoryText.csv(report) { output.line(line) }
            } else {
                try desk.learnName(of: item)
                for line in HistoryText.table(report, names: desk.names) { output.line(line) }
            }
            return Program.finishOutput(&output)
        }
    }

    private static func printJournal(
        of node: String, region: String?, from: Timestamp?, to: Timestamp?, _ desk: FuserDesk
    ) throws -> [JournalReport.Entry] {
        var entries: [JournalReport.Entry] = []
        var after: UInt64 = 0
        for _ in 0..<pages {
            let question = FuserCommand.Action.journal(node: node, region: region, from: from, to: to, after: after)
            guard case .journal(let part) = try desk.ask(question).answer else {
                throw ProgramFault("the fuser's answer is no journal")
            }
            entries += part.entries
            guard let next = part.next else { break }
            after = next
        }
        return entries
    }

    private static func askReport(
        of item: String, from: Timestamp?, to: Timestamp?, _ desk: FuserDesk
    ) throws -> HistoryReport {
        var whole: HistoryReport?
        var next = from
        for _ in 0..<answers {
            guard case .history(let part) = try desk.ask(.history(item: item, from: next, to: to)).answer else {
                throw ProgramFault("the fuser's answer is no history")
            }
            var report = whole ?? HistoryReport(item: item, now: part.now)
            // Times are published in milliseconds: the one before may reach into the next part by less.
            let last = report.visits.suffix(2)
            report.visits += part.visits.filter { !last.contains($0) }
            whole = report
            guard let more = part.next else { break }
            next = more
        }
        return whole ?? HistoryReport(item: item, now: WallClock.now())
    }
}
