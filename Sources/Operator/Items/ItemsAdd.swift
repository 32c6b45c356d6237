internal import Identity
internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import WireProtocol

/// `whereabouts items add ID`: by a given identity, or by the strongest beacon at a node.
enum ItemsAdd {
    static let command = Command(
        "whereabouts items add", summary: "Register a beacon as an item, for every node and fuser.",
        positionals: Command.Positionals("ID", 1...1, help: "its id: small letters, digits, '_' and '-'"),
        options: [
            CommandOption("--name", .text("NAME"), help: "its name for people"),
            CommandOption("--tag", .text("TAG"), repeats: true, help: "a word that regions may watch it by"),
            CommandOption(
                "--ibeacon", validatedValue("UUID,MAJOR,MINOR", ItemSpelling.uuidForm, ItemSpelling.iBeacon),
                help: "an iBeacon"),
            CommandOption(
                "--altbeacon", validatedValue("UUID,MAJOR,MINOR", ItemSpelling.uuidForm, ItemSpelling.altBeacon),
                help: "an AltBeacon"),
            CommandOption(
                "--eddystone", validatedValue("NAMESPACE,INSTANCE", ItemSpelling.eddystoneForm, ItemSpelling.eddystone),
                help: "an Eddystone-UID"),
            CommandOption(
                "--address", validatedValue("ADDRESS", ItemSpelling.addressForm, ItemSpelling.address),
                help: "a device address that doesn't change"),
        ] + ItemsAddKey.options + [
            CommandOption(
                "--expected-interval", validatedValue("D", ItemSpelling.intervalForm, ItemSpelling.interval),
                help: "the time between its advertisements, such as 5s"),
            CommandOption(
                "--power", .integer("DBM", ItemReader.powers), help: "its measured power at one metre, corrected"),
            CommandOption("--replace", help: "change an item that is registered already"),
            CommandOption("--nearest", .text("NODE"), help: "take the strongest unregistered beacon at a node"),
            CommandOption(
                "--for", validatedValue("D", "1s to 1m") { DurationText.duration($0).flatMap(nearbyTime) },
                help: "with --nearest: how long the node listens, 1s to 1m; default 5s"),
            CommandOption("--yes", help: "with --nearest: take the strongest without asking"),
            CommandOption("--json", help: "print an object: id, identities"),
        ] + BrokerChoice.houseOptions,
        example: "whereabouts items add keys --name Keys --ibeacon 48534442-4c45-4144-80c0-1800fffffff0,100,1")

    private static let identityOptions: [(option: String, read: @Sendable (String) -> BeaconID?)] = [
        ("--ibeacon", ItemSpelling.iBeacon), ("--altbeacon", ItemSpelling.altBeacon),
        ("--eddystone", ItemSpelling.eddystone), ("--address", ItemSpelling.address),
    ]

    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            var item = try readItem(arguments)
            var desk = try ItemsDesk(arguments, environment: environment)
            defer { desk.exchange.end() }
            try desk.read()
            try refuseKnown(item, desk, replacing: arguments.has("--replace"))
            if let node = arguments.text("--nearest") {
                let time = arguments.text("--for").flatMap(DurationText.duration).flatMap(nearbyTime)
                let search = NearestSearch(node: node, time: time ?? .seconds(5), takesFirst: arguments.has("--yes"))
                guard let beacon = try search.choose(for: item.id, at: desk) else { return 1 }
                item.identities = [beacon.id]
                item.name = item.name ?? beacon.name
            }
            let owners = desk.owners
            for identity in item.identities {
                guard let owner = owners[identity], owner != item.id else { continue }
                throw ProgramFault(
                    "'\(item.id)' is not registered: \(identity.text) is '\(owner)' already; "
                        + "remove that first (whereabouts items remove \(owner)), or give another beacon")
            }
            let known = desk.book.entry(item.id)
            try desk.write([ItemEntry(item, at: known?.successor(at: desk.now) ?? desk.now)])
            var output = StandardOutput()
            if arguments.has("--json") {
                output.line(
                    JSONLine.text { json in
                        json.field("id", item.id)
                        JSONLine.list("identities", item.identities.map(\.text), to: &json)
                    })
            } else {
                output.line("\(item.id) is registered: \(ItemSpelling.identities(of: item))")
            }
            let status = Program.finishOutput(&output)
            ItemsAddKey.printKeyFile(item)
            return status
        }
    }

    private static func readItem(_ arguments: Arguments) throws(UsageError) -> Item {
        var faults: [String] = []
        var item = Item(id: arguments.positionals[0])
        if let complaint = ItemReader.complaint(id: item.id) { faults.append("ID: \(complaint)") }
        item.name = arguments.text("--name")
        if let complaint = item.name.flatMap(ItemReader.complaint(name:)) { faults.append("--name: \(complaint)") }
        item.tags = arguments.texts("--tag")
        for tag in item.tags {
            if let complaint = ItemReader.complaint(id: tag, noun: "a tag") { faults.append("--tag: \(complaint)") }
        }
        if item.tags.count > Item.tagBound { faults.append("--tag: at most \(Item.tagBound)") }
        for (option, read) in identityOptions {
            if let identity = arguments.text(option).flatMap(read) { item.identities.append(identity) }
        }
        faults += ItemsAddKey.read(arguments, into: &item)
        item.expectedInterval = arguments.text("--expected-interval").flatMap(ItemSpelling.interval)
        item.power = arguments.integer("--power")
        let isNearest = arguments.has("--nearest")
        if isNearest == (!item.identities.isEmpty || item.key != nil) {
            let options = (identityOptions.map(\.option) + ItemsAddKey.names).joined(separator: ", ")
            faults.append(
                isNearest
                    ? "--nearest finds the beacon itself: leave out \(options)" : "give one of \(options), or --nearest"
            )
        }
        if !isNearest, arguments.has("--for") || arguments.has("--yes") {
            faults.append("--for and --yes go with --nearest")
        }
        if let node = arguments.text("--nearest"), let complaint = ItemReader.complaint(id: node) {
            faults.append("--nearest: \(complaint)")
        }
        guard faults.isEmpty else { throw UsageError(command: command.name, faults: faults) }
        return item.published
    }

    private static func refuseKnown(_ item: Item, _ desk: ItemsDesk, replacing: Bool) throws(ProgramFault) {
        guard !replacing, let known = desk.book.entry(item.id)?.item, known != item else { return }
        throw ProgramFault(
            "'\(item.id)' is registered already: \(ItemSpelling.identities(of: known)); give --replace to change it")
    }

    private static func nearbyTime(_ duration: Duration) -> Duration? {
        NodeCommand.nearbyTimes.contains(duration) ? duration : nil
    }

    private static func validatedValue<Value>(
        _ placeholder: String, _ form: String, _ read: @escaping @Sendable (String) -> Value?
    ) -> CommandOption.Value {
        .judged(placeholder) { read($0) == nil ? form : nil }
    }
}
