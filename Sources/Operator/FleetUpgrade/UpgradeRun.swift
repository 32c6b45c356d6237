internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import System
internal import WireProtocol

/// One run of `fleet upgrade`, from the claim of the rollout to its end.
struct UpgradeRun {
    let desk: FleetDesk
    var plan: UpgradePlan
    var report: FleetReport
    let pace: FleetPace
    /// Seconds within which a node comes back with the version.
    let limit: Double

    private var version: String { plan.version.text }

    /// Prints what would be done with each node.
    mutating func printPlan() {
        for (standing, words) in [
            (UpgradePlan.Standing.open, "to be upgraded"), (.offline, "offline"), (.withoutHelper, "without a helper"),
            (.later, "of a later version"), (.done, "of version \(version)"),
        ] {
            let nodes = plan.nodes(standing, of: desk.nodes)
            if !nodes.isEmpty { report.step("plan", nodes, "\(words): \(described(nodes))") }
        }
    }

    /// Runs it, and returns the exit status. After a fault on the way, or ^C, the nodes keep what they have.
    mutating func run() throws -> Int32 {
        try desk.beginRollout(version: version)
        do {
            let isDone = try runStages()
            try desk.endRollout()
            guard isDone else { return ExitStatus.failure.rawValue }
            return finish()
        } catch {
            try? desk.endRollout()
            guard !plan.asked.isEmpty else { throw error }
            throw ProgramFault(
                "\(error); asked so far: \(FleetReport.list(plan.asked)). `whereabouts fleet upgrade \(version)` goes on with it"
            )
        }
    }

    /// Reports what is left, and returns the exit status.
    mutating func finish() -> Int32 {
        let offline = plan.nodes(.offline, of: desk.nodes), unable = plan.nodes(.withoutHelper, of: desk.nodes)
        if !offline.isEmpty {
            report.step("pending", offline, "offline: \(FleetReport.list(offline)); the next upgrade asks them")
        }
        if !unable.isEmpty {
            report.step(
                "unable", unable,
                "without a helper: \(FleetReport.list(unable)); on each: systemctl enable --now whereabouts-upgrade.path"
            )
        }
        let done = plan.nodes(.done, of: desk.nodes)
        report.step("done", done, "done: \(done.count) of \(desk.nodes.nodes.count) nodes have \(version)")
        return unable.isEmpty ? report.status : ExitStatus.failure.rawValue
    }

    /// Upgrades stage by stage; returns false if it stopped.
    private mutating func runStages() throws -> Bool {
        try desk.beginWatching()
        let before = try desk.measureBefore(pace, &report)
        let versions = desk.nodes.nodes.compactMapValues { $0.info?.version }
        while true {
            guard !plan.lacksCanaries(desk.nodes) else {
                throw ProgramFault(
                    "no node was upgraded: \(FleetReport.list(plan.namedCanaries)) went offline, or has no helper; name another one "
                        + "by --canary-node")
            }
            var stage = plan.nextStage(desk.nodes)
            guard !stage.isEmpty else { return true }
            plan.recordStage(stage)
            report.step("asked", stage, "asked for \(version): \(FleetReport.list(stage))")
            var failed = try desk.upgrade(stage, to: version, within: limit)
            // Their helper was disabled since it last ran.
            let unable = failed.keys.filter { plan.standing(of: desk.nodes[$0]) == .withoutHelper }
            for node in unable { failed[node] = nil }
            plan.leaveOut(unable)
            stage.removeAll(where: unable.contains)
            if stage.isEmpty { continue }
            guard failed.isEmpty else {
                report.failures(failed, "not upgraded")
                stop(versions)
                return false
            }
            let isGood = try desk.staysHealthy(
                after: stage.map { .node($0) }, "came back with it", changed: plan.asked, before, pace, &report)
            guard isGood else {
                stop(versions)
                return false
            }
        }
    }

    /// Reports the nodes that were asked, and the way back of those that have the version now.
    private mutating func stop(_ versions: [String: String]) {
        let new = plan.asked.filter { desk.nodes[$0].info?.version == version }
        let late = plan.asked.filter { !new.contains($0) }
        var words = "stopped; with \(version): \(FleetReport.list(new))"
        // Their helper may still install it.
        if !late.isEmpty { words += "; asked, and without it yet: \(FleetReport.list(late))" }
        words += ". No other node was asked for it"
        for old in Set(new.compactMap { versions[$0] }).sorted() {
            let nodes = new.filter { versions[$0] == old }
            words +=
                "; the way back of \(FleetReport.list(nodes)), on each, while the repository has it: apt-get install "
                + "--allow-downgrades whereabouts-agent=\(old), and all other packages of Whereabouts there"
        }
        report.step("stopped", new, words)
    }

    private func described(_ nodes: [String]) -> String {
        nodes.map { "\($0) (\(desk.nodes[$0].info?.version ?? "unknown"))" }.joined(separator: ", ")
    }
}

extension FleetDesk {
    /// Has nodes install a version, and waits until each is online with it and scans. Returns the reason for each node of
    /// which that is not so.
    func upgrade(_ ids: [String], to version: String, within limit: Double) throws -> [String: String] {
        let before = nodes.nodes.compactMapValues { $0.info?.upgrade }
        let actions = ids.map { ($0, NodeCommand.Action.upgrade(version: version)) }
        let open = try perform(Dictionary(uniqueKeysWithValues: actions), within: limit) { node, answer, waited in
            let (isOnline, info) = (self.nodes[node].isOnline, self.nodes[node].info)
            if info?.version == version {
                guard isOnline else { return Delay("it has the version, and is offline") }
                guard let radio = info?.radio, radio.state != "scanning" else { return nil }
                return Delay("it has the version, and its radio is \(radio.state)")
            }
            if let report = info?.upgrade, report != before[node], let error = report.error {
                return Delay(error, isFinal: true)
            }
            if answer == nil {
                return Delay(self.silence(of: node).words, isFinal: waited > .seconds(2 * Self.patience))
            }
            return Delay(isOnline ? "it still has \(info?.version ?? "another version")" : "it is offline")
        }
        // A node that found its helper absent says so in its info.
        if !open.isEmpty { try settle() }
        return open
    }
}
