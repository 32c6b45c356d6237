internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import System
internal import WireProtocol

/// `whereabouts fleet status`: a row a node, and a row a fuser.
enum FleetStatus {
    static let command = Command(
        "whereabouts fleet status",
        summary: "List the nodes and fusers: online, version, settings against the file, health, problems.",
        options: FleetDesk.options + [
            CommandOption(
                "--json",
                help:
                    "print an object a line: node, online, version, usual_version, settings (desired, other, not managed, "
                    + "unknown), differences, reports_per_s, gap, problems; of a fuser: fuser, state (serving, standby, "
                    + "starting, silent), version, usual_version, settings, differences, shards, problems; and of a "
                    + "rollout: rollout, by, host, version, running, nodes, fusers"
            )
        ],
        example: "whereabouts fleet status --json")

    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let desired = try FleetDesk.settings(arguments, isRequired: false)
            let desk = try FleetDesk(arguments, environment: environment)
            defer { desk.end() }
            try desk.readNodes(isWhole: false)
            let rows = FleetRow.rows(desk.nodes, desired ?? DesiredSettings())
            var output = StandardOutput()
            let isJSON = arguments.has("--json")
            if isJSON {
                for row in rows { output.line(row.json) }
            } else {
                for line in FleetRow.table(rows) { output.line(line) }
            }
            var errors = StandardOutput(descriptor: 2)
            do {
                try desk.readFusers()
                let fusers = FleetFuserRow.rows(
                    desk.fusers, desired?.fusers ?? FuserChanges(), usualVersion: desk.nodes.usualVersion)
                if !fusers.contains(where: { $0.claim != nil }) {
                    errors.line("no fuser published a claim: none runs, or this user may not read them")
                }
                let lines = isJSON ? fusers.map(\.json) : FleetFuserRow.table(fusers)
                if !isJSON, !lines.isEmpty { output.line("") }
                for line in lines { output.line(line) }
            } catch let fault as ProgramFault {
                errors.line("fusers are not shown: \(fault)")
            }
            if desired == nil { errors.line("no \(SettingsFile.usualName) here: no setting is managed") }
            do {
                try desk.readRollout(isWhole: false)
            } catch let fault as ProgramFault {
                errors.line("rollouts are not shown: \(fault)")
            }
            errors.flush()
            if let rollout = desk.found { output.line(text(rollout, at: WallClock.now(), isJSON: isJSON)) }
            return Program.finishOutput(&output)
        }
    }

    /// A rollout in words, or as JSON.
    static func text(_ rollout: Rollout, at now: Timestamp, isJSON: Bool) -> String {
        let members = rollout.changed.members
        guard !isJSON else {
            return JSONLine.text { json in
                json.field("rollout", rollout.id)
                json.field("by", rollout.by)
                json.field("host", rollout.host)
                json.field("version", rollout.version)
                json.field("running", rollout.isRunning(at: now))
                JSONLine.list("nodes", members.nodes, to: &json)
                JSONLine.list("fusers", members.fusers, to: &json)
            }
        }
        let begin = LocalTime.text(rollout.from).prefix(19)
        let isRunning = rollout.isRunning(at: now)
        if let version = rollout.version {
            return "an upgrade to \(version) by \(rollout.owner) "
                + (isRunning
                    ? "runs since \(begin)"
                    : "of \(begin) was interrupted; `whereabouts fleet upgrade \(version)` goes on with it")
        }
        let words = members.isEmpty ? "nothing was changed" : "changed: \(FleetMember.list(members))"
        return isRunning
            ? "a rollout by \(rollout.owner) runs since \(begin); \(words)"
            : "a rollout by \(rollout.owner) of \(begin) was interrupted; \(words). `whereabouts fleet apply` gives them "
                + "back what they had"
    }
}

/// A node of the list.
struct FleetRow {
    var id: String
    var node: FleetNodes.Node
    var usualVersion: String?
    var isManaged: Bool
    var differences: [SettingLine]

    /// The rows of all nodes that the broker or the file knows.
    static func rows(_ nodes: FleetNodes, _ desired: DesiredSettings) -> [FleetRow] {
        let usual = nodes.usualVersion
        return Set(nodes.nodes.keys).union(desired.nodes.keys).sorted().map { id in
            let (node, wanted) = (nodes[id], desired.settings(of: id))
            return FleetRow(
                id: id, node: node, usualVersion: usual, isManaged: !wanted.isEmpty,
                differences: node.info.map { wanted.missing(in: $0).lines(in: $0) } ?? [])
        }
    }

    /// The rows as a table.
    static func table(_ rows: [FleetRow]) -> [String] {
        guard !rows.isEmpty else { return [] }
        return Columns.lines(
            [["NODE", "STATUS", "VERSION", "SETTINGS", "HEARS", "GAP", "PROBLEMS"]]
                + rows.map { row in
                    [
                        row.id, row.status, row.version, text(row.settings, row.differences),
                        row.node.health.map { NumberText.text($0.reports, decimals: 1) + "/s" } ?? "",
                        row.node.health.map { NumberText.text($0.gap * 100, decimals: 0) + " %" } ?? "",
                        row.problems.joined(separator: "; "),
                    ]
                })
    }

    private var status: String { node.isOnline ? "online" : node.info == nil ? "never seen" : "offline" }

    private var version: String { Self.version(node.info?.version, usual: usualVersion) }

    /// A version beside the one that most nodes have; empty for one that is not known.
    static func version(_ version: String?, usual: String?) -> String {
        guard let version, let usual, version != usual else { return version ?? "" }
        return "\(version) (most: \(usual))"
    }

    /// `desired`, `other`, `not managed`, or `unknown` of a node that was never seen.
    private var settings: String {
        guard node.info != nil else { return "unknown" }
        return !isManaged ? "not managed" : differences.isEmpty ? "desired" : "other"
    }

    /// The state of settings, with the differences.
    static func text(_ settings: String, _ differences: [SettingLine]) -> String {
        guard !differences.isEmpty else { return settings }
        return "\(settings): "
            + differences.map { "\($0.key) \($0.now), not \($0.wanted)" }.joined(separator: "; ")
    }

    /// Writes the differences of settings.
    static func write(_ differences: [SettingLine], to json: inout JSONWriter) {
        json.beginArray("differences")
        for line in differences {
            json.beginObject()
            json.field("key", line.key)
            json.field("now", line.now)
            json.field("wanted", line.wanted)
            json.endObject()
        }
        json.endArray()
    }

    private var problems: [String] {
        var problems = node.problems
        if let upgrade = node.info?.upgrade, let error = upgrade.error {
            problems.append("upgrade to \(upgrade.version ?? "a version") failed: \(error)")
        }
        return problems
    }

    /// The row as JSON.
    var json: String {
        JSONLine.text { json in
            json.field("node", id)
            json.field("online", node.isOnline)
            json.field("version", node.info?.version)
            json.field("usual_version", usualVersion)
            json.field("settings", settings)
            Self.write(differences, to: &json)
            json.field("reports_per_s", node.health?.reports, decimals: 1)
            json.field("gap", node.health?.gap, decimals: 3)
            JSONLine.list("problems", problems, to: &json)
        }
    }
}
