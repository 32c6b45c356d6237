internal import BrokerSession
internal import CommandLine
internal import System
internal import WireProtocol

/// `whereabouts doctor`: the faults of this gateway, with remedies.
enum DoctorCommand {
    /// Its syntax.
    static let command = Command(
        "whereabouts doctor", summary: "Report what is wrong on this gateway, and how to mend it.",
        options: [
            CommandOption("--config", .text("FILE"), help: "the agent's or the fuser's file, or a person's"),
            CommandOption(
                "--json", help: "print a JSON object a line: check, verdict, reason, mend, and perhaps kind and values"),
        ],
        example: "whereabouts doctor --config /etc/whereabouts/agent.yaml", failure: "a fault was found")

    /// Runs it with the words after its name. The exit status follows the worst finding: 0 for none or only remarks, 1
    /// for a fault, 2 for a configuration that cannot be used. Blocks for some seconds.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            var output = StandardOutput()
            var status: Int32 = 0
            try runChecks(arguments.text("--config"), environment) { finding in
                status = max(status, finding.exitStatus)
                output.line(arguments.has("--json") ? finding.json : finding.text)
                output.flush()
            }
            return max(status, Program.finishOutput(&output))
        }
    }

    /// Runs every check in its order; each finding is reported as soon as it is known.
    private static func runChecks(
        _ config: String?, _ environment: [String: String], _ tell: (Finding) -> Void
    ) throws {
        let patient = Patient(config: config, environment: environment)
        patient.findings.forEach(tell)
        tell(ClockCheck.clockFinding(WallClock.now(), isSynchronized: ClockState.isSynchronized()))
        if patient.isKnown { tell(DiskCheck.run(state: patient.state)) }
        var info: NodeInfo?
        if let mqtt = patient.mqtt {
            let check = BrokerCheck(mqtt, patient.publisher)
            // The findings include everything that the session would log.
            try check.run(Log(environment: [:], level: .error)).forEach(tell)
            info = check.info
            if let info { ItemsCheck.itemFindings(info, check.regions).forEach(tell) }
        }
        if let source = patient.source { try RadioCheck(source, agent: info).run(tell) }
    }
}
