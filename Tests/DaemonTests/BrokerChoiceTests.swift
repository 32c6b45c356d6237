import Daemon
import Support
import Testing

@Suite struct BrokerChoiceTests {
    func find(
        _ config: String? = nil, _ broker: String? = nil, _ environment: [String: String] = [:], files: [String] = []
    ) throws(ConfigurationFaults) -> BrokerChoice {
        try BrokerChoice.find(config: config, broker: broker, environment: environment, defaultFiles: files)
    }

    @Test func theNearestWordWins() throws {
        let folder = try TemporaryFolder()
        let one = try folder.write("one.yaml", "node: n\nnonsense: 1\ntopic_prefix: p\nmqtt: {url: 'mqtt://one'}\n")
        let two = try folder.write("two.yaml", "mqtt: {url: 'mqtt://two'}\n")
        let environment = ["WHEREABOUTS_CONFIG": two]
        #expect(try find(nil, "mqtt://x", environment, files: [one]).mqtt.url.address.host == "x")
        #expect(try find(one, nil, environment, files: [two]).topicPrefix == "p")
        #expect(try find(nil, nil, environment, files: [one]).origin == two)
        #expect(try find(nil, nil, ["WHEREABOUTS_MQTT_URL": "mqtt://y"], files: [one]).mqtt.url.address.host == "y")
        #expect(try find(nil, nil, [:], files: ["/nowhere/a.yaml", one]).mqtt.url.address.host == "one")
        #expect(try find(nil, "mqtt://x", ["WHEREABOUTS_TOPIC_PREFIX": "q"]).topicPrefix == "q")
    }

    @Test func whatIsMissingOrWrongIsTold() {
        #expect(throws: ConfigurationFaults.self) { try find() }
        #expect(throws: ConfigurationFaults.self) { try find("/nowhere/a.yaml", nil) }
        #expect(throws: ConfigurationFaults.self) { try find("a", "mqtt://x") }
        #expect {
            _ = try find(nil, "http://x")
        } throws: {
            "\($0)".hasPrefix("--broker: expected mqtt://")
        }
    }
}
