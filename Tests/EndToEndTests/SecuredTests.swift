import Foundation
import Support
import Testing

/// The programs with a broker that uses TLS: the log, the errors of a command and the findings of the doctor.
@Suite(
    .inTurn, .enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)),
    .enabled(if: TestAuthority.canBeMade, Comment(rawValue: TestAuthority.missing)))
struct SecuredTests {
    private static let source = "simulate:\(Repository.root)/etc/examples/simulation/house.yaml"

    private func broker(hosts: String, days: ClosedRange<Double> = -1...365) throws -> Broker {
        let broker = try Broker(["certfile %d/server.pem", "keyfile %d/server.key"], started: false)
        try TestAuthority("authority", in: broker.folder).issue("server", hosts: hosts, days: days)
        try broker.start()
        return broker
    }

    /// An agent's file in a folder of its own, with further keys of `mqtt`.
    private func agent(_ broker: Broker, _ keys: String, in folder: TemporaryFolder) throws -> String {
        let text = """
            node: kitchen
            source: "\(Self.source)"
            mqtt: {url: "mqtts://127.0.0.1:\(broker.port)"\(keys)}

            """
        return try folder.write(Array(text.utf8), to: "agent.yaml")
    }

    @Test func aRefusalIsToldByTheLogTheCommandsAndTheDoctor() async throws {
        let broker = try broker(hosts: "DNS:broker.lan")
        let folder = try TemporaryFolder()
        let file = try agent(broker, ", ca_file: \(broker.folder)/authority.pem", in: folder)
        let words = "the broker's certificate is for broker.lan, not for 127.0.0.1"
        let mend = "write one of its names into mqtt.url, or have a certificate made for 127.0.0.1"

        let agent = try RunningProgram("whereabouts-agent", ["--config", file])
        #expect(try await until(20) { agent.logged("\(words); \(mend)") > 0 })
        let list = try Execution.run(Execution.path(of: "whereabouts"), ["items", "list", "--config", file])
        #expect(list.status == 1 && list.error.contains("\(words); \(mend)"))
        let doctor = try Execution.run(Execution.path(of: "whereabouts"), ["doctor", "--json", "--config", file])
        #expect(doctor.status == 1)
        let finding = doctor.lines.first { $0.contains(words) }
        #expect(finding?.contains(mend) == true)

        // The same program connects once the broker has a certificate for that host.
        try TestAuthority("authority", in: broker.folder).issue("server", hosts: "IP:127.0.0.1")
        try broker.restart()
        // Attempts may lie a minute apart by now.
        #expect(try await until(90) { agent.logged("connected to") > 0 })
        agent.process.terminate()
        #expect(try await agent.status(within: 20) == 0)
    }

    @Test func anAuthorityOfTheSystemIsTrustedAndWhatExpiresIsToldInItsInfo() async throws {
        let broker = try broker(hosts: "IP:127.0.0.1", days: -80...9)
        let folder = try TemporaryFolder()
        let file = try agent(broker, "", in: folder)
        // The place in which OpenSSL searches for the system's authorities.
        let environment = ["PATH=/usr/bin", "SSL_CERT_FILE=\(broker.folder)/authority.pem"]
        let agent = try RunningProgram("whereabouts-agent", ["--config", file], environment: environment)
        #expect(try await until(20) { agent.logged("connected to") > 0 })
        #expect(try await until(20) { agent.logged("the broker's certificate (CN=server) expires at") == 1 })
        let info = folder.file("info")
        let reader = try ChildProcess(
            "mosquitto_sub",
            [
                "-h", "127.0.0.1", "-p", "\(broker.port)", "--cafile", "\(broker.folder)/authority.pem", "-t",
                "whereabouts/nodes/kitchen/info",
            ], output: info)
        defer { reader.terminate() }
        #expect(
            try await until(20) {
                readFile(info)?.contains("\"problems\":[\"the broker's certificate (CN=server) expires at") == true
            })
        let examined = try ChildProcess(
            Execution.path(of: "whereabouts"), ["doctor", "--config", file], environment: environment,
            output: folder.file("doctor"))
        #expect(examined.wait(atMost: 30) == 0, "it works still")
        #expect(readFile(folder.file("doctor"))?.contains("the broker's certificate (CN=server) expires at") == true)
        agent.process.terminate()
        #expect(try await agent.status(within: 20) == 0)
    }

    @Test func aCheckJudgesTheFilesAndConnectsToNobody() throws {
        let broker = try broker(hosts: "IP:127.0.0.1")
        let folder = try TemporaryFolder()
        broker.stop()
        func check(_ keys: String) throws -> Execution.Outcome {
            let keys = keys.replacing("%d", with: broker.folder)
            return try Execution.run(
                Execution.path(of: "whereabouts-agent"), ["--check", "--config", try agent(broker, keys, in: folder)])
        }
        #expect(try check(", ca_file: %d/authority.pem").status == 0)
        let mixed = try check(", certificate_file: %d/server.pem, key_file: %d/authority.key")
        #expect(mixed.status == 2 && mixed.error.contains("doesn't belong to the certificate"))
        try setMode(0o644, of: "\(broker.folder)/server.key")
        let open = try check(", certificate_file: %d/server.pem, key_file: %d/server.key")
        #expect(open.status == 2 && open.error.contains("may be read by others than its user: chmod 600"))
    }
}
