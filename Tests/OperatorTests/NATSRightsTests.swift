import Foundation
import Support
import Testing

@testable import Operator

/// The block that `whereabouts acl --nats` prints.
@Suite struct NATSRightsTests {
    @Test("Print the rights of each user as subjects, without a right to write for a viewer")
    func block() throws {
        let list = AccessList(
            [try AccessListTests.program("node: hall")], people: [("tv", .viewer), ("guest", .offers)])
        #expect(
            list.natsLines.joined(separator: "\n") == """
                # Made by `whereabouts acl --nats`. In nats-server.conf: include it, and verify_and_map in mqtt's tls.
                # Restart the servers for it, one by one: after a reload clients stay connected and receive nothing.
                authorization {
                  users: [
                    # node-hall
                    {
                      user: "CN=hall"
                      allowed_connection_types: ["MQTT"]
                      permissions: {
                        publish: { allow: [
                          "whereabouts.nodes.hall.status"
                          "whereabouts.nodes.hall.info"
                          "whereabouts.nodes.hall.health"
                          "whereabouts.nodes.hall.regions.*"
                          "whereabouts.nodes.hall.proximity.*"
                          "whereabouts.nodes.hall.scan"
                          "whereabouts.nodes.hall.events"
                          "whereabouts.windows.*.*.hall"
                          "whereabouts.nodes.hall.command.result"
                          "whereabouts.replies.*"
                        ] }
                        subscribe: { allow: [
                          "$MQTT.sub.>"
                          "whereabouts.nodes.hall.status"
                          "whereabouts.nodes.hall.info"
                          "whereabouts.nodes.hall.health"
                          "whereabouts.nodes.hall.regions.*"
                          "whereabouts.nodes.hall.proximity.*"
                          "whereabouts.nodes.hall.command"
                          "whereabouts.nodes.hall.operate.*"
                          "whereabouts.nodes.hall.administer.*"
                          "whereabouts.items.*.config"
                        ] }
                      }
                    }
                    # viewer
                    {
                      user: "CN=tv"
                      allowed_connection_types: ["MQTT"]
                      permissions: {
                        publish: { deny: [">"] }
                        subscribe: { allow: [
                          "$MQTT.sub.>"
                          "whereabouts.nodes.*.status"
                          "whereabouts.nodes.*.info"
                          "whereabouts.nodes.*.health"
                          "whereabouts.nodes.*.scan"
                          "whereabouts.nodes.*.events"
                          "whereabouts.nodes.*.regions.*"
                          "whereabouts.nodes.*.proximity.*"
                          "whereabouts.items.*.location"
                          "whereabouts.items.*.room"
                          "whereabouts.items.*.events"
                          "whereabouts.items.*.alert"
                          "whereabouts.items.*.telemetry"
                          "whereabouts.items.*.battery"
                          "whereabouts.house.plan"
                          "whereabouts.house.pictures.*"
                          "whereabouts.rooms.*.occupancy"
                          "whereabouts.fuser.*.status"
                          "whereabouts.windows.*.*.*"
                          "whereabouts.fuser.*.claim"
                          "whereabouts.items.*.config"
                          "whereabouts.fleet.rollout"
                        ] }
                      }
                    }
                    # offers
                    {
                      user: "CN=guest"
                      allowed_connection_types: ["MQTT"]
                      permissions: {
                        publish: { deny: [">"] }
                        subscribe: { allow: [
                          "$MQTT.sub.>"
                          "whereabouts.nodes.*.offers.*"
                        ] }
                      }
                    }
                  ]
                }
                """)
    }

    @Test("Write dots, empty levels and the level above '#' as nats-server maps them")
    func mapping() throws {
        let agent = try AccessListTests.program(
            """
            node: hall
            outputs: {home_assistant: true}
            reactions:
              - item: keys
                on_enter: [{publish: {topic: "/lamp.1//{item}/", payload: x}}]
            """)
        let lines = AccessList([agent], people: [("an.na", .operator("an.na")), ("hass", .homeAssistant)]).natsLines
            .map { $0.trimmingCharacters(in: .whitespaces) }
        for subject in [
            "/.lamp//1./.keys./", "whereabouts.nodes.*.operate.an//na", "homeassistant", "homeassistant.>",
        ] {
            #expect(lines.contains("\"\(subject)\""), "\(subject)")
        }
        #expect(!lines.contains { $0.contains("#") && !$0.hasPrefix("#") || $0.contains("+") })
    }

    @Test("Refuse topics that nats-server takes for others or not at all, names that it does not map, and a user name")
    func refused() throws {
        let folder = try TemporaryFolder()
        func status(_ lines: String, _ options: [String] = []) throws -> Int32 {
            let file = try folder.write(Array("\(lines)\n".utf8), to: "agent.yaml")
            return ACLCommand.run([file, "--nats"] + options)
        }
        let mqtt = "mqtt: {url: mqtts://broker.lan}"
        func reaction(_ topic: String) -> String {
            "node: hall\n\(mqtt)\nreactions:\n  - {item: k, on_enter: [{publish: {topic: '\(topic)', payload: x}}]}"
        }
        #expect(try status(reaction("home/lamp")) == 0)
        for topic in ["home/living room", "home/*/lamp", "home/>", #"home/"lamp"#, #"home/\lamp"#] {
            #expect(try status(reaction(topic)) == 2, "\(topic)")
        }
        #expect(try status("node: hall\n\(mqtt)", ["--viewer", "tv"]) == 0)
        #expect(try status("node: hall\n\(mqtt)", ["--viewer", "CN=tv,O=x"]) == 2)
        #expect(try status("node: hall\nmqtt: {url: mqtts://broker.lan, username: hall, password_file: p}") == 2)
        #expect(try status("node: hall\n\(mqtt)", ["--json"]) == 2)
        #expect(try status("node: hall\n\(mqtt)", ["--dynamic-security"]) == 2)
        #expect(try status("node: hall\n\(mqtt)", ["--admin", "root"]) == 2)
    }
}
