import CommandLine
import Configuration
import Support
import Testing

@testable import Operator

/// `--site`: the broker of a command by the file of sites.
@Suite struct SiteChoiceTests {
    private static let command = Command("whereabouts watch", summary: "", options: BrokerChoice.houseOptions)

    private static func choice(_ words: [String], _ environment: [String: String] = [:]) throws -> BrokerChoice {
        guard case .run(let arguments) = try command.parse(words) else { throw UsageError(command: "", faults: []) }
        return try BrokerChoice.find(arguments, environment: environment)
    }

    @Test("Find broker and topics of a site, in the file beside WHEREABOUTS_CONFIG too, and take no broker besides")
    func find() throws {
        let folder = try TemporaryFolder()
        let text = "- {id: north, mqtt: {url: mqtt://north}, topic_prefix: clinics/north}\n"
        let path = try folder.write(Array(text.utf8), to: "sites.yaml")
        let environment = [
            "WHEREABOUTS_CONFIG": folder.file("anna.yaml"), "WHEREABOUTS_MQTT_URL": "mqtt://elsewhere",
        ]
        for (words, environment) in [(["--sites", path], [:]), ([], environment)] {
            let choice = try Self.choice(["--site", "north"] + words, environment)
            #expect("\(choice.mqtt.url)" == "mqtt://north:1883" && choice.topicPrefix == "clinics/north")
            #expect(!choice.isFromFile)
        }
        func faults(_ words: [String]) -> String {
            do {
                _ = try Self.choice(words + ["--sites", path])
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(faults(["--site", "nort"]).contains("there is no site 'nort'"))
        #expect(faults(["--site", "nort"]).contains("north"))
        #expect(faults(["--site", "north", "--broker", "mqtt://a"]).contains("give either --site or --broker"))
        #expect(faults(["--site", "north", "--config", path]).contains("give either --site or --config"))
        #expect(faults(["--broker", "mqtt://a"]).contains("needs --site with it"))
    }

    @Test("Each command about one house takes --site")
    func commands() {
        let others: Set = ["whereabouts doctor", "whereabouts backup", "whereabouts restore"]
        for command in OperatorProgram.commands where !others.contains(command.name) {
            let names = Set(command.options.map(\.name))
            if names.isSuperset(of: ["--broker", "--config"]) { #expect(names.contains("--site"), "\(command.name)") }
        }
    }
}
