import Foundation
import WireProtocol
import Support
import Testing

extension Live {
    /// A broker that acknowledges messages that it drops.
    @Suite struct SilentDenial {
        private static let topics = Topics()

        @Test("Report an access list that drops a status in the log, in info and by the doctor, and its repair too")
        func told() async throws {
            let closed = "topic readwrite whereabouts/#\ntopic deny whereabouts/nodes/kitchen/status\n"
            let broker = try Broker(["acl_file %d/acl", "allow_anonymous true"], files: ["acl": closed])
            // Only 3.1.1 has no code for a denial.
            let relay = try Relay(to: broker.port, refusingVersion5: true)
            let deployment = try Deployment(broker)
            let file = try deployment.file(
                "kitchen.yaml", ["node: kitchen", "source: \"simulate:\(Deployment.flat)\"", "items: items.yaml"],
                url: "mqtt://127.0.0.1:\(relay.port)")
            let recorder = try Recorder(broker, ["whereabouts/nodes/+/info"])
            let agent = try RunningProgram("whereabouts-agent", ["--config", file])
            let info = Self.topics.nodeInfo("kitchen")
            let isTold = try await recorder.wait(20) {
                $0.text(info)?.contains("\"status_read_back\":false") == true
            }
            #expect(isTold, "\(agent.errors)")
            #expect(agent.logged("takes this program's messages and drops them") == 1, "\(agent.errors)")
            let doctor = try Execution.run(Execution.path(of: "whereabouts"), ["doctor", "--config", file])
            #expect(doctor.status == 1)
            #expect(doctor.lines.joined().contains("let its access list grant writing there"), "\(doctor.lines)")
            agent.process.terminate()
            #expect(try await agent.status(within: 15) == 0)
        }

        @Test("Clear a program's messages under its former name within seconds, and log that once")
        func renamed() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            func fuser(_ name: String) throws -> RunningProgram {
                let file = try deployment.file("\(name).yaml", ["name: \(name)", "state: fuser.sqlite"])
                return try RunningProgram("whereabouts-fuser", ["--config", file])
            }
            let first = try fuser("main")
            let status = Self.topics.fuserStatus("main")
            #expect(try await recorder.wait(20) { $0.text(status) == "online" })
            first.process.terminate()
            #expect(try await first.status(within: 10) == 0)
            #expect(try await recorder.wait(10) { $0.text(status) == "offline" })
            let second = try fuser("second")
            #expect(try await recorder.wait(Live.promised(15)) { $0.text(status) == "" }, "\(second.errors)")
            #expect(try await until(20) { second.logged("former fuser main under whereabouts are cleared") == 1 })
            #expect(recorder.text(Self.topics.fuserStatus("second")) == "online")
        }
    }
}
