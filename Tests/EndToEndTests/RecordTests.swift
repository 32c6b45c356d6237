import Bytes
import Captures
import Foundation
import WireProtocol
import Support
import Testing

extension Live {
    /// `--record`: a user's recording contains all that the gateway received.
    @Suite struct Record {
        @Test("Replay a recording into the windows of its hour, over its two files too")
        func sameWindows() async throws {
            let folder = try TemporaryFolder()
            let capture = folder.file("household.btsnoop")
            try HouseholdCapture.write(to: capture)
            let recording = folder.file("recorded.btsnoop")
            let heard = try await Self.published([capture], recording: recording)
            #expect(heard.count > 100)
            #expect(try await Self.published([recording]) == heard)

            let (older, newer) = (folder.file("part.btsnoop.1"), folder.file("part.btsnoop"))
            try Self.split(recording, into: older, newer)
            #expect(try await Self.published([older, newer]) == heard)
        }

        @Test("Report at the start a place in which nothing can be recorded")
        func nowhere() throws {
            let folder = try TemporaryFolder()
            let capture = folder.file("household.btsnoop")
            try HouseholdCapture.write(to: capture)
            let configuration = folder.file("agent.yaml")
            try "node: kitchen\nsource: \"replay:\(capture)\"\nmqtt: {url: mqtt://127.0.0.1:1}\n".write(
                toFile: configuration, atomically: true, encoding: .utf8)
            let outcome = try CommandLineTests.run(
                "whereabouts-agent", ["--config", configuration, "--record", folder.file("missing/x.btsnoop")])
            #expect(outcome.status == 1)
            #expect(
                outcome.error.contains(
                    "missing/x.btsnoop: cannot open: No such file or directory"))
        }

        /// Windows and scans of a replay, without the values that differ from run to run.
        private static func published(_ captures: [String], recording: String? = nil) async throws -> [String] {
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            let configuration = try deployment.agent(
                "kitchen", source: "replay:\(captures.joined(separator: ","))", ["publish: all"])
            let agent = try RunningProgram(
                "whereabouts-agent",
                ["--config", configuration, "--speed", "max"] + (recording.map { ["--record", $0] } ?? []))
            #expect(try await agent.status(within: 30) == 0, "\(agent.errors)")
            #expect(try await recorder.wait(20) { $0.text(Topics().nodeStatus("kitchen")) == "offline" })
            let kinds = ["/windows/", "/scan"]
            return recorder.messages.filter { message in kinds.contains { message.topic.contains($0) } }
                .map(CanonicalOutput.line)
        }

        /// Cuts a recording in two, as a full file does.
        private static func split(_ path: String, into first: String, _ second: String) throws {
            let packets = try Self.packets(path)
            for (file, part) in [
                (first, packets.prefix(packets.count / 2)), (second, packets.dropFirst(packets.count / 2)),
            ] {
                var writer = try CaptureWriter(path: file)
                for packet in part {
                    try writer.append(packet.bytes.span, kind: .event, direction: .received, time: packet.time)
                }
                try writer.close()
            }
        }

        private static func packets(_ path: String) throws -> [(time: Timestamp, bytes: [UInt8])] {
            var reader = try CaptureReader(path: path)
            var packets: [(time: Timestamp, bytes: [UInt8])] = []
            while let packet = try reader.next() {
                guard let time = packet.time else { continue }
                var bytes: [UInt8] = []
                reader.withBytes { bytes.append(contentsOf: $0) }
                packets.append((time, bytes))
            }
            return packets
        }
    }
}
