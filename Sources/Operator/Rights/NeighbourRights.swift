internal import Configuration
internal import Integrations

/// The rights of programs on other systems' topics: no more than their inputs and outputs need.
enum NeighbourRights {
    /// The beginnings of the topics on which agents publish to ESPresense's users, in order.
    static func espresenseRoots(of programs: [ProgramConfiguration]) -> [String] {
        var roots: Set<String> = []
        for case .agent(let agent) in programs where agent.outputs.contains(.espresense) {
            roots.insert(topicRoot(.espresense, agent.neighbours))
        }
        return roots.sorted()
    }

    /// The rules of one program.
    ///
    /// - Parameter espresense: the roots under which agents of its fleet publish that they are online: fusers publish
    ///   for them that they are not.
    static func rules(of program: ProgramConfiguration, espresense: [String]) -> [AccessRule] {
        switch program {
        case .agent(let agent): rules(of: agent)
        case .fuser(let fuser): rules(of: fuser, espresense)
        }
    }

    private static func rules(of agent: AgentConfiguration) -> [AccessRule] {
        var topics: [String] = []
        if agent.outputs.contains(.espresense) {
            let espresense = ESPresenseTopics(root: topicRoot(.espresense, agent.neighbours))
            topics += [
                espresense.device("+", room: agent.node), espresense.status(agent.node),
                espresense.telemetry(agent.node),
            ]
        }
        if agent.outputs.contains(.mqttRoom) {
            topics.append(MQTTRoomMessage.topic(agent.room, root: topicRoot(.mqttRoom, agent.neighbours)))
        }
        return topics.map { AccessRule(.write, $0) }
    }

    private static func rules(of fuser: FuserConfiguration, _ espresense: [String]) -> [AccessRule] {
        var rules: [AccessRule] = []
        for system in IntegrationSystem.allCases {
            guard let input = FuserConfiguration.Input(rawValue: system.rawValue), fuser.inputs.contains(input) else {
                continue
            }
            rules += system.filters(under: topicRoot(system, fuser.neighbours)).map { AccessRule(.read, $0) }
        }
        if fuser.outputs.contains(.mqttRoom) {
            rules.append(AccessRule(.write, MQTTRoomMessage.topic("+", root: topicRoot(.mqttRoom, fuser.neighbours))))
        }
        return rules + espresense.map { AccessRule(.write, ESPresenseTopics(root: $0).status("+")) }
    }

    private static func topicRoot(_ system: IntegrationSystem, _ settings: NeighboursSettings) -> String {
        settings.topics[system.rawValue] ?? system.defaultRoot
    }
}
