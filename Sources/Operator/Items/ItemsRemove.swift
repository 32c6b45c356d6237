internal import Identity
internal import BrokerSession
internal import CommandLine
internal import Configuration
internal import WireProtocol

/// `whereabouts items remove ID`.
enum ItemsRemove {
    /// Items removed at once.
    private static let limit = 100
    static let command = Command(
        "whereabouts items remove", summary: "Remove an item from the registry, everywhere.",
        positionals: Command.Positionals("ID", 1...limit, help: "the items, at most \(limit)"),
        options: BrokerChoice.houseOptions + [CommandOption("--json", help: "print an object a line: id, effect")],
        example: "whereabouts items remove cat")

    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            var desk = try ItemsDesk(arguments, environment: environment)
            defer { desk.exchange.end() }
            try desk.read()
            let known =
                desk.book.checkEntries().items.map(\.id) + desk.refusals.map(\.id)
                + desk.book.checkEntries().refusals.map(\.id)
            var entries: [ItemEntry] = []
            for id in arguments.positionals where !entries.contains(where: { $0.id == id }) {
                let entry = desk.book.entry(id)
                guard known.contains(id) || entry?.item != nil else {
                    let isRemoved = entry?.isTombstone == true
                    let hint = Spelling.question(id, among: known)
                    throw ProgramFault(isRemoved ? "'\(id)' is removed already" : "there is no item '\(id)'\(hint)")
                }
                entries.append(ItemEntry(removed: id, at: entry?.successor(at: desk.now) ?? desk.now))
            }
            try desk.write(entries)
            var output = StandardOutput()
            for entry in entries {
                output.line(
                    arguments.has("--json")
                        ? ItemEffect.json(entry.id, "removed") : "\(entry.id) is removed")
            }
            let status = Program.finishOutput(&output)
            var errors = StandardOutput(descriptor: 2)
            for entry in entries where desk.book.itemInFile(entry.id) != nil {
                errors.line("the items file still names '\(entry.id)': take it out there too")
            }
            return status
        }
    }
}
