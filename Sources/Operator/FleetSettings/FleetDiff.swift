internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import System
internal import WireProtocol

/// `whereabouts fleet diff`: the changes that `apply` would make.
enum FleetDiff {
    static let command = Command(
        "whereabouts fleet diff", summary: "Print what `fleet apply` would change, a setting a line.",
        options: FleetDesk.options + [
            CommandOption("--json", help: "print an object a line: node or fuser, key, now, wanted, online")
        ],
        example: "whereabouts fleet diff --file settings.yaml", failure: "the settings differ, or could not be compared"
    )

    /// Returns 0 if every node and fuser has the settings of the file, 1 if one differs or could not be compared.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let desired = try FleetDesk.settings(arguments, isRequired: true) ?? DesiredSettings()
            let desk = try FleetDesk(arguments, environment: environment)
            defer { desk.end() }
            try desk.readNodes(isWhole: true)
            let plan = RolloutPlan(desired, count: 0)
            if plan.managesFusers { try desk.readFusers() }
            var output = StandardOutput()
            let isEqual = print(plan, desk, isJSON: arguments.has("--json"), to: &output)
            let status = Program.finishOutput(&output)
            return isEqual ? status : ExitStatus.failure.rawValue
        }
    }

    /// Prints the changes; returns true if there are none, and nothing could not be compared.
    static func print(_ plan: RolloutPlan, _ desk: FleetDesk, isJSON: Bool, to output: inout StandardOutput) -> Bool {
        let now = MonotonicClock.now()
        let rows = DiffRow.rows(plan, desk.nodes, desk.fusers, at: now)
        for line in isJSON ? rows.map(\.json) : Columns.lines(rows.map(\.columns)) { output.line(line) }
        var errors = StandardOutput(descriptor: 2)
        let unknown = plan.pending(desk.nodes).unknown
        for id in unknown {
            let hint = Spelling.question(id, among: desk.nodes.nodes.keys.sorted())
            errors.line("node '\(id)' of the file was never seen by this broker\(hint)")
        }
        let isDone = plan.isDone(desk.nodes, desk.fusers, at: now)
        for words in plan.pending(desk.fusers, at: now).words { errors.line(words) }
        if isDone, !isJSON {
            errors.line("every node\(plan.managesFusers ? " and fuser" : "") has the settings of the file")
        }
        errors.flush()
        return isDone
    }
}

/// A change in `whereabouts fleet diff`.
struct DiffRow: Hashable {
    var member: FleetMember
    var line: SettingLine
    /// True if it can be made now.
    var isOnline: Bool

    /// The changes of all nodes, then those of all fusers.
    static func rows(
        _ plan: RolloutPlan, _ nodes: FleetNodes, _ fusers: FleetFusers, at time: MonotonicTime
    ) -> [DiffRow] {
        var rows: [DiffRow] = []
        for (id, change) in plan.changes(nodes).sorted(by: { $0.key < $1.key }) {
            guard let info = nodes[id].info else { continue }
            rows += change.lines(in: info).map {
                DiffRow(member: .node(id), line: $0, isOnline: nodes[id].isOnline)
            }
        }
        for (name, change) in plan.changes(fusers).sorted(by: { $0.key < $1.key }) {
            guard let settings = fusers[name].claim?.settings else { continue }
            rows += change.lines(in: settings).map {
                DiffRow(member: .fuser(name), line: $0, isOnline: fusers[name].isAlive(at: time))
            }
        }
        return rows
    }

    /// The row as columns of a table.
    var columns: [String] {
        [FleetMember.list([member]), line.key, line.now, "->", line.wanted, isOnline ? "" : "(offline: pending)"]
    }

    /// The row as JSON.
    var json: String {
        JSONLine.text { json in
            switch member {
            case .node(let id): json.field("node", id)
            case .fuser(let name): json.field("fuser", name)
            }
            json.field("key", line.key)
            json.field("now", line.now)
            json.field("wanted", line.wanted)
            json.field("online", isOnline)
        }
    }
}
