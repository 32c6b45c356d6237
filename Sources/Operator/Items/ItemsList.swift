internal import Bytes
internal import Identity
internal import BrokerSession
internal import CommandLine
internal import Configuration
internal import WireProtocol

/// `whereabouts items list`.
enum ItemsList {
    static let command = Command(
        "whereabouts items list", summary: "List the registered items.",
        options: BrokerChoice.houseOptions + [
            CommandOption("--removed", help: "list removed items as well, with the time of removal"),
            CommandOption("--json", help: "print a JSON array"),
        ],
        example: "whereabouts items list --removed --json")

    /// One line of the list.
    struct Row {
        var entry: ItemEntry
        /// `topic`, `file`, or `topic, file`.
        var source: String
        var isRetained: Bool
        var problem: String?
        /// Notes on it from beyond the registry.
        var notes: [String] = []
    }

    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            var desk = try ItemsDesk(arguments, environment: environment)
            defer { desk.exchange.end() }
            try desk.readForTable()
            var rows = rows(of: desk.book, retained: desk.retained, withRemoved: arguments.has("--removed"))
            // Topics that may not be read give no notes.
            let told = ItemNotes.filters(desk.topics).flatMap { (try? desk.exchange.retained([$0])) ?? [] }
            let notes = ItemNotes(told, topics: desk.topics, items: rows.compactMap(\.entry.item))
            for index in rows.indices { rows[index].notes = notes[rows[index].entry.id] }
            var output = StandardOutput()
            if arguments.has("--json") {
                output.line(json(rows, desk.persons))
            } else {
                for line in table(rows, desk.persons) { output.line(line) }
            }
            let status = Program.finishOutput(&output)
            desk.tellProblems()
            tellNotes(rows)
            return status
        }
    }

    static func rows(of book: RegistryBook, retained: [String: ItemChange], withRemoved: Bool) -> [Row] {
        let (items, refusals) = book.checkEntries()
        let problems = Dictionary(refusals.map { ($0.id, "\($0)") }) { first, _ in first }
        let removed = withRemoved ? book.entries.values.filter(\.isTombstone).map(\.id) : []
        let ids = Set(items.map(\.id) + refusals.map(\.id) + removed)
        return ids.sorted().compactMap { id in
            guard let entry = book.entry(id) else { return nil }
            let sources = [book.entries[id].map { _ in "topic" }, book.itemInFile(id).map { _ in "file" }]
            return Row(
                entry: entry, source: sources.compactMap { $0 }.joined(separator: ", "),
                isRetained: retained[id] != nil, problem: problems[id])
        }
    }

    /// Prints the notes on items.
    private static func tellNotes(_ rows: [Row]) {
        var errors = StandardOutput(descriptor: 2)
        for row in rows {
            for note in row.notes { errors.line("'\(row.entry.id)' \(note)") }
        }
        errors.flush()
    }

    static func table(_ rows: [Row], _ persons: [Person] = []) -> [String] {
        Columns.lines(
            [["ID", "NAME", "IDENTITY", "SOURCE", "BROKER"]]
                + rows.map { row in
                    let identity = row.entry.item.map(ItemSpelling.identities) ?? "removed"
                    let broker = row.problem == nil ? row.isRetained ? "retained" : "missing" : "refused"
                    return [row.entry.id, row.entry.item?.name ?? "", identity, row.source, broker]
                }
                + persons.map { [$0.id, $0.name ?? "", "person of \($0.items.joined(separator: ", "))", "file", ""] })
    }

    static func json(_ rows: [Row], _ persons: [Person] = []) -> String {
        var json = JSONWriter()
        json.beginArray()
        for row in rows {
            json.beginObject()
            json.field("id", row.entry.id)
            json.field("name", row.entry.item?.name)
            if let item = row.entry.item {
                json.beginArray("identities")
                for identity in item.identities { json.value(identity.text) }
                json.endArray()
                json.beginArray("tags")
                for tag in item.tags { json.value(tag) }
                json.endArray()
                json.field("key", item.key?.rawValue)
                json.field("expected_interval", item.expectedInterval?.seconds, decimals: 6)
                json.field("power", item.power)
            }
            // An item that only the file names has no date.
            let date = row.entry.at.microseconds == 0 ? nil : row.entry.at
            json.field(row.entry.isTombstone ? "removed" : "at", date)
            json.field("source", row.source)
            json.field("retained", row.isRetained)
            json.field("problem", row.problem)
            if !row.notes.isEmpty {
                json.beginArray("notes")
                for note in row.notes { json.value(note) }
                json.endArray()
            }
            json.endObject()
        }
        for person in persons {
            json.beginObject()
            json.field("id", person.id)
            json.field("name", person.name)
            json.field("person", true)
            json.beginArray("items")
            for item in person.items { json.value(item) }
            json.endArray()
            json.beginArray("must_have")
            for item in person.mustHave { json.value(item) }
            json.endArray()
            json.field("source", "file")
            json.endObject()
        }
        json.endArray()
        return json.text
    }
}

/// Text in columns as wide as their widest field.
enum Columns {
    static func lines(_ rows: [[String]]) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, field) in row.enumerated() {
                line += field + String(repeating: " ", count: widths[column] - field.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
