import Configuration
import Foundation
import MQTT
import Support
import Testing

@testable import BrokerSession

/// A fleet that is enrolled with certificates at a nats-server, which is not started yet.
final class CertifiedFleet {
    let folder: TemporaryFolder
    let server: NATSServer
    /// The fleet's folder.
    var path: String { folder.file("fleet") }

    /// Enrolls gateways, and with options fusers and people.
    init(_ members: [String]) throws {
        folder = try TemporaryFolder()
        server = try NATSServer()
        try whereabouts(
            ["enroll", "--broker", server.url, "--broker-host", "127.0.0.1", "--fleet", path] + members)
    }

    /// The rights that the configurations of these members need, and of people by options.
    func rights(_ files: [String], _ people: [String]) throws -> String {
        try whereabouts(["acl", "--nats"] + files.map { "\(path)/\($0)" } + people)
    }

    func start(_ rights: String) throws { try server.start(files: "\(path)/broker", rights: rights) }

    /// A program with a member's file, and a state of its own.
    func run(_ program: String, _ file: String, _ options: [String] = []) throws -> RunningProgram {
        try RunningProgram(
            program, ["--config", "\(path)/\(file)"] + options,
            environment: ["WHEREABOUTS_STATE=\(folder.file("\(program).sqlite"))"])
    }

    /// Runs a command with a person's file.
    func say(_ person: String, _ words: [String]) throws -> Execution.Outcome {
        try Execution.run(
            Execution.path(of: "whereabouts"), words + ["--config", "\(path)/\(person)/whereabouts.yaml"])
    }

    /// True if the server accepts no connection with a member's certificate, or with none.
    func refuses(_ member: String?) async throws -> Bool {
        let client = try client(member, [])
        let hasFailed = try await client.wait { client in
            client.events.contains { if case .connectFailed = $0 { true } else { client.client.isConnected } }
        }
        return hasFailed && !client.client.isConnected
    }

    /// A client with the certificate in a member's folder, or with none.
    func client(_ member: String?, _ filters: [String]) throws -> RightsClient {
        var settings = MQTTSettings(url: try BrokerURL(server.url))
        settings.tls.authoritiesFile = "\(path)/authority/ca.pem"
        if let member {
            let file = "\(path)/\(member)/\(member.split(separator: "/").last ?? "")"
            settings.tls.certificateFile = file + ".pem"
            settings.tls.keyFile = SecretFile(path: file + ".key")
        }
        let security = BrokerSecurity(settings)
        var configuration = MQTTConfiguration(
            address: try BrokerAddress(url: server.url), clientID: "probe-\(member ?? "none")")
        configuration.credentials = { (address) throws(SecurityRefusal) in try security.credentials(for: address) }
        return try RightsClient(configuration, filters)
    }

    @discardableResult
    func whereabouts(_ words: [String]) throws -> String {
        let outcome = try Execution.run(Execution.path(of: "whereabouts"), words)
        try #require(outcome.status == 0, "\(outcome.error)")
        return String(decoding: outcome.output, as: UTF8.self)
    }
}
