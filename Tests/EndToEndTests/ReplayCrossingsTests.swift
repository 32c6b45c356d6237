import Bytes
import Captures
import Crypto
import WireProtocol
import Support
import Testing

extension Live {
    /// The region events of real captures, which are not ours to store: the repository holds their counts and digests.
    @Suite(.enabled(if: SharedMaterial.path("captures") != nil, "the shared captures are not here"))
    struct ReplayCrossings {
        struct Capture: CustomTestStringConvertible, Sendable {
            var testDescription: String
            /// The start of a minute in which beacons come and go, as Unix seconds.
            var minute: Double
            var events: Int
            var digest: String
        }

        static let captures = [
            Capture(
                testDescription: "epfl-crowd-01.btsnoop", minute: 1_596_114_749, events: 134,
                digest: "7f0b56393b06c49813a1e70f6f4e23be67830f0dfb070fe908fdbaff40f98d03"),
            Capture(
                testDescription: "epfl-crowd-15.btsnoop", minute: 1_596_125_136, events: 374,
                digest: "29e49411a3edfc38c8ba21f48bbf03e98782ed77be00d8caa0e962a0a144245e"),
            Capture(
                testDescription: "epfl-crowd-18.btsnoop", minute: 1_596_127_196, events: 514,
                digest: "b820a8d2831d84c6f425f2eeb964afa1a08b9d5e283fda7846a934337d3c2804"),
        ]

        /// Wildcards that overlap, an item, tags, a web address, and exit times that are given and learned.
        private static let items = [
            "- {id: tag, tags: [known], ibeacon: {uuid: 50765cb7-d9ea-4e21-99a4-fa879613a492, major: 15653, minor: 20677}}",
            "- {id: dot, tags: [known], ibeacon: {uuid: 74278bda-b644-4520-8f0c-720eaf059935, major: 0, minor: 27985}}",
        ]
        private static let regions = [
            "regions:",
            "  - {id: maker, ibeacon: {uuid: 50765cb7-d9ea-4e21-99a4-fa879613a492}}",
            "  - {id: group, ibeacon: {uuid: 50765cb7-d9ea-4e21-99a4-fa879613a492, major: 15653}, exit_after: 10s}",
            "  - {id: exact, ibeacon: {uuid: 74278bda-b644-4520-8f0c-720eaf059935, major: 0, minor: 21311}}",
            "  - {id: dots, ibeacon: {uuid: 74278bda-b644-4520-8f0c-720eaf059935}, exit_after: 2s}",
            "  - {id: rare, ibeacon: {uuid: f7826da6-4fa2-4e98-8024-bc5b71e0893e}}",
            "  - {id: tag, item: tag}",
            "  - {id: known, tag: known, exit_after: 15s}",
            "  - {id: web, eddystone_url: {prefix: \"http://kntk.io/\"}}",
        ]

        /// The events of a replay as lines, in their order, without the epoch, which is drawn by chance.
        private func events(_ path: String, speed: String, within seconds: Double) async throws -> [String] {
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            _ = try deployment.folder.write(Array(Self.items.joined(separator: "\n").utf8), to: "items.yaml")
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let configuration = try deployment.agent("replayed", source: "replay:\(path)", Self.regions)
            let agent = try RunningProgram("whereabouts-agent", ["--config", configuration, "--speed", speed])
            #expect(try await agent.status(within: seconds) == 0, "\(agent.errors)")
            let topics = Topics()
            #expect(try await recorder.wait(20) { $0.text(topics.nodeStatus("replayed")) == "offline" })
            let events = try recorder.messages.filter { $0.topic == topics.nodeEvents("replayed") }
                .map { try NodeEvent(payload: $0.payload.span) }
            #expect(events.map(\.seq) == events.indices.map { UInt64($0 + 1) })
            return events.map { event in
                let beacon = event.beacon ?? "-"
                let state = event.state?.rawValue ?? "-"
                return "\(event.kind) \(event.region ?? "-") \(state) \(beacon) \(event.at.microseconds / 1000) "
                    + "\(event.notBefore.microseconds / 1000)"
            }
        }

        @Test("Publish the same crossings of a whole capture on every machine", arguments: captures)
        func whole(capture: Capture) async throws {
            let path = try #require(SharedMaterial.path("captures/\(capture.testDescription)"))
            let events = try await events(path, speed: "max", within: 60)
            #expect(events.count == capture.events)
            #expect(SHA256.hex(events.joined(separator: "\n"), digits: 64) == capture.digest)
        }

        /// The long run does it in real time as well.
        @Test("Publish the same crossings of a minute of a capture at full speed and by the clock", arguments: captures)
        func minute(capture: Capture) async throws {
            let path = try #require(SharedMaterial.path("captures/\(capture.testDescription)"))
            let folder = try TemporaryFolder()
            let cut = folder.file("minute.btsnoop")
            try Self.cut(path, from: capture.minute, length: 60, to: cut)
            let fast = try await events(cut, speed: "max", within: 30)
            #expect(fast.contains { $0.hasPrefix("exit") } && fast.contains { $0.hasPrefix("determined") })
            // Faster, a moment without the processor is a gap of seconds.
            for speed in Live.isFull ? ["20", "1"] : ["20"] {
                let paced = try await events(cut, speed: speed, within: 120)
                #expect(paced == fast, "at \(speed) times real time: \(paced.difference(from: fast))")
            }
        }

        /// The packets of a stretch of a capture, from a moment in Unix seconds on.
        private static func cut(_ path: String, from begin: Double, length: Double, to cut: String) throws {
            var reader = try CaptureReader(path: path)
            var writer = try CaptureWriter(path: cut)
            while let packet = try reader.next() {
                guard let time = packet.time, packet.kind != .other, time.seconds >= begin,
                    time.seconds < begin + length
                else { continue }
                try reader.withBytes { bytes in
                    try writer.append(bytes, kind: packet.kind, direction: packet.direction, time: time)
                }
            }
            try writer.close()
        }
    }
}
