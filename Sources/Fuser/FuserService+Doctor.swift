internal import BrokerSession
internal import Bytes
internal import MQTT
internal import System
internal import WebInterface
internal import WireProtocol

/// The page's questions about the health of the house, and its changes of nodes.
extension FuserService {
    /// Has a node add so many decibels to its levels; nil restores what its configuration says.
    func setOffset(_ offset: Int?, of node: String, by user: String) -> PageRequest.Answer {
        guard session.isConnected else { return Self.withoutBroker(keeping: "offset") }
        var changes = NodeChanges()
        changes.offset = offset.map { .override($0) } ?? .restore
        // The id tells it from the same command a moment later.
        let command = NodeCommand(id: SystemRandom.epoch(), action: .set(changes))
        let message = Message(
            topic: topics.nodeCommand(node), payload: signature(of: user).sign(command.payload),
            qos: .atLeastOnce)
        outbox.append(message)
        var change = AuditChange("settings", of: "node/\(node)")
        (change.before, change.after) = (audit.values["node/\(node)"], command.auditedValue)
        change.name = changeName(message, isDated: false)
        audit.changes.append(change)
        return .report(Array("{}".utf8))
    }

    /// Lists what is wrong with this fuser and with nodes, as `whereabouts doctor` says it.
    func examine(_ nodes: [PageRequest.ExaminedNode]) -> PageRequest.Answer {
        var findings: [(kind: String, id: String, finding: Finding)] = ownFindings().map {
            ("fuser", pipeline.fuser, $0)
        }
        for node in nodes {
            findings += ProgramChecks.nodeFindings(status: node.status, node.info).map { ("node", node.id, $0) }
        }
        var json = JSONWriter()
        json.beginObject()
        json.beginArray("findings")
        for (kind, id, finding) in findings {
            json.beginObject()
            json.field(kind, id)
            finding.writeKeys(to: &json)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return .report(json.bytes)
    }

    /// The findings about this fuser, which is its own doctor.
    private func ownFindings() -> [Finding] {
        let broker =
            session.isConnected
            ? Finding.ok(.broker, "the broker takes the connection").of(.brokerConnected)
            : .fault(.broker, "no connection to the broker", mend: "look into the fuser's log, which says why")
                .of(.brokerAway)
        var findings = page?.configurationFindings ?? []
        findings.append(ClockCheck.clockFinding(WallClock.now(), isSynchronized: ClockState.isSynchronized()))
        if let disk = page?.examineDisk(at: monotonic) { findings.append(disk) }
        findings.append(broker)
        findings += ProgramChecks.denials(problems, isStopped: session.lacksSubscription)
        findings += ProgramChecks.historyFindings(problems)
        findings += session.problems.map(ProgramChecks.certificateWarning)
        return findings
    }
}
