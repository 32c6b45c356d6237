package import WireProtocol

/// Checks for items that this node cannot identify fully, and for unsuitable devices.
package enum ItemsCheck {
    /// The findings about keys and regions of a connected agent, by their topics; none if there is no problem.
    package static func itemFindings(_ info: NodeInfo, _ regions: [String: RegionReport]) -> [Finding] {
        var findings: [Finding] = []
        if !info.missingKeys.isEmpty {
            let more = info.missingKeysLeftOut > 0 ? " and \(info.missingKeysLeftOut) more" : ""
            findings.append(
                .warning(
                    .items,
                    "without their key these aren't known here: \(info.missingKeys.joined(separator: ", "))\(more)",
                    mend: "put each one's file (ID.irk, ID.eid, ID.fmdn or ID.bthome) into the folder that 'keys' "
                        + "names; the agent's log says what is wrong with one that lies there"
                ).of(.keysMissing, ["items": info.missingKeys.joined(separator: ", ") + more]))
        }
        for problem in info.problems where problem.hasPrefix("'") {
            findings.append(
                .warning(.items, problem, mend: "mend it there, or take the item out of the registry")
                    .of(.entryUnused, ["text": problem]))
        }
        for (topic, report) in regions.sorted(by: { $0.key < $1.key }) where report.problem == .cadenceTooSlow {
            let region = topic.split(separator: "/").last.map(String.init) ?? topic
            findings.append(
                .warning(
                    .items,
                    "region '\(region)' is left late: \(report.beacons.joined(separator: ", ")) speak too seldom",
                    mend: "let them advertise more often, or give the region an exit_after"))
        }
        return findings
    }
}
