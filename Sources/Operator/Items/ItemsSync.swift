internal import BrokerSession
internal import CommandLine
internal import Configuration
internal import Identity

/// `whereabouts items sync`.
enum ItemsSync {
    static let command = Command(
        "whereabouts items sync",
        summary: "Put back what the broker lost of the registry: entries, and marks of removed items.",
        options: BrokerChoice.houseOptions + [
            CommandOption("--from", .text("FILE"), help: "an export that holds the entries, besides the items file"),
            CommandOption("--dry-run", help: "print what would be written, and write nothing"),
            CommandOption(
                "--json", help: "print an object a line: id, effect (entry, tombstone of a removed item, or cleared)"),
        ],
        example: "whereabouts items sync --dry-run")

    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let found = try arguments.text("--from").map { try ItemsDocument.read($0).changes } ?? []
            var desk = try ItemsDesk(arguments, environment: environment)
            defer { desk.exchange.end() }
            try desk.read()
            var book = desk.book
            for change in found { book.apply(change, retained: true, at: desk.now) }
            let repairs = book.repairs(broker: desk.retained, at: desk.now)
            if !arguments.has("--dry-run") { try desk.write(repairs.put, clearing: repairs.clear) }
            var output = StandardOutput()
            let effects =
                repairs.put.map { (word: $0.isTombstone ? "tombstone" : "entry", id: $0.id) }
                + repairs.clear.map { (word: "cleared", id: $0) }
            for (word, id) in effects {
                output.line(arguments.has("--json") ? ItemEffect.json(id, word) : "\(word)  \(id)")
            }
            let status = Program.finishOutput(&output)
            var errors = StandardOutput(descriptor: 2)
            let verb = arguments.has("--dry-run") ? "would be " : ""
            errors.line(
                repairs.isEmpty
                    ? "the broker holds the whole registry"
                    : "\(repairs.put.count) \(verb)put back, \(repairs.clear.count) \(verb)cleared")
            errors.flush()
            desk.tellProblems()
            return status
        }
    }
}
