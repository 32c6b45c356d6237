import Configuration
import Testing

@Suite("Other systems in a configuration")
struct NeighboursSettingsTests {
    private func fuser(_ lines: String) throws -> FuserConfiguration {
        try FuserConfiguration.load(text: "mqtt: {url: 'mqtt://h'}\n" + lines + "\n", file: "f")
    }

    @Test("Read roots of topics and names of items")
    func read() throws {
        let settings = try fuser(
            "inputs: {espresense: true}\nneighbours:\n  topics: {espresense: house/esp, theengs: omg}\n"
                + "  aliases: {'phone:hazri-test': phone, wallet: purse}"
        ).neighbours
        #expect(settings.topics == ["espresense": "house/esp", "theengs": "omg"])
        #expect(settings.aliases == ["phone:hazri-test": "phone", "wallet": "purse"])
        let agent = try AgentConfiguration.load(
            text: "node: n\nmqtt: {url: 'mqtt://h'}\nneighbours: {topics: {mqtt_room: rooms}}\n", file: "f")
        #expect(agent.neighbours.topics == ["mqtt_room": "rooms"])
    }

    @Test("Report settings for Home Assistant without its output")
    func withoutEffect() throws {
        let section = "home_assistant: {tracker: state}"
        #expect(
            try fuser(section).warnings.map(\.description) == [
                "f:2:1: 'home_assistant' has no effect while Home Assistant isn't told: outputs: {home_assistant: true}"
            ])
        #expect(try fuser("\(section)\noutputs: {home_assistant: true}").warnings.isEmpty)
    }

    @Test(
        "Report invalid settings with their positions",
        arguments: [
            ("neighbours: {aliases: {'irk:00': phone}}", "f:2:24", "'irk:' holds the key itself"),
            ("neighbours: {aliases: {'a/b': phone}}", "f:2:24", "none of '/'"),
            ("neighbours: {aliases: {wallet: Purse}}", "f:2:32", "can't be an id"),
            (
                "persons: [{id: anna, items: [keys]}]\nneighbours: {aliases: {wallet: anna}}", "f:3:32",
                "'anna' is a person"
            ),
            ("neighbours: {topics: {espresense: 'a/+'}}", "f:2:35", "expected a topic prefix"),
            ("neighbours: {topics: {espresense: whereabouts}}", "f:2:35", "this house's own topics"),
            ("neighbours: {topics: {espresence: esp}}", "f:2:23", "did you mean 'espresense'?"),
            ("neighbours: {alias: {}}", "f:2:14", "did you mean 'aliases'?"),
        ])
    func faults(_ lines: String, _ place: String, _ words: String) {
        let error = #expect(throws: ConfigurationFaults.self) { try fuser(lines) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains(place) && text.contains(words), "\(text)")
    }
}
