import Foundation
import Glibc
import WireProtocol
import Support
import Testing

@Suite struct PipeTests {
    private func capture(_ folder: TemporaryFolder) throws -> [UInt8] {
        try HouseholdCapture.write(to: folder.file("household.btsnoop"))
        return Array(try Data(contentsOf: URL(filePath: folder.file("household.btsnoop"))))
    }

    @Test("Publish the same from standard input as from the file that is fed to it")
    func standardInput() throws {
        let folder = try TemporaryFolder()
        let bytes = try capture(folder)
        let words = ["range", "--json", "--source"]
        let range = Execution.path(of: "whereabouts")
        let file = try Execution.run(range, words + ["replay:\(folder.file("household.btsnoop"))", "--speed", "max"])
        let fed = try Execution.run(range, words + ["replay:-"], input: bytes)
        #expect(file.status == 0 && fed.status == 0, "\(fed.error)")
        #expect(file.output == fed.output && file.lines.count > 50)
        let cut = try Execution.run(range, words + ["replay:-"], input: Array(bytes.dropLast(3)))
        #expect(cut.status == 1 && cut.error.contains("standard input: cut short at byte"), "\(cut.error)")
    }

    @Test("Reject options that a pipe cannot serve, with the reason")
    func refused() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.file("hci")
        #expect(mkfifo(pipe, 0o600) == 0)
        let file = try folder.write(Array("node: n\nmqtt: {url: \"mqtt://h\"}\n".utf8), to: "n.yaml")
        func check(_ words: String...) throws -> Execution.Outcome {
            try Execution.run(Execution.path(of: "whereabouts-agent"), ["--config", file, "--check"] + words)
        }
        #expect(try check("--source", "replay:hci").status == 2)
        #expect(try check("--source", "replay:\(pipe)").status == 0)
        #expect(try check("--source", "replay:-", "--speed", "max").status == 0)
        let paced = try check("--source", "replay:\(pipe)", "--speed", "2")
        #expect(paced.status == 2 && paced.error.contains("--speed takes no number for a pipe"), "\(paced.error)")
        let two = try check("--source", "replay:\(file),\(pipe)")
        #expect(two.status == 2 && two.error.contains("a pipe is replayed alone"), "\(two.error)")
    }
}

extension Live {
    /// An agent that is fed by another program.
    @Suite struct FedByAPipe {
        @Test("Publish while the pipe is open, answer while nothing arrives, and end with the pipe")
        func fed() async throws {
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let pipe = try PacketPipe(deployment.folder.file("hci"))
            let file = try HallNode.configure(deployment, pipe)
            let topics = Topics()
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let agent = try RunningProgram("whereabouts-agent", ["--config", file])
            let isOnline = { (seen: Recorder) in seen.text(topics.nodeStatus("kitchen")) == "online" }
            #expect(try await recorder.wait(20, for: isOnline), "\(agent.errors)")
            // Before the first packet it is there, and on no clock yet.
            let command = "{\"id\":\"l\",\"action\":\"log\",\"level\":\"debug\"}"
            recorder.publish(Message(topic: topics.nodeCommand("kitchen"), text: command, qos: .atLeastOnce))
            #expect(try await recorder.wait(10) { $0.count(topics.commandResult("kitchen")) == 1 })
            #expect(recorder.latest[topics.nodeInfo("kitchen")] == nil)

            var hall = BusyHall(seed: 7)
            var encoder = HallEncoder()
            let packets = hall.hear(microseconds: 20_000_000)
            #expect(pipe.write(encoder.bytes(packets, hall.transmitters), while: { agent.isRunning }))
            #expect(try await recorder.wait(20) { $0.count(topics.scan("kitchen")) == 19 })
            recorder.publish(Message(topic: topics.nodeCommand("kitchen"), text: command, qos: .atLeastOnce))
            #expect(try await recorder.wait(10) { $0.count(topics.commandResult("kitchen")) == 2 })
            #expect(agent.isRunning && recorder.count(topics.scan("kitchen")) == 19)
            pipe.end()
            #expect(try await agent.status(within: 10) == 0, "\(agent.errors)")
            #expect(try await recorder.wait(10) { $0.count(topics.scan("kitchen")) == 20 })
            let reports = try recorder.messages.filter { $0.topic == topics.scan("kitchen") }
                .map { try Scan(payload: $0.payload.span).reports }
            #expect(reports.reduce(0, +) == packets.count)
        }
    }
}
