internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import System
internal import WireProtocol

/// `whereabouts fleet apply`: changes a few nodes, watches, and goes on or gives back; at last the fusers.
enum FleetApply {
    static let command = Command(
        "whereabouts fleet apply",
        summary:
            "Give nodes and fusers the settings of the file: a few nodes first, the others if the house stays healthy.",
        options: FleetDesk.options + FleetPace.options + [
            CommandOption(
                "--json",
                help:
                    "print an object a line: step (interrupted, restored, baseline, silent, set, good, worse, "
                    + "returned, pending, done), nodes, fusers if there are any, words, or of worse faults (measure, "
                    + "node, fuser or room, before, after)")
        ],
        example: "whereabouts fleet apply --canary 2 --wait 10m",
        failure: "a node or a fuser could not be set, or the health became worse: what was changed was given back")

    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let desired = try FleetDesk.settings(arguments, isRequired: true) ?? DesiredSettings()
            let pace = try FleetPace(arguments, command.name)
            let desk = try FleetDesk(arguments, environment: environment)
            defer { desk.end() }
            let plan = RolloutPlan(desired, canaries: pace.namedCanaries, count: pace.canaryCount)
            var run = FleetRun(
                desk: desk, plan: plan, report: FleetReport(isJSON: arguments.has("--json")), pace: pace)
            try desk.readNodes(isWhole: true)
            try desk.readRollout(isWhole: true)
            if plan.managesFusers || desk.found?.fusers.isEmpty == false { try desk.readFusers() }
            let isEqual = run.printChanges()
            // Of an interrupted rollout there may be something to give back.
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
    let pace: FleetPace

    /// Prints the changes; returns true if there are none.
    func printChanges() -> Bool {
        guard !report.isJSON else { return plan.isDone(desk.nodes, desk.fusers, at: MonotonicClock.now()) }
        var output = StandardOutput()
        defer { output.flush() }
        return FleetDiff.print(plan, desk, isJSON: false, to: &output)
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
            throw ProgramFault(
                "\(error); changed and not watched to the end: \(FleetMember.list(changed.members)). "
                    + "`whereabouts fleet apply` gives them back what they had")
        }
    }

    private mutating func runStages() throws -> Int32 {
        try desk.beginWatching()
        // While the operator was asked, no claim was read.
        if plan.managesFusers || !desk.changed.fusers.isEmpty { try desk.readFusers() }
        try restoreInterrupted()
        let kept = desk.changed
        var stage = try nextStage()
        if !stage.isEmpty {
            let before = try desk.measureBefore(pace, &report)
            stage = try nextStage()
            while !stage.isEmpty {
                if let status = try runStage(stage, before, keeping: kept) { return status }
                stage = try nextStage()
            }
        }
        reportPending()
        let changed = plan.members
        try desk.endRollout(keeping: kept.filter { !changed.contains($0) })
        report.step("done", of: changed, "done: \(changed.count) changed")
        return report.status
    }

    /// Reports what the next apply will change.
    private mutating func reportPending() {
        let pending = plan.pending(desk.nodes)
        for (nodes, words) in [
            (pending.offline, "offline"), (pending.unknown, "in the file and never seen by this broker"),
        ] where !nodes.isEmpty {
            report.step("pending", nodes, "\(words): \(FleetReport.list(nodes)); the next apply changes them")
        }
        let fusers = plan.pending(desk.fusers, at: MonotonicClock.now())
        guard !fusers.isEmpty else { return }
        report.step(
            "pending", of: fusers.members,
            fusers.words.joined(separator: "; ") + "; the next apply changes what differs")
    }

    /// The changes of the next stage; empty at the end. Throws where the named canaries can't begin.
    private func nextStage() throws(ProgramFault) -> RolloutStage {
        guard !plan.lacksCanaries(desk.nodes) else {
            throw ProgramFault(
                "nothing was changed: \(FleetReport.list(plan.namedCanaries)) went offline, or has nothing to change any more; "
                    + "name another one by --canary-node")
        }
        return plan.nextStage(desk.nodes, desk.fusers, at: MonotonicClock.now())
    }

    /// Gives back what an interrupted rollout had changed, as far as it can be reached. The rest waits.
    private mutating func restoreInterrupted() throws {
        let changed = desk.changed
        guard !changed.isEmpty else { return }
        let owner = desk.found?.owner ?? "somebody"
        report.step(
            "interrupted", of: changed.members,
            "a rollout by \(owner) was interrupted; giving back what \(FleetMember.list(changed.members)) had")
        let open = try desk.set(changed.filter(desk.isReachable).reversal)
        // One that was forgotten is not waited for.
        let rest = changed.filter { desk.isKnown($0) && (open[$0] != nil || !desk.isReachable($0)) }
        desk.keep(rest)
        let restored = changed.members.filter { !rest.members.contains($0) }
        report.step("restored", of: restored, "given back: \(FleetMember.list(restored))")
        if !rest.isEmpty {
            report.step(
                "pending", of: rest.members,
                "not given back yet: \(FleetMember.list(rest.members)); the next apply does")
        }
    }

    /// Makes the changes of a stage, and watches. Returns a status if the rollout has ended by that.
    private mutating func runStage(
        _ stage: RolloutStage, _ before: FleetMonitor.Measures, keeping kept: RolloutChanges
    ) throws -> Int32? {
        let members = stage.members
        try desk.record(stage)
        plan.recordStage(members.nodes, fusers: members.fusers)
        let refused = try desk.set(stage)
        guard refused.isEmpty else {
            report.failures(refused, "not set")
            return try returnAll(keeping: kept)
        }
        let isGood = try desk.staysHealthy(
            after: members, "set and confirmed", changed: plan.changed, before, pace, &report)
        return isGood ? nil : try returnAll(keeping: kept)
    }

    /// Gives everything back that this rollout has changed.
    private mutating func returnAll(keeping kept: RolloutChanges) throws -> Int32 {
        let members = plan.members
        let changed = desk.changed.filter(members.contains)
        let open = try desk.set(changed.reversal)
        let returned = changed.members.filter { open[$0] == nil }
        report.step("returned", of: returned, "given back what they had: \(FleetMember.list(returned))")
        for (member, reason) in open.sorted(by: { $0.key < $1.key }) {
            report.step(
                "pending", of: [member],
                "\(member.words) may have the new settings still: \(reason); the next apply tries again")
        }
        let rest = changed.filter { open[$0] != nil }
        try desk.endRollout(keeping: rest + kept.filter { !members.contains($0) })
        return ExitStatus.failure.rawValue
    }
}
