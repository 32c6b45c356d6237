import Bytes
import Foundation
import Support
import System
import Testing
import WireProtocol

extension Live {
    /// The batteries of a house with a real broker: what the fuser publishes of them and the tool shows.
    @Suite struct Batteries {
        fileprivate static let topics = Topics()

        private struct Row: Decodable {
            var id: String
            var grade: String
            var reason: String
            var battery_mv: Int?
        }

        /// A node that hears two tags: one with a low battery, one with a good one.
        private struct Node {
            var seq: UInt64 = 0

            func introduce(to recorder: Recorder) {
                let now = WallClock.now()
                let info = NodeInfo(
                    version: "1", room: "hall", adapter: "replay", started: now, epoch: "e", window: 1,
                    publishesAll: false, registry: "")
                publish(Batteries.topics.nodeStatus("hall"), Array("online".utf8), recorder)
                publish(Batteries.topics.nodeInfo("hall"), payload { info.write(to: &$0) }, recorder)
            }

            mutating func hear(_ tags: [(String, Int)], _ recorder: Recorder) {
                seq += 1
                let end = WallClock.now().floor(toMultipleOf: .seconds(1))
                let begin = end.advanced(bySeconds: -1)
                for (tag, millivolts) in tags {
                    var window = Window(
                        seq: seq, from: begin, to: end, node: "hall", epoch: "e", id: "0123456789ab", item: tag,
                        count: 1)
                    window.rssi = Window.Levels(mean: -60, median: -60, minimum: -60, maximum: -60, deviation: nil)
                    window.telemetry = Telemetry(batteryMillivolts: millivolts)
                    publish(
                        Batteries.topics.window(beacon: tag, node: "hall"), payload { window.write(to: &$0) }, recorder)
                }
                var scan = Scan(from: begin, to: end, seq: seq, registry: "", epoch: "e")
                scan.windows = tags.count
                publish(Batteries.topics.scan("hall"), payload { scan.write(to: &$0) }, recorder)
            }

            private func payload(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
                var json = JSONWriter()
                write(&json)
                return json.bytes
            }

            private func publish(_ topic: String, _ payload: [UInt8], _ recorder: Recorder) {
                let isState = topic.hasSuffix("/info") || topic.hasSuffix("/status")
                recorder.publish(
                    Message(
                        topic: topic, payload: payload, qos: isState ? .atLeastOnce : .atMostOnce, retained: isState))
            }
        }

        private func rows(_ broker: Broker, _ more: [String] = []) throws -> [Row] {
            let outcome = try Execution.run(
                Execution.path(of: "whereabouts"), ["batteries", "--json", "--broker", broker.url] + more)
            #expect(outcome.status == 0, "\(outcome.error)")
            return try JSONDecoder().decode([Row].self, from: outcome.output)
        }

        @Test("List batteries by urgency, and again after a kill and the loss of what the broker retained")
        func list() async throws {
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let file = try deployment.file("fuser.yaml", ["name: main", "state: fuser.sqlite"])
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            var node = Node()
            node.introduce(to: recorder)
            let topic = Self.topics.itemBattery("keys")
            func live(_ seconds: Double, _ tags: [(String, Int)], until condition: () -> Bool) async throws -> Bool {
                let end = ContinuousClock.now + .seconds(seconds)
                while ContinuousClock.now < end {
                    node.hear(tags, recorder)
                    if try await recorder.wait(1, for: { _ in condition() }) { return true }
                }
                return false
            }
            let tags = [("cat", 2960), ("keys", 2450)]
            var fuser = try RunningProgram("whereabouts-fuser", ["--config", file])
            #expect(
                try await live(40, tags) {
                    recorder.latest[topic] != nil && recorder.latest[Self.topics.itemBattery("cat")] != nil
                }, "\(fuser.errors)")
            let listed = try rows(broker)
            #expect(listed.first?.id == "keys" && listed.first?.grade == "this_week" && listed.first?.reason == "low")
            #expect(listed.first?.battery_mv == 2450)
            #expect(listed.contains { $0.id == "cat" && $0.grade == "fine" })
            #expect(try rows(broker, ["--urgent"]).map(\.id) == ["keys"])
            // Stored within a second or two; then it is killed, and the broker loses the report.
            _ = try await live(4, tags) { false }
            fuser.process.send(SIGKILL)
            _ = try await fuser.status(within: 10)
            recorder.publish(.clearing(topic))
            #expect(try await recorder.wait(10) { $0.latest[topic]?.payload.isEmpty == true })
            fuser = try RunningProgram("whereabouts-fuser", ["--config", file])
            #expect(
                try await live(40, [("cat", 2960)]) { recorder.latest[topic]?.payload.isEmpty == false },
                "\(fuser.errors)")
            let message = try #require(recorder.latest[topic])
            let report = try BatteryReport(payload: message.payload.span)
            #expect(report.grade == .thisWeek && report.millivolts == 2450)
            fuser.process.terminate()
            #expect(try await fuser.status(within: 10) == 0)
        }
    }
}
