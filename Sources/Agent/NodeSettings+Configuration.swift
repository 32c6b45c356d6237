internal import Configuration
internal import Integrations

extension NodeSettings {
    /// Adopts the values of a configuration that have an effect on the pipeline.
    mutating func use(_ configuration: AgentConfiguration) {
        room = configuration.room
        window = configuration.window
        publishesAll = configuration.publish == .all
        offset = configuration.offset
        announce(by: configuration)
    }

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
