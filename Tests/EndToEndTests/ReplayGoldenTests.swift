import Foundation
import WireProtocol
import Support
import Testing

extension Live {
    /// All messages that the agent publishes for a capture of our own making.
    @Suite struct ReplayGolden {
        static let goldenPath = Repository.root + "/Tests/Fixtures/household.published.txt"

        @Test("Publish the recorded topics, payloads and retained messages in a replay")
        func golden() async throws {
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let capture = deployment.folder.file("household.btsnoop")
            try HouseholdCapture.write(to: capture)
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            let configuration = try deployment.agent("kitchen", source: "replay:\(capture)", ["publish: all"])
            let agent = try RunningProgram("whereabouts-agent", ["--config", configuration, "--speed", "max"])
            #expect(try await agent.status(within: 30) == 0, "\(agent.errors)")
            let status = Topics().nodeStatus("kitchen")
            #expect(try await recorder.wait(20) { $0.text(status) == "offline" })
            #expect(try ReplayReport(recorder.messages).faults == [])
            // All retained messages have arrived before those published after that.
            let late = try Recorder(broker, id: "late")
            #expect(try await late.ready())

            let published =
                recorder.messages.map(CanonicalOutput.line)
                + late.messages.map { "\($0.retained ? "retained" : "live") " + CanonicalOutput.line($0) }.sorted()
            let text = published.joined(separator: "\n") + "\n"
            #expect(text.utf8.count <= 200_000)
            if ProcessInfo.processInfo.environment["WHEREABOUTS_RENEW_GOLDEN"] == "1" {
                try text.write(toFile: Self.goldenPath, atomically: true, encoding: .utf8)
            }
            let golden = readFile(Self.goldenPath)
            let difference = zip(text.split(separator: "\n"), (golden ?? "").split(separator: "\n"))
                .first { $0 != $1 }
            #expect(
                text == golden,
                """
                first difference: \(difference.map { "\($0)\n   was: \($1)" } ?? "the length"). Where the change is \
                meant, renew the file with WHEREABOUTS_RENEW_GOLDEN=1 swift test --filter ReplayGolden
                """)
        }
    }
}
