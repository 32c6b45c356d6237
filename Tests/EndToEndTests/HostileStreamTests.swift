import Bytes
import Foundation
import WireProtocol
import Support
import Testing

extension Live {
    /// All possible faults, a thousand times a second.
    @Suite struct HostileStream {
        private let topics = Topics()

        @Test("Delay honest messages by no more than a moment under a thousand corrupted ones a second on every topic")
        func stream() async throws {
            let seconds = Live.isFull ? 60 : 8
            let seed = UInt64(ProcessInfo.processInfo.environment["WHEREABOUTS_SEED"] ?? "") ?? 1
            let broker = try Broker(["max_queued_messages 0", "max_inflight_messages 0"])
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            let fuser = try deployment.startFuser()
            let agents = try deployment.startAgents()
            let programs = [fuser] + agents
            let isUp = try await recorder.wait(30) { seen in
                seen.latest[topics.location("keys")] != nil
                    && Deployment.nodes.allSatisfy { seen.latest[topics.scan($0)] != nil }
            }
            #expect(isUp, "\(fuser.errors)")
            var delays = ScanDelays(topics: topics)
            func listen(_ count: Int) async throws -> [Double] {
                let first = delays.all.count
                for _ in 0..<(count * 100) {
                    try await Task.sleep(for: .milliseconds(10))
                    delays.take(from: recorder)
                }
                return Array(delays.all.dropFirst(first))
            }
            let before = try await listen(5)
            let sender = try Recorder(broker, id: "sender", ["none"])
            #expect(try await until(10) { sender.isConnected })
            let subjects = subjects(recorder)
            #expect(subjects.count >= 12)
            var generator = SeededGenerator(seed: seed)
            var resident = programs.map { $0.resident ?? 0 }
            let clock = ContinuousClock()
            let (start, first) = (clock.now, delays.all.count)
            for number in 0..<(1000 * seconds) {
                if number % 10 == 0 {
                    try await clock.sleep(until: start + .milliseconds(number))
                    delays.take(from: recorder)
                }
                // Memory that a flood makes the processes retain is allocated in its first seconds.
                if number == 3000 { resident = programs.map { $0.resident ?? 0 } }
                let (topic, honest) = subjects[Int(generator.next() % UInt64(subjects.count))]
                let kind = HostilePayload.all[Int(generator.next() % UInt64(HostilePayload.all.count))]
                sender.publish(
                    Message(topic: topic, payload: kind.payload(of: honest, key: Int(generator.next() % 64))))
            }
            let during = Array(delays.all.dropFirst(first))
            let after = try await listen(5)
            let grown = programs.map { $0.resident ?? 0 }
            print(
                """
                seed \(seed): \(1000 * seconds) spoilt messages on \(subjects.count) topics in \(seconds) s; scans came late by \
                (p50, p95) \(delays.text(before)) before, \(delays.text(during)) meanwhile, \(delays.text(after)) after; resident \
                \(resident) KiB, then \(grown)
                """)
            for (index, program) in programs.enumerated() {
                #expect(program.isRunning, "seed \(seed): \(program.errors)")
                #expect(grown[index] - resident[index] < 8192, "seed \(seed)")
            }
            // Every interval of every node was published, up to those after the flood.
            let now = Date().timeIntervalSince1970
            for node in Deployment.nodes {
                func scans(_ seen: Recorder) -> [Scan] {
                    seen.messages.filter { $0.topic == topics.scan(node) }
                        .compactMap { try? Scan(payload: $0.payload.span) }
                }
                #expect(try await recorder.wait(30) { scans($0).last.map { $0.to.seconds >= now } ?? false })
                let numbers = scans(recorder).map(\.seq)
                #expect(numbers == numbers.indices.map { numbers[0] + UInt64($0) }, "seed \(seed), \(node)")
            }
            #expect(fuser.logged("messages refused") > 0, "\(fuser.errors)")
            // It still decides.
            let answered = recorder.messages.count
            let decides = try await recorder.wait(30) { seen in
                seen.messages[answered...].contains { $0.topic == topics.location("keys") }
            }
            #expect(decides, "seed \(seed): \(fuser.errors)")
        }

        /// A topic of each kind that agents and fuser read, with an honest program's payload.
        private func subjects(_ recorder: Recorder) -> [(topic: String, honest: [UInt8])] {
            func latest(_ topic: String, as other: String? = nil, _ honest: String? = nil) -> (String, [UInt8]) {
                (other ?? topic, honest.map { Array($0.utf8) } ?? recorder.latest[topic]?.payload ?? [])
            }
            let window = recorder.latest.keys.first { $0.hasPrefix("whereabouts/windows/") } ?? ""
            return [
                latest(topics.nodeStatus("attic"), "online"),
                latest(topics.nodeInfo("kitchen"), as: topics.nodeInfo("attic")),
                latest(topics.scan("kitchen"), as: topics.scan("attic")),
                latest(
                    topics.nodeEvents("attic"),
                    #"{"v":1,"node":"attic","epoch":"e","seq":1,"id":"x","at":9,"kind":"enter"}"#),
                latest(topics.commandResult("attic"), #"{"v":1,"id":"1","action":"replay","ok":true,"at":9}"#),
                latest(window),
                latest(topics.itemConfig("cup"), #"{"v":1,"name":"Cup","address":"aa:bb:cc:dd:ee:ff","updated_at":9}"#),
                latest(topics.location("keys"), as: topics.location("cup")),
                latest(
                    topics.itemEvents("cup"), #"{"v":1,"fuser":"b","epoch":"e","seq":1,"id":"y","at":9,"kind":"moved"}"#
                ),
                latest(topics.occupancy("kitchen"), as: topics.occupancy("attic")),
                latest(topics.lesson("cup-1"), #"{"v":1,"id":"1","item":"cup","room":"attic","taught_at":9}"#),
                latest(topics.itemAlert("cup"), #"{"v":1,"fuser":"b","alerts":[]}"#),
                latest(topics.nodeCommand("kitchen"), #"{"id":"1","action":"dance"}"#),
                latest(topics.fuserCommand("main"), #"{"id":"1","action":"why","item":"keys"}"#),
                latest(topics.proximity(beacon: "cup", node: "kitchen"), #"{"v":1,"proximity":"near","since":9}"#),
            ]
        }
    }
}

/// The delay of each `scan` of an honest node, beside the soonest.
private struct ScanDelays {
    let topics: Topics
    private(set) var all: [Double] = []
    private var seen = 0

    init(topics: Topics) { self.topics = topics }

    mutating func take(from recorder: Recorder) {
        recorder.poll()
        let now = Date().timeIntervalSince1970
        for message in recorder.messages[seen...] {
            guard case .scan(let node) = topics.kind(of: message.topic), Deployment.nodes.contains(node),
                let scan = try? Scan(payload: message.payload.span)
            else { continue }
            all.append(now - scan.to.seconds)
        }
        seen = recorder.messages.count
    }

    /// Median and 95th percentile in milliseconds over the soonest of all.
    func text(_ delays: [Double]) -> String {
        let sorted = delays.sorted()
        guard let soonest = all.min(), !sorted.isEmpty else { return "none" }
        let values = [sorted[sorted.count / 2], sorted[sorted.count * 95 / 100]].map { Int(($0 - soonest) * 1000) }
        return "\(values[0]), \(values[1]) ms"
    }
}
