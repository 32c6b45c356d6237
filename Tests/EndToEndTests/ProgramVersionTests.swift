import Foundation
import Integrations
import Support
import Testing
import WireProtocol

extension Live {
    /// The version that a program publishes.
    @Suite struct ProgramVersions {
        @Test(
            "Publish the version of a program's package, and that of its sources in place of what is no version",
            arguments: [("0.1.0-989", "0.1.0-989"), ("$(id)", "0.1.0"), ("", "0.1.0")])
        func package(package: String, version: String) async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            let environment = ["WHEREABOUTS_PACKAGE=\(package)"]
            let page = try ServedPage(deployment, ["outputs: {home_assistant: true}"])
            let fuser = try RunningProgram(
                "whereabouts-fuser", ["--config", page.configuration], environment: environment)
            let agent = try RunningProgram(
                "whereabouts-agent",
                ["--config", deployment.agent("kitchen", source: "simulate:\(Deployment.flat)")],
                environment: environment)
            let topics = Topics()
            let isTold = try await recorder.wait(20) { seen in
                let claim = seen.latest[topics.fuserClaim("main")].flatMap { try? Claim(payload: $0.payload.span) }
                let info = seen.latest[topics.nodeInfo("kitchen")].flatMap { try? NodeInfo(payload: $0.payload.span) }
                return claim?.version == version && info?.version == version
            }
            #expect(isTold, "\(fuser.errors)\n\(agent.errors)")
            let device = DiscoveryPlace(prefix: "homeassistant", topicPrefix: "whereabouts")
                .device(DiscoveryPlace.fuser("main"))
            let isShown = try await recorder.wait(30) { $0.text(device)?.contains("\"sw\":\"\(version)\"") ?? false }
            #expect(isShown, "\(recorder.text(device) ?? "no device")\n\(fuser.errors)")
            let (cookie, _) = try page.signIn(ServedPage.viewer)
            let house = try page.send("GET", "/api/house", [cookie]).body
            #expect(house.contains("\"version\":\"\(version)\""), "\(house)")
        }
    }
}
