internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import Sites
internal import System

/// `whereabouts sites`: other houses at a glance, and a search over all of them.
enum SitesCommand {
    /// The time for all answers together, in seconds.
    private static let patience = 8

    /// Its syntax.
    static let command = Command(
        "whereabouts sites",
        summary: "List several houses with their figures, or find something in all of them.",
        positionals: .init(
            "find WORD", 0...8, firstWords: ["find"],
            help: "find: list items and persons with these words in id, name or keywords"),
        options: [
            SitesChoice.option,
            CommandOption(
                "--timeout", .integer("S", 1...60),
                help: "seconds for all sites together; default \(patience)"),
            CommandOption(
                "--json",
                help:
                    "print an object a line: id, name, page, status (online, silent, unreachable), since, problem, "
                    + "fusers_online, fusers, nodes_online, nodes, items, items_present, items_away, persons, "
                    + "persons_present, persons_away, alerts, last_message, left_out; found: site, site_name, page, id, "
                    + "name, person, state, room, since, confidence"),
        ],
        example: "whereabouts sites find pump",
        failure: "a site did not answer or was not wholly searched, or nothing was found")

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let text = arguments.positionals.dropFirst().joined(separator: " ")
            let search = SearchWords(text)
            guard arguments.positionals.isEmpty || search != nil else {
                throw UsageError(
                    command: command.name, faults: ["find needs a word, of \(SearchWords.bound) bytes at most"])
            }
            let log = Log(environment: environment)
            let sites = try SitesChoice.load(arguments, environment: environment) { log.warning("\($0)") }
            // Failures are reported by the command itself.
            log.level = .error
            let patience = arguments.integer("--timeout") ?? patience
            let asked = try SitesReading(sites, log: log).read(within: .seconds(patience))
            let isJSON = arguments.has("--json")
            var output = StandardOutput()
            guard let search else {
                let lines = isJSON ? asked.map(SiteRow.json) : SiteRow.table(asked, at: WallClock.now())
                for line in lines { output.line(line) }
                let status = Program.finishOutput(&output)
                return asked.contains(where: \.state.isUnreachable) ? ExitStatus.failure.rawValue : status
            }
            let found = asked.flatMap { asked in
                asked.state.find(search, bound: asked.site.limit.items).map { (asked.site, $0) }
            }
            let lines = isJSON ? found.map(FoundRow.json) : FoundRow.table(found)
            for line in lines { output.line(line) }
            var errors = StandardOutput(descriptor: 2)
            let incomplete = asked.filter { !$0.isWhole }
            for one in incomplete { errors.line(SiteRow.gap(one)) }
            if found.isEmpty, incomplete.count < asked.count {
                errors.line("no site \(incomplete.isEmpty ? "" : "that was wholly searched ")has '\(text)'")
            }
            errors.flush()
            let status = Program.finishOutput(&output)
            return incomplete.isEmpty && !found.isEmpty ? status : ExitStatus.failure.rawValue
        }
    }
}
