internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import WireProtocol

/// `whereabouts fleet diff`: the changes that `apply` would make.
enum FleetDiff {
    static let command = Command(
        "whereabouts fleet diff", summary: "Print what `fleet apply` would change, a setting a line.",
        options: FleetDesk.options + [
            CommandOption("--json", help: "print an object a line: node, key, now, wanted, online")
        ],
        example: "whereabouts fleet diff --file settings.yaml", failure: "the settings differ, or could not be compared"
    )

    /// Returns 0 if every node has the settings of the file, 1 if one differs or was never seen.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let desired = try FleetDesk.settings(arguments, isRequired: true) ?? DesiredSettings()
            let desk = try FleetDesk(arguments, environment: environment)
            defer { desk.end() }
            try desk.readNodes(isWhole: true)
            let plan = RolloutPlan(desired, count: 0)
            var output = StandardOutput()
            let isEqual = print(plan, desk.nodes, isJSON: arguments.has("--json"), to: &output)
            let status = Program.finishOutput(&output)
            return isEqual ? status : ExitStatus.failure.rawValue
        }
    }

    /// Prints the changes; returns true if there are none, and no node is missing.
    static func print(_ plan: RolloutPlan, _ nodes: FleetNodes, isJSON: Bool, to output: inout StandardOutput) -> Bool {
        let changes = plan.changes(nodes)
        var rows: [[String]] = []
        for (id, change) in changes.sorted(by: { $0.key < $1.key }) {
            guard let info = nodes[id].info else { continue }
            for line in change.lines(in: info) {
                let isOnline = nodes[id].isOnline
                rows.append([id, line.key, line.now, "->", line.wanted, isOnline ? "" : "(offline: pending)"])
                guard isJSON else { continue }
                output.line(
                    JSONLine.text { json in
                        json.field("node", id)
                        json.field("key", line.key)
                        json.field("now", line.now)
                        json.field("wanted", line.wanted)
                        json.field("online", isOnline)
                    })
            }
        }
        if !isJSON { for line in Columns.lines(rows) { output.line(line) } }
        let unknown = plan.pending(nodes).unknown
        var errors = StandardOutput(descriptor: 2)
        for id in unknown {
            let hint = Spelling.question(id, among: nodes.nodes.keys.sorted())
            errors.line("node '\(id)' of the file was never seen by this broker\(hint)")
        }
        if rows.isEmpty, unknown.isEmpty, !isJSON { errors.line("every node has the settings of the file") }
        errors.flush()
        return changes.isEmpty && unknown.isEmpty
    }
}
