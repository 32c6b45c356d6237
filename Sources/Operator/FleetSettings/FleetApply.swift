internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import System
internal import WireProtocol

/// `whereabouts fleet apply`: changes a few nodes, watches, and goes on or gives back.
enum FleetApply {
    static let command = Command(
        "whereabouts fleet apply",
        summary: "Give the nodes the settings of the file: a few first, and the others if the house stays healthy.",
        options: FleetDesk.options + FleetPace.options + [
            CommandOption(
                "--json",
                help:
                    "print an object a line: step (interrupted, restored, baseline, set, good, worse, returned, pending, "
                    + "done), nodes, words, or of worse faults (measure, node, fuser or room, before, after)")
        ],
        example: "whereabouts fleet apply --canary 2 --wait 10m",
        failure: "a node could not be set, or the health became worse: the nodes were given back what they had")

    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let desired = try FleetDesk.settings(arguments, isRequired: true) ?? DesiredSettings()
            let pace = try FleetPace(arguments, command.name)
            let desk = try FleetDesk(arguments, environment: environment)
            defer { desk.end() }
            let plan = RolloutPlan(desired, canaries: pace.namedCanaries, count: pace.canaryCount)
            var run = FleetRun(
                desk: desk, plan: plan, report: FleetReport(isJSON: arguments.has("--json")),
                baseline: pace.baseline, wait: pace.wait)
            try desk.readNodes(isWhole: true)
            try desk.readRollout(isWhole: true)
            let isEqual = run.printChanges()
            // Of an interrupted rollout there may be nodes to give back.
            guard !isEqual || desk.found != nil else { return ExitStatus.success.rawValue }
            let idle = plan.idleCanaries(desk.nodes, givenBack: desk.found?.nodes.map(\.node) ?? [])
            guard idle.isEmpty else {
                throw UsageError(
                    command: command.name,
                    faults: idle.map { "--canary-node \($0): it is offline, or there is nothing to change at it" })
            }
            if pace.asks { try desk.ask("Apply this?") }
            return try run.run()
        }
    }
}

/// One run of `fleet apply`, from the claim of the rollout to its end.
struct FleetRun {
    let desk: FleetDesk
    var plan: RolloutPlan
    var report: FleetReport
    let baseline: Double
    let wait: Double

    /// Prints the changes; returns true if there are none.
    func printChanges() -> Bool {
        guard !report.isJSON else {
            return plan.changes(desk.nodes).isEmpty && plan.pending(desk.nodes).unknown.isEmpty
        }
        var output = StandardOutput()
        defer { output.flush() }
        return FleetDiff.print(plan, desk.nodes, isJSON: false, to: &output)
    }

    /// Runs it, and returns the exit status. A fault on the way, or ^C, leaves the rollout on the broker as interrupted.
    mutating func run() throws -> Int32 {
        try desk.beginRollout()
        do {
            return try runStages()
        } catch {
            let changed = desk.changed
            try? desk.endRollout(keeping: changed)
            guard !changed.isEmpty else { throw error }
            let names = changed.map(\.node).joined(separator: ", ")
            throw ProgramFault(
                "\(error); changed and not watched to the end: \(names). `whereabouts fleet apply` gives them back what "
                    + "they had")
        }
    }

    private mutating func runStages() throws -> Int32 {
        try desk.beginWatching()
        try restoreInterrupted()
        let kept = desk.changed
        var stage = try nextStage()
        if !stage.isEmpty {
            report.step("baseline", [], "measuring the house for \(FleetPace.text(baseline)) before")
            let before = try desk.watch(seconds: baseline) { _ in false }
            stage = try nextStage()
            while !stage.isEmpty {
                if let status = try runStage(stage, before, keeping: kept) { return status }
                stage = try nextStage()
            }
        }
        let pending = plan.pending(desk.nodes)
        for (nodes, words) in [
            (pending.offline, "offline"), (pending.unknown, "in the file and never seen by this broker"),
        ] where !nodes.isEmpty {
            report.step("pending", nodes, "\(words): \(FleetReport.list(nodes)); the next apply changes them")
        }
        try desk.endRollout(keeping: kept.filter { !plan.changed.contains($0.node) })
        report.step("done", plan.changed, "done: \(plan.changed.count) changed")
        return report.status
    }

    /// The changes of the next stage; empty at the end. Throws where the named canaries can't begin.
    private func nextStage() throws(ProgramFault) -> [String: NodeChanges] {
        guard !plan.lacksCanaries(desk.nodes) else {
            throw ProgramFault(
                "nothing was changed: \(FleetReport.list(plan.namedCanaries)) went offline, or has nothing to change any more; "
                    + "name another one by --canary-node")
        }
        return plan.nextStage(desk.nodes)
    }

    /// Gives back what an interrupted rollout had changed, as far as its nodes are online. The others wait.
    private mutating func restoreInterrupted() throws {
        let nodes = desk.changed
        guard !nodes.isEmpty else { return }
        let owner = desk.found?.owner ?? "somebody"
        report.step(
            "interrupted", nodes.map(\.node),
            "a rollout by \(owner) was interrupted; giving back what \(FleetReport.list(nodes.map(\.node))) had")
        let open = try giveBack(nodes.filter { desk.nodes[$0.node].isOnline })
        // One that was forgotten is not waited for.
        let rest = nodes.filter { node in
            desk.nodes[node.node].info != nil && (open[node.node] != nil || !desk.nodes[node.node].isOnline)
        }
        desk.keep(rest)
        let restored = nodes.map(\.node).filter { id in !rest.contains { $0.node == id } }
        report.step("restored", restored, "given back: \(FleetReport.list(restored))")
        if !rest.isEmpty {
            report.step(
                "pending", rest.map(\.node),
                "not given back yet: \(FleetReport.list(rest.map(\.node))); the next apply does")
        }
    }

    /// Changes the nodes of a stage, and watches. Returns a status if the rollout has ended by that.
    private mutating func runStage(
        _ stage: [String: NodeChanges], _ before: FleetMonitor.Measures, keeping kept: [Rollout.Node]
    ) throws -> Int32? {
        let ids = stage.keys.sorted()
        try desk.record(stage)
        plan.recordStage(ids)
        let refused = try desk.set(stage)
        guard refused.isEmpty else {
            report.failures(refused, "not set")
            return try returnAll(keeping: kept)
        }
        report.step("set", ids, "set and confirmed: \(FleetReport.list(ids)); watching for \(FleetPace.text(wait))")
        let faults = try desk.judge(seconds: wait, before: before, changed: plan.changed)
        guard faults.isEmpty else {
            report.faults(faults)
            return try returnAll(keeping: kept)
        }
        report.step("good", ids, "the house is as healthy as before")
        return nil
    }

    /// Gives every node back what it had.
    private mutating func returnAll(keeping kept: [Rollout.Node]) throws -> Int32 {
        let nodes = desk.changed.filter { plan.changed.contains($0.node) }
        let open = try giveBack(nodes)
        let rest = nodes.filter { open[$0.node] != nil }
        let returned = nodes.map(\.node).filter { open[$0] == nil }
        report.step("returned", returned, "given back what they had: \(FleetReport.list(returned))")
        for (node, reason) in open.sorted(by: { $0.key < $1.key }) {
            report.step(
                "pending", [node], "node \(node) may have the new settings still: \(reason); the next apply tries again"
            )
        }
        try desk.endRollout(keeping: rest + kept.filter { node in !nodes.contains { $0.node == node.node } })
        return ExitStatus.failure.rawValue
    }

    /// Sends what nodes had before, and returns the reason for each that does not confirm it.
    private func giveBack(_ nodes: [Rollout.Node]) throws -> [String: String] {
        let changes = nodes.filter { !$0.before.isEmpty }.map { ($0.node, $0.before) }
        return try desk.set(Dictionary(changes) { first, _ in first })
    }
}
