import Foundation
import Support
import Testing
import WireProtocol

/// `whereabouts doctor` on gateways whose fault is known, against a real broker.
@Suite(.inTurn, .enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing))) struct DoctorTests {
    private struct Finding: Decodable {
        var check: String
        var verdict: String
        var reason: String
        var mend: String?
    }

    private static func examine(_ configuration: String) throws -> (status: Int32, findings: [String: Finding]) {
        let outcome = try Execution.run(
            Execution.path(of: "whereabouts"), ["doctor", "--json", "--config", configuration])
        let findings = try outcome.lines.map { try JSONDecoder().decode(Finding.self, from: Data($0.utf8)) }
        return (outcome.status, Dictionary(findings.map { ($0.check, $0) }) { first, _ in first })
    }

    @Test func aGatewayThatWorksIsWell() async throws {
        let broker = try Broker()
        let deployment = try Deployment(broker)
        let source = "simulate:\(Repository.root)/etc/examples/simulation/house.yaml"
        let file = try deployment.agent(
            "kitchen", source: source, ["state: \(deployment.folder.file("agent.sqlite"))"])
        let agent = try RunningProgram("whereabouts-agent", ["--config", file])
        let recorder = try Recorder(broker)
        #expect(try await recorder.wait(20) { $0.text("whereabouts/nodes/kitchen/status") == "online" })
        let (status, findings) = try Self.examine(file)
        #expect(status == 0)
        #expect(findings["broker"]?.verdict == "ok")
        #expect(findings["agent"]?.reason == "whereabouts-agent is connected")
        #expect(findings["disk"]?.verdict == "ok")
        #expect(agent.logged("lost") == 0, "looking takes the connection from nobody")
        agent.process.terminate()
        #expect(try await agent.status(within: 20) == 0)
        let offline = try Self.examine(file)
        #expect(offline.status == 0)
        #expect(offline.findings["agent"]?.verdict == "warning")
        #expect(offline.findings["agent"]?.mend == "start it: systemctl start whereabouts-agent")
    }

    @Test func aFuserWhoseStatusIsMissingIsNotSaidToBeOffline() async throws {
        let broker = try Broker()
        let recorder = try Recorder(broker)
        #expect(try await recorder.ready())
        let deployment = try Deployment(broker)
        let doctor = try RunningProgram("whereabouts", ["doctor", "--config", try deployment.fuser()])
        let claim = Claim(shards: 0...255, state: .serving, epoch: "0000000a", lastEvent: 0, seq: 1)
        let status = Topics().fuserStatus("main")
        _ = try await until(15) {
            recorder.publish(Message(topic: Topics().fuserClaim("main"), payload: claim.payload))
            return try await recorder.wait(0.3) { $0.text(status) != nil }
        }
        #expect(recorder.text(status) == "online", "\(doctor.errors)")
        #expect(try await doctor.status(within: 10) == 0)
        #expect(doctor.output.contains("whereabouts-fuser is connected"), "\(doctor.output)")
    }

    @Test func aBrokerThatIsDownIsNamedWithTheMend() throws {
        let broker = try Broker(started: false)
        let deployment = try Deployment(broker)
        let (status, findings) = try Self.examine(try deployment.fuser())
        #expect(status == 1)
        #expect(findings["broker"]?.verdict == "fault")
        #expect(findings["broker"]?.reason.contains("refused") == true)
        #expect(findings["broker"]?.mend?.hasPrefix("start the broker") == true)
        #expect(findings["agent"] == nil)
    }

    @Test("Reach the last of four brokers where the others accept connections and say nothing")
    func silentBrokers() throws {
        let broker = try Broker()
        let silent = try SilentAddress(port: broker.port, accepts: true)
        let urls = Array(repeating: "mqtt://\(SilentAddress.host):\(broker.port)", count: 3) + [broker.url]
        let folder = try TemporaryFolder()
        let text = "name: main\nmqtt: {urls: [\(urls.joined(separator: ", "))]}\n"
        let (status, findings) = try Self.examine(try folder.write(Array(text.utf8), to: "fuser.yaml"))
        #expect(status == 0)
        #expect(findings["broker"]?.reason == "\(broker.url) takes the connection", "\(findings)")
        withExtendedLifetime(silent) {}
    }

    @Test func aWrongPasswordIsToldFromABrokerThatIsDown() throws {
        let broker = try Broker(["allow_anonymous false"])
        let deployment = try Deployment(broker)
        let (status, findings) = try Self.examine(try deployment.fuser())
        #expect(status == 1)
        #expect(findings["broker"]?.mend?.contains("mqtt.username") == true)
    }

    @Test func aHostThatNobodyKnowsIsNamed() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("fuser.yaml")
        try "name: main\nmqtt: {url: mqtt://broker.invalid}\n".write(toFile: file, atomically: true, encoding: .utf8)
        let (status, findings) = try Self.examine(file)
        #expect(status == 1)
        #expect(findings["broker"]?.mend?.contains("host's name") == true)
    }

    @Test func aConfigurationThatCannotBeUsedEndsWithTwoAndTheRestIsLookedAt() throws {
        let broker = try Broker()
        let folder = try TemporaryFolder()
        let file = folder.file("agent.yaml")
        try "node: Kitchen\nmqtt: {url: \(broker.url)}\n".write(toFile: file, atomically: true, encoding: .utf8)
        let (status, findings) = try Self.examine(file)
        #expect(status == 2)
        #expect(findings["configuration"]?.reason.contains("agent.yaml:1:7") == true)
        #expect(findings["broker"]?.verdict == "ok")
    }
}
