import Foundation
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
            let fuser = try RunningProgram(
                "whereabouts-fuser", ["--config", deployment.file("fuser.yaml", ["name: main"])],
                environment: environment)
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
        }
    }
}
