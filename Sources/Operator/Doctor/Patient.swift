internal import BrokerSession
internal import Configuration
internal import WireProtocol

/// A program as its broker knows it.
struct Publisher {
    /// Its readable name.
    var program: String
    /// The topic of its status.
    var statusTopic: String
    /// The topic of its `info`; nil for a fuser.
    var infoTopic: String?
    /// The topics of its region reports; nil for a fuser.
    var regionTopics: String?
    /// The topic on which it claims its shards every three seconds; nil for an agent.
    var claimTopic: String?
}

/// A gateway, a fuser or a person that `doctor` examines, by the valid part of the configuration.
struct Patient {
    let findings: [Finding]
    /// Nil if not even the broker is known.
    var mqtt: MQTTSettings?
    var state: String?
    /// The source of its packets; nil for a fuser.
    var source: AgentSource?
    /// Its program at the broker; nil if the configuration does not determine it.
    var publisher: Publisher?
    /// True if its configuration was read without a fault.
    var isKnown = false

    /// The files that are tried if none is named.
    static let defaultFiles = ["/etc/whereabouts/agent.yaml", "/etc/whereabouts/fuser.yaml"]

    /// Reads the agent's or the fuser's file; its faults become findings.
    init(config: String?, environment: [String: String], defaultFiles: [String] = defaultFiles) {
        let named = config ?? environment["WHEREABOUTS_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        guard let path = named ?? BrokerChoice.firstReadable(defaultFiles) else {
            findings = [
                .fault(
                    .configuration, "there is none at \(defaultFiles.joined(separator: " or "))",
                    mend: "write one, or name it: whereabouts doctor --config FILE")
            ]
            return
        }
        do throws(ConfigurationFaults) {
            if ProgramConfiguration.isPersons(path: path) {
                let choice = try BrokerChoice.find(config: path, broker: nil, environment: environment)
                let sentence = "\(path) is right: a person's file, for commands; it runs no program"
                findings = ProgramChecks.configurationFindings(sentence, choice.warnings, [])
                mqtt = choice.mqtt
                return
            }
            switch try ProgramConfiguration.load(path: path, environment: environment) {
            case .agent(let agent):
                findings = ProgramChecks.configurationFindings("\(path) is right", agent.warnings, [])
                (mqtt, state, source) = (agent.mqtt, agent.state, agent.source)
                let topics = Topics(prefix: agent.topicPrefix)
                publisher = Publisher(
                    program: "whereabouts-agent", statusTopic: topics.nodeStatus(agent.node),
                    infoTopic: topics.nodeInfo(agent.node), regionTopics: topics.region("+", node: agent.node))
            case .fuser(let fuser):
                findings = ProgramChecks.configurationFindings("\(path) is right", fuser.warnings, fuser.withoutEffect)
                (mqtt, state) = (fuser.mqtt, fuser.state)
                publisher = Publisher(
                    program: "whereabouts-fuser",
                    statusTopic: Topics(prefix: fuser.topicPrefix).fuserStatus(fuser.name),
                    claimTopic: Topics(prefix: fuser.topicPrefix).fuserClaim(fuser.name))
            }
            isKnown = true
        } catch let faults {
            findings = faults.faults.map {
                .fault(.configuration, "\($0)", mend: "mend it there; --check of the program says when it is right")
            }
            mqtt = try? BrokerChoice.find(config: path, broker: nil, environment: environment).mqtt
        }
    }
}
