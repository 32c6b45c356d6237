internal import Configuration
internal import Integrations

extension NodeSettings {
    /// Enables the outputs of a configuration for other systems, with their roots.
    mutating func announce(by configuration: AgentConfiguration) {
        func root(_ output: AgentConfiguration.Output, _ system: IntegrationSystem) -> String? {
            guard configuration.outputs.contains(output) else { return nil }
            return configuration.neighbours.topics[output.rawValue] ?? system.defaultRoot
        }
        espresense = root(.espresense, .espresense)
        area = configuration.discoveryPrefix == nil ? nil : configuration.homeAssistant.area
        mqttRoom = root(.mqttRoom, .mqttRoom)
    }
}
