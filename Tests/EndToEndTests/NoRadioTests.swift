import Foundation
import WireProtocol
import Support
import Testing

extension Live {
    /// An agent whose adapter is missing, as on a machine of any kind.
    @Suite struct NoRadio {
        @Test("Serve without an adapter, and publish the reason and that nothing is received")
        func serves() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let agent = try RunningProgram(
                "whereabouts-agent",
                ["--config", try deployment.agent("attic", source: "hci:hci99", ["state: attic.sqlite"])])
            let recorder = try Recorder(broker)
            let topics = Topics()
            let (info, scan) = (topics.nodeInfo("attic"), topics.scan("attic"))
            let isTold = try await recorder.wait(20) { recorder in
                recorder.text(info)?.contains(#""problem":"#) == true
                    && recorder.text(scan)?.contains(#""gap_ms":1000"#) == true
            }
            #expect(isTold, "\(agent.errors) \(recorder.text(info) ?? "") \(recorder.text(scan) ?? "")")
            let payload = try #require(recorder.latest[info]?.payload)
            let radio = try #require(try NodeInfo(payload: payload.span).radio)
            // The other is a kernel without Bluetooth.
            #expect(["no_adapter", "system_error"].contains(radio.problem ?? "") && radio.state == "waiting")
            // The environment of a test may hold variables of its own, which are logged, too.
            let warnings = agent.logged("warning: ") - agent.logged("this variable sets no key")
            #expect(radio.mend != nil && warnings == 1, "\(agent.errors)")
            // Published once, and numbered like any event: `scan` and a replay include it.
            let events = topics.nodeEvents("attic")
            #expect(try await recorder.wait(10) { $0.latest[events] != nil })
            let told = try #require(recorder.latest[events]?.payload)
            let event = try NodeEvent(payload: told.span)
            #expect(event.kind == .alert && event.alert == "radio" && event.rule == radio.problem && event.seq == 1)
            #expect(try await recorder.wait(10) { $0.text(scan)?.contains(#""last_event":1"#) == true })
            #expect(recorder.count(events) == 1)
            #expect(agent.isRunning && recorder.text(topics.nodeStatus("attic")) == "online")
            try expectFewRights(agent)
            agent.process.terminate()
            #expect(try await agent.status(within: 20) == 0, "\(agent.errors)")
        }

        /// CAP_NET_ADMIN and CAP_NET_RAW are the most that it has (proc(5)).
        private func expectFewRights(_ agent: RunningProgram) throws {
            let status = try #require(readFile("/proc/\(agent.process.processID)/status"))
            for name in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
                let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name) })
                let set = try #require(line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
                #expect(set & ~0x3000 == 0, "\(line)")
            }
        }
    }
}
