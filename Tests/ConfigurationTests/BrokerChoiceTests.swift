import Configuration
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

/// Several brokers in one configuration.
struct BrokerListTests {
    private func read(_ mqtt: String, _ environment: [String: String] = [:]) throws -> [String] {
        let settings = try AgentConfiguration.load(
            text: "node: n\nmqtt: {\(mqtt)}\n", file: "f", environment: environment
        ).mqtt
        return ([settings.url] + settings.others).map(\.description)
    }

    private func faults(_ mqtt: String, _ environment: [String: String] = [:]) -> String {
        do {
            _ = try read(mqtt, environment)
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func urlsAreTriedInTheirOrder() throws {
        #expect(try read("urls: [mqtt://a, 'mqtt://[::1]:2883']") == ["mqtt://a:1883", "mqtt://[::1]:2883"])
        #expect(try read("url: mqtt://a") == ["mqtt://a:1883"])
    }

    @Test func aVariableTakesThePlaceOfWhatTheFileSays() throws {
        let several = ["WHEREABOUTS_MQTT_URLS": "mqtt://c, mqtt://d"]
        #expect(try read("url: mqtt://a", several) == ["mqtt://c:1883", "mqtt://d:1883"])
        #expect(try read("urls: [mqtt://a, mqtt://b]", ["WHEREABOUTS_MQTT_URL": "mqtt://c"]) == ["mqtt://c:1883"])
    }

    @Test func whatIsWrongIsTold() {
        #expect(faults("url: mqtt://a, urls: [mqtt://b]") == "f:2:23: give either 'url' or 'urls'")
        #expect(faults("urls: []") == "f:2:14: expected 1 to 4 URLs, found a list")
        #expect(faults("urls: mqtt://a") == "f:2:14: expected a list, found 'mqtt://a'")
        #expect(faults("urls: [mqtt://a, mqtt://b, mqtt://c, mqtt://d, mqtt://e]").contains("at most 4 entries"))
        #expect(faults("urls: [mqtt://a, b]").contains("f:2:25: expected mqtt://host"))
        #expect(faults("keepalive: 30s").contains("'url' is missing"))
    }
}
