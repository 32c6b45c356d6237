internal import Bytes
internal import Identity
internal import BrokerSession
internal import CommandLine
internal import Configuration

/// `whereabouts items import FILE`.
enum ItemsImport {
    static let command = Command(
        "whereabouts items import",
        summary:
            "Register all items of a file: CSV, BeaconData.json, an export, or items.yaml. A file with a fault changes nothing.",
        positionals: Command.Positionals("FILE", 1...1, help: "ends in .csv, .json, .yaml or .yml"),
        options: BrokerChoice.houseOptions + [
            CommandOption("--dry-run", help: "print what would be registered, and write nothing"),
            CommandOption("--json", help: "print an object a line: id, effect, identities"),
        ],
        example: "whereabouts items import BeaconData.json --dry-run")

    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let path = arguments.positionals[0]
            let document = try ItemsDocument.read(path)
            let isDry = arguments.has("--dry-run")
            var errors = StandardOutput(descriptor: 2)
            for note in document.notes { errors.line(note) }
            guard var desk = try openDesk(arguments, environment, isDry) else {
                let status = printResult(
                    document.changes.map { ("valid", $0.id) }, document, isJSON: arguments.has("--json"))
                errors.line("no broker is named: the file alone was checked, nothing was written")
                return status
            }
            defer { desk.exchange.end() }
            try desk.read()
            let owned = document.faults(owners: desk.owners) { owner in
                "take it out of the file, or remove that first: whereabouts items remove \(owner)"
            }
            if !owned.isEmpty { throw ConfigurationFaults(owned) }
            var lines: [(String, String)] = []
            var entries: [ItemEntry] = []
            var losses: [String] = []
            for change in document.changes {
                let known = desk.book.entry(change.id)
                let effect = ItemEffect(change, on: known, isRetained: desk.retained[change.id] != nil)
                lines.append((effect.rawValue, change.id))
                guard effect != .unchanged else { continue }
                if case .item(let item) = change.content, let old = known?.item {
                    let lost = ItemsDocument.lostKeys(old, item)
                    if !lost.isEmpty {
                        losses.append("\(item.id): the file takes away \(lost.joined(separator: ", "))")
                    }
                }
                entries.append(change.entry(at: known?.successor(at: desk.now) ?? desk.now))
            }
            if !isDry { try write(entries, desk: &desk) }
            let status = printResult(lines, document, isJSON: arguments.has("--json"))
            for loss in losses { errors.line(loss) }
            errors.line(
                isDry ? "\(entries.count) to be written; nothing was" : "\(entries.count) of \(lines.count) written")
            return status
        }
    }

    /// Publishes entries. A failure half-way leaves some of them on the broker, which the fault says.
    private static func write(_ entries: [ItemEntry], desk: inout ItemsDesk) throws {
        do {
            try desk.write(entries)
        } catch {
            let reason = error is Interruption ? "interrupted" : "\(error)"
            guard entries.count > 1 else { throw error }
            throw ProgramFault("\(reason); some of the \(entries.count) may be written: import the file again")
        }
    }

    /// The registry on the broker; nil in a dry run for which no broker is named.
    private static func openDesk(
        _ arguments: Arguments, _ environment: [String: String], _ isDry: Bool
    ) throws -> ItemsDesk? {
        let isNamed = arguments.has("--broker") || arguments.has("--config")
        do {
            return try ItemsDesk(arguments, environment: environment)
        } catch let faults as ConfigurationFaults {
            if isDry, !isNamed, environment["WHEREABOUTS_CONFIG"] == nil, environment["WHEREABOUTS_MQTT_URL"] == nil {
                return nil
            }
            throw faults
        }
    }

    /// Prints what becomes of each item, and returns the exit status.
    private static func printResult(
        _ lines: [(word: String, id: String)], _ document: ItemsDocument, isJSON: Bool
    ) -> Int32 {
        var output = StandardOutput()
        let items = Dictionary(document.changes.map { ($0.id, $0) }) { first, _ in first }
        if isJSON {
            for line in lines {
                var identities: [String] = []
                if case .item(let item) = items[line.id]?.content { identities = item.identities.map(\.text) }
                output.line(ItemEffect.json(line.id, line.word, identities))
            }
            return Program.finishOutput(&output)
        }
        let rows = lines.map { line in
            var identity = ""
            if case .item(let item) = items[line.id]?.content { identity = ItemSpelling.identities(of: item) }
            return [line.word, line.id, identity]
        }
        for line in Columns.lines(rows) { output.line(line) }
        return Program.finishOutput(&output)
    }
}

extension ItemEffect {
    /// An object about what becomes of an item.
    static func json(_ id: String, _ effect: String, _ identities: [String] = []) -> String {
        JSONLine.text { json in
            json.field("id", id)
            json.field("effect", effect)
            if !identities.isEmpty { JSONLine.list("identities", identities, to: &json) }
        }
    }
}

/// `whereabouts items export`.
enum ItemsExport {
    static let command = Command(
        "whereabouts items export", summary: "Print the registry, as a file that import reads.",
        options: BrokerChoice.houseOptions + [
            CommandOption("--yaml", help: "an items file; this is the default"),
            CommandOption("--csv", help: "comma-separated values"),
            CommandOption("--json", help: "everything, dates and removed items too"),
        ],
        example: "whereabouts items export --json")

    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let forms = ["--yaml", "--csv", "--json"].filter(arguments.has)
            guard forms.count < 2 else {
                throw UsageError(command: command.name, faults: ["give one of \(forms.joined(separator: ", "))"])
            }
            var desk = try ItemsDesk(arguments, environment: environment)
            defer { desk.exchange.end() }
            try desk.read()
            var output = StandardOutput()
            switch forms.first {
            case "--csv": output.write(ItemsDocument.csv(desk.book.checkEntries().items))
            case "--json":
                let inFile = desk.book.checkEntries().items.map(\.id).filter { desk.book.entries[$0] == nil }
                output.write(
                    ItemsDocument.json((desk.book.entries.keys + inFile).sorted().compactMap { desk.book.entry($0) }))
            default: output.write(ItemsDocument.yaml(desk.book.checkEntries().items))
            }
            let status = Program.finishOutput(&output)
            desk.tellProblems()
            return status
        }
    }
}
