package import Configuration
package import MQTT
package import WireProtocol

/// Checks of what programs say of themselves, and of their configurations.
package enum ProgramChecks {
    /// The findings of a configuration that was read; `praise` is told of one without a remark.
    package static func configurationFindings(
        _ praise: String, _ warnings: [ConfigurationFault], _ withoutEffect: [String]
    ) -> [Finding] {
        var findings = warnings.map {
            Finding.warning(.configuration, "\($0)", mend: "mend it there")
                .of(.configurationRemark, ["text": "\($0)"])
        }
        if !withoutEffect.isEmpty {
            findings.append(
                .warning(
                    .configuration, "no effect in this version: \(withoutEffect.joined(separator: ", "))",
                    mend: "nothing breaks; don't rely on it"
                ).of(.configurationUnused, ["keys": withoutEffect.joined(separator: ", ")]))
        }
        return findings.isEmpty ? [.ok(.configuration, praise).of(.configurationGood)] : findings
    }

    /// The finding about a broker that did not take the connection.
    package static func connectionFault(
        _ settings: MQTTSettings, _ reason: String, _ cause: MQTTError.Cause
    ) -> Finding {
        .fault(.broker, "no connection to \(settings.url): \(reason)", mend: connectionMend(cause, settings))
    }

    /// The remedy for a connection that the broker did not take.
    package static func connectionMend(_ cause: MQTTError.Cause, _ settings: MQTTSettings) -> String {
        switch cause {
        case .unknownHost: "check the host's name in mqtt.url, and that this machine can look names up"
        case .refused: "start the broker there, let it listen beyond its own machine, and check the port in mqtt.url"
        case .unreachable: "check the address in mqtt.url, the network, and the firewall of the broker's machine"
        case .silent: "check the port and the scheme in mqtt.url: a port for TLS answers to mqtts:// alone"
        case .credentials:
            settings.username == nil
                ? "the broker wants a user: set mqtt.username and mqtt.password_file"
                : "check mqtt.username and the file of mqtt.password_file against the broker's users"
        case .security(let mend):
            mend ?? "check what secures the connection in mqtt; the broker's log says more"
        case .other: "check mqtt in the configuration; the broker's log says more"
        }
    }

    /// The finding from the radio status of the agent that has the adapter.
    package static func radioFinding(_ radio: RadioStatus) -> Finding {
        guard let problem = radio.problem else {
            return .ok(.radio, "the agent is \(radio.state)").of(.radioGood, ["state": radio.state])
        }
        return .fault(
            .radio, "the agent is \(radio.state): \(problem)", mend: radio.mend ?? "look into the agent's log"
        ).of(.radioIll, ["problem": problem, "state": radio.state])
    }

    /// The denied subscriptions among the problems that a program publishes: faults where they stop it, else warnings.
    package static func denials(_ problems: [String], isStopped: Bool = false) -> [Finding] {
        problems.filter(SubscriptionDenial.isSentence).map { sentence in
            let parts = sentence.split(separator: ";", maxSplits: 1)
            let mend = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "see the others"
            let reason = String(parts[0])
            return (isStopped ? Finding.fault(.broker, reason, mend: mend) : .warning(.broker, reason, mend: mend))
                .of(.brokerDenies, ["text": reason])
        }
    }

    /// The beginning of the sentences about a long history among the problems that a fuser publishes.
    package static let historyPrefix = "long history: "

    /// The beginning of the sentences about the audit among them.
    package static let auditPrefix = "audit: "

    /// The problems of a long history and of the audit among those that a fuser publishes.
    package static func historyFindings(_ problems: [String]) -> [Finding] {
        problems.filter { $0.hasPrefix(historyPrefix) || $0.hasPrefix(auditPrefix) }.map { sentence in
            let parts = sentence.split(separator: ";", maxSplits: 1)
            let mend = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "look into the fuser's log"
            return .warning(.disk, String(parts[0]), mend: mend)
        }
    }

    /// The finding about a certificate that expires, of which a program's session tells.
    package static func certificateWarning(_ problem: String) -> Finding {
        .warning(
            .broker, problem,
            mend: "make the new one, and put it in the old one's place: it is used from the next connection on"
        ).of(.certificateExpires, ["text": problem])
    }

    /// The finding about a program by its retained status.
    package static func statusFinding(of program: String, topic: String, _ status: String?) -> Finding {
        switch status {
        case "online": return .ok(.agent, "\(program) is connected").of(.programOnline, ["program": program])
        case "offline":
            return .warning(
                .agent, "\(program) was connected and isn't now", mend: "start it: systemctl start \(program)"
            ).of(.programOffline, ["program": program])
        case .some:
            return .warning(.agent, "\(topic) holds something else than a status", mend: "find who else writes there")
                .of(.programStrange, ["program": program])
        case nil:
            return .warning(
                .agent, "\(program) has never been connected to this broker",
                mend: "start it: systemctl start \(program)"
            ).of(.programUnknown, ["program": program])
        }
    }

    /// The findings about a gateway, from its retained status and its `info`.
    package static func nodeFindings(status: String?, _ info: NodeInfo?) -> [Finding] {
        let program = "whereabouts-agent"
        let agent = statusFinding(of: program, topic: "its status", status)
        guard status == "online", let info else { return [agent] }
        return [agent] + denials(info.problems) + ItemsCheck.itemFindings(info, [:])
            + (info.radio.map { [radioFinding($0)] } ?? [])
    }
}
