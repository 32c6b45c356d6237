import Foundation
import MQTT
import Support
import Testing
import WireProtocol

extension Live {
    /// The rights of users at a nats-server that enforces the output of `whereabouts acl --nats`, by certificates.
    @Suite(.enabled(if: NATSServer.program != nil, Comment(rawValue: NATSServer.missing)))
    struct NATSRights {
        @Test("Grant each role by a nats-server the rights of the table of docs/security.md, and nothing else")
        func table() async throws {
            let users = ["tv", "anna", "bert", "chief", "hass", "guest", RightsFleet.prober]
            let fleet = try CertifiedFleet(
                ["kitchen", "living", "--fuser", "main", "--fuser", "second"] + users.flatMap { ["--user", $0] })
            let all = "{ user: \"CN=\(RightsFleet.prober)\", permissions: { publish: \">\", subscribe: \">\" } }"
            let rights = try RightsFleet().acl(["--nats"])
            try fleet.start(rights.replacing("  users: [\n", with: "  users: [\n    \(all)\n"))
            try await RightsProbe(client: fleet.client, log: { fleet.server.log }, reportsRefusals: false).run()
            #expect(fleet.server.log.contains("Publish Violation - User \"CN=tv\""))
        }

        @Test("Serve a house by certificates: an operator commands there, a viewer and a stranger do not")
        func house() async throws {
            let fleet = try CertifiedFleet(
                ["kitchen", "--fuser", "main", "--user", "anna", "--user", "tv", "--user", "stranger"])
            let files = ["kitchen/agent.yaml", "fuser-main/fuser.yaml"]
            try fleet.start(fleet.rights(files, ["--operator", "anna", "--viewer", "tv"]))
            let agent = try fleet.run("whereabouts-agent", files[0], ["--source", "simulate:\(Deployment.flat)"])
            let fuser = try fleet.run("whereabouts-fuser", files[1])
            let viewer = try fleet.client("tv", ["whereabouts/items/+/room"])
            #expect(try await viewer.isReady(), "\(fleet.server.log)")
            let add = [
                "items", "add", "keys", "--name", "Keys", "--ibeacon", "48534442-4c45-4144-80c0-1800fffffff0,100,1",
            ]
            #expect(try fleet.say("tv", add).status != 0)
            #expect(viewer.messages.isEmpty)
            let added = try fleet.say("anna", add)
            #expect(added.status == 0, "\(added.error)")
            let isServed = try await viewer.wait { $0.messages.contains { $0.topic == "whereabouts/items/keys/room" } }
            #expect(isServed, "\(agent.errors)\n\(fuser.errors)")
            let nearest = ["items", "add", "cup", "--nearest", "kitchen", "--for", "1s", "--yes"]
            let asked = try fleet.say("anna", nearest)
            #expect(asked.status == 0 || asked.error.contains("heard no unregistered"), "\(asked.error)")

            #expect(try await fleet.refuses(nil) && fleet.server.log.contains("didn't provide a certificate"))
            #expect(try await fleet.refuses("stranger") && fleet.server.log.contains("authentication error"))
            // Nobody has a password, and so NATS's own protocol would need none.
            let plain = try RawClient(port: fleet.server.plainPort)
            plain.send("CONNECT {\"user\":\"CN=anna\",\"pass\":\"\",\"verbose\":true}\r\nPING\r\n")
            let answer = plain.receive(until: "Violation'")
            #expect(answer.contains("-ERR 'Authorization Violation'") && !answer.contains("+OK"), "\(answer)")
        }

        @Test("Refuse revoked users after a restart with other rights, and keep what a person registered")
        func revoked() async throws {
            let fleet = try CertifiedFleet(["kitchen", "living", "--user", "anna", "--user", "tv"])
            let topics = ["whereabouts/items/mug/config", "whereabouts/nodes/kitchen/status"]
            try fleet.start(
                fleet.rights(
                    ["kitchen/agent.yaml", "living/agent.yaml"], ["--operator", "anna", "--viewer", "tv"]))
            for (member, topic) in [("anna", topics[0]), ("kitchen", topics[1])] {
                let client = try fleet.client(member, [])
                #expect(try await client.wait { $0.client.isConnected }, "\(fleet.server.log)")
                client.client.publish(topic: topic, payload: Array("x".utf8), qos: .atLeastOnce, retained: true)
                #expect(client.client.waitUntilUnsent(below: 1, timeout: 10))
            }
            try fleet.whereabouts(["revoke", "anna", "kitchen", "--fleet", fleet.path])
            fleet.server.stop()
            try fleet.start(fleet.rights(["living/agent.yaml"], ["--viewer", "tv"]))
            let viewer = try fleet.client("tv", topics)
            #expect(try await viewer.wait(for: "x", on: topics), "\(fleet.server.log)")
            let living = try fleet.client("living", [])
            #expect(try await living.wait { $0.client.isConnected })
            #expect(try await fleet.refuses("revoked/anna"))
            #expect(try await fleet.refuses("revoked/kitchen"))
        }
    }
}
