internal import Bytes
internal import CommandLine
internal import Configuration
internal import Identity
internal import WireProtocol

/// The validated options of a command line of `range`.
struct RangeOptions {
    static let options =
        BrokerChoice.houseOptions + [
            CommandOption(
                "--source", .text("SOURCE"),
                help:
                    "hci:ADAPTER, replay:FILE[,FILE…] or simulate:SCENARIO, heard here without a broker"),
            CommandOption("--node", .text("NODE"), help: "of a broker or a simulated house: hear with this node alone"),
            CommandOption(
                "--speed", .text("N|max"), help: "the speed of a replay or simulation: a multiple of real time, or max"),
            CommandOption("--items", .text("FILE"), help: "registered items, for their names"),
            CommandOption("--json", help: "an object a line: for each window, or with --once for each row"),
            CommandOption(
                "--once",
                help: "print one table after the first full interval in which a beacon is heard, or after ten, and end"),
            CommandOption(
                "--for", .text("D"), help: "end after so long, such as 30s; with --once print the table then"),
            CommandOption("--all", help: "also transmitters that are known by their address alone"),
        ]

    let isOnce: Bool
    let isJSON: Bool
    let showsAll: Bool
    /// The length of the run; nil for without end.
    let length: Duration?
    let node: String?
    let speed: String?
    let source: AgentSource?
    let items: [Item]

    /// Reads the files that are named; throws the faults of the options or the files.
    init(_ arguments: Arguments, environment: [String: String], command: String) throws {
        var faults: [String] = []
        isOnce = arguments.has("--once")
        isJSON = arguments.has("--json")
        showsAll = arguments.has("--all")
        length = arguments.text("--for").flatMap { DurationText.duration($0) }
        if let text = arguments.text("--for"), (length ?? .zero) <= .zero {
            faults.append("--for takes such as 30s; found '\(text)'")
        }
        node = arguments.text("--node")
        if let complaint = node.flatMap({ ItemReader.complaint(id: $0) }) { faults.append("--node: \(complaint)") }
        speed = arguments.text("--speed")
        for elsewhere in ["--broker", "--site"] where arguments.has("--source") && arguments.has(elsewhere) {
            faults.append("--source is heard here and \(elsewhere) elsewhere: give one of them")
        }
        if speed != nil, !arguments.has("--source") { faults.append("--speed is for --source alone") }
        guard faults.isEmpty else { throw UsageError(command: command, faults: faults) }
        source = try arguments.text("--source").map { text throws in try AgentSource.read(text, from: "--source") }
        if node != nil, case .replay = source {
            throw UsageError(command: command, faults: ["--node: a replay has the ears that recorded it; leave it out"])
        }
        items = try Self.readItems(arguments, environment)
    }

    /// The items of `--items`, else those of the file that names the broker; none if that has faults, which are not
    /// this command's to report.
    private static func readItems(_ arguments: Arguments, _ environment: [String: String]) throws -> [Item] {
        if let path = arguments.text("--items") { return try ItemsFile.load(path: path) }
        if arguments.has("--site") { return [] }
        let isElsewhere = arguments.has("--broker") || arguments.has("--source")
        let named = arguments.text("--config") ?? environment["WHEREABOUTS_CONFIG"]
        for path in named.map({ [$0] }) ?? (isElsewhere ? [] : BrokerChoice.defaultFiles) {
            if let fuser = try? FuserConfiguration.load(path: path, environment: environment) { return fuser.items }
            if let agent = try? AgentConfiguration.load(path: path, environment: environment) { return agent.items }
        }
        return []
    }

    /// The names of the items.
    var names: NameBook { NameBook(items: items) }
}
