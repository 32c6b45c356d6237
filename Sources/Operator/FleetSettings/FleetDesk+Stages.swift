internal import BrokerSession

/// The steps that a rollout of settings and one of a version share.
extension FleetDesk {
    /// Measures the house before the first stage, and reports who is silent already.
    func measureBefore(_ pace: FleetPace, _ report: inout FleetReport) throws -> FleetMonitor.Measures {
        report.step("baseline", [], "measuring the house for \(FleetPace.text(pace.baseline)) before")
        let before = try measureBefore(seconds: pace.baseline)
        let silent = HealthVerdict.silentMembers(before)
        if !silent.isEmpty {
            report.step("silent", of: silent, "silent already, and not judged by that: \(FleetMember.list(silent))")
        }
        return before
    }

    /// Watches the house after a stage, and reports what is worse than before. Returns true if nothing is.
    func staysHealthy(
        after stage: [FleetMember], _ words: String, changed: [String], _ before: FleetMonitor.Measures,
        _ pace: FleetPace, _ report: inout FleetReport
    ) throws -> Bool {
        report.step(
            "set", of: stage, "\(words): \(FleetMember.list(stage)); watching for \(FleetPace.text(pace.wait))")
        let faults = try judge(seconds: pace.wait, before: before, changed: changed)
        guard faults.isEmpty else {
            report.faults(faults)
            return false
        }
        report.step("good", of: stage, "the house is as healthy as before")
        return true
    }
}
