import Foundation
import Support
import Testing

extension Live {
    /// A fleet that was enrolled by one command, at a broker that accepts its certificates alone.
    @Suite(.enabled(if: Execution.find("mosquitto_pub") != nil, "mosquitto-clients isn't installed"))
    struct EnrolledFleet {
        static let gateways = ["kitchen"] + (1...59).map { "room-\($0 < 10 ? "0" : "")\($0)" }

        @Test("Enroll sixty gateways by one command, and refuse a revoked one without harm to the others")
        func sixty() async throws {
            let folder = try TemporaryFolder()
            let fleet = folder.file("fleet")
            let list = try folder.write(Array(Self.gateways.joined(separator: "\n").utf8), to: "list")
            // No port is known before the broker starts.
            try whereabouts([
                "enroll", "--list", list, "--broker", "mqtts://localhost", "--broker-host", "localhost", "--fleet",
                fleet,
            ])
            let files = Self.gateways.map { "\(fleet)/\($0)/agent.yaml" }
            let acl = try whereabouts(["acl"] + files)
            let broker = try Broker(
                [
                    "cafile \(fleet)/broker/ca.pem", "certfile \(fleet)/broker/broker.pem",
                    "keyfile \(fleet)/broker/broker.key", "crlfile \(fleet)/broker/crl.pem", "require_certificate true",
                    "use_identity_as_username true", "allow_anonymous false", "acl_file %d/acl",
                ], files: ["acl": acl])
            let gateway = folder.file("gateway")
            try FileManager.default.copyItem(atPath: "\(fleet)/kitchen", toPath: gateway)
            let agent = try RunningProgram(
                "whereabouts-agent",
                ["--config", "\(gateway)/agent.yaml", "--source", "simulate:\(Deployment.flat)"],
                environment: [
                    "WHEREABOUTS_MQTT_URL=mqtts://localhost:\(broker.port)",
                    "WHEREABOUTS_STATE=\(folder.file("agent.sqlite"))",
                ])
            #expect(try await until(20) { agent.logged("connected to mqtts://localhost") == 1 }, "\(agent.errors)")
            let refused = try Self.gateways.filter { try !says(online: $0, fleet, broker) }
            #expect(refused.isEmpty, "\(broker.log)")

            try whereabouts(["revoke", "kitchen", "--fleet", fleet])
            try broker.restart()
            // The broker's alert may be lost when it closes the connection. Attempts may lie a minute apart.
            #expect(try await until(90) { agent.logged("expired nor revoked") == 1 }, "\(agent.errors)")
            #expect(try !says(online: "kitchen", "\(fleet)/revoked", broker))
            #expect(broker.log.contains("certificate verify failed"), "\(broker.log)")
            let others = Self.gateways.filter { $0 != "kitchen" }
            #expect(try others.filter { try !says(online: $0, fleet, broker) }.isEmpty)
        }

        @Test("Make a password of the broker's own kind, which is valid until it is revoked")
        func password() throws {
            let folder = try TemporaryFolder()
            let fleet = folder.file("fleet")
            try whereabouts(["enroll", "hall", "attic", "--password", "--broker", "mqtt://localhost", "--fleet", fleet])
            let broker = try Broker(["allow_anonymous false", "password_file \(fleet)/passwords"])
            #expect(try says(online: "hall", password: fleet, broker))
            #expect(try says(online: "attic", password: fleet, broker))
            try whereabouts(["revoke", "hall", "--fleet", fleet])
            try broker.restart()
            #expect(try !says(online: "hall", password: "\(fleet)/revoked", broker))
            #expect(try says(online: "attic", password: fleet, broker))
        }

        @discardableResult
        private func whereabouts(_ words: [String]) throws -> String {
            let outcome = try Execution.run(Execution.path(of: "whereabouts"), words)
            try #require(outcome.status == 0, "\(outcome.error)")
            return String(decoding: outcome.output, as: UTF8.self)
        }

        /// True if a stranger's client can publish with a gateway's certificate.
        private func says(online node: String, _ fleet: String, _ broker: Broker) throws -> Bool {
            let files = [("--cafile", "ca.pem"), ("--cert", "\(node).pem"), ("--key", "\(node).key")]
            return try says(online: node, files.flatMap { [$0, "\(fleet)/\(node)/\($1)"] }, broker)
        }

        private func says(online node: String, password fleet: String, _ broker: Broker) throws -> Bool {
            let password = try String(contentsOfFile: "\(fleet)/\(node)/\(node).password", encoding: .utf8)
            return try says(online: node, ["-u", node, "-P", String(password.dropLast())], broker)
        }

        private func says(online node: String, _ options: [String], _ broker: Broker) throws -> Bool {
            let topic = "whereabouts/nodes/\(node)/status"
            return try Execution.run(
                #require(Execution.find("mosquitto_pub")),
                ["-h", "localhost", "-p", "\(broker.port)", "-V", "5", "-q", "1", "-t", topic, "-m", "online"] + options
            ).status == 0
        }
    }
}
