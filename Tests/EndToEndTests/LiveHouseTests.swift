import Bytes
import Daemon
import Sightings
import Simulation
import Support
import Testing

extension Live {
    /// The simulated flat at the wall's pace: three agents, mosquitto and a fuser, against the truth.
    @Suite struct LiveHouse {
        @Test("For half a minute the answers are right more often than not")
        func short() async throws {
            // A few stays only: one slow answer is a tenth of them.
            try await run(seconds: 25, rightAtLeast: 0.55, latencyAtMost: 6)
        }

        @Test(
            "For two minutes the answers are right and quick",
            .enabled(if: Live.isFull, "a long proof: WHEREABOUTS_FULL=1"))
        func long() async throws {
            try await run(seconds: 120, rightAtLeast: 0.75, latencyAtMost: 3.5)
        }

        private func run(seconds: Double, rightAtLeast: Double, latencyAtMost: Double) async throws {
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let topics = Topics()
            let recorder = try Recorder(broker, [topics.allItems("location"), topics.allNodes("scan")])
            let fuser = try deployment.startFuser()
            let agents = try deployment.startAgents()
            let items = ["cat", "keys", "phone"]
            let begun = try await recorder.wait(20) { seen in
                items.allSatisfy { seen.latest[topics.location($0)] != nil }
            }
            #expect(begun, "\(fuser.errors)")
            // The flat's clock is the wall's: its scenario names no origin.
            let start = WallClock.now()
            var answers: [String: [(at: Timestamp, word: String)]] = [:]
            var counted = 0
            _ = try await recorder.wait(seconds) { seen in
                for message in seen.messages[counted...] {
                    guard case .location(let item) = topics.kind(of: message.topic),
                        let location = try? Location(payload: message.payload.span)
                    else { continue }
                    answers[item, default: []].append((WallClock.now(), location.word))
                }
                counted = seen.messages.count
                return false
            }
            let end = WallClock.now()
            for program in agents + [fuser] { #expect(program.isRunning, "\(program.errors)") }
            let scans = recorder.messages.count { $0.topic.hasSuffix("/scan") }
            #expect(scans >= 3 * Int(seconds - 2))

            let house = try SimulatedHouse(ScenarioFile.read(Deployment.flat))
            let truth = house.truthChanges(from: start.advanced(bySeconds: -60), until: end)
            let rooms = Set(house.scenario.nodes.map(\.room))
            let scores = items.map { item in
                Score(
                    item: item, truth: truth.filter { $0.item == item }, answers: answers[item] ?? [],
                    from: start.advanced(bySeconds: 2), until: end, roomsWithNode: rooms)
            }
            print("through mosquitto, a small flat, \(Int(seconds)) s:")
            for score in scores { print("  " + score.row) }
            let right = scores.map(\.right).reduce(0, +)
            let all = scores.map(\.seconds).reduce(0, +)
            #expect(Double(right) >= rightAtLeast * Double(all), "\(right) of \(all) s")
            let latencies = scores.flatMap(\.latencies).sorted()
            if let middle = latencies.isEmpty ? nil : latencies[latencies.count / 2] {
                #expect(middle <= latencyAtMost, "\(latencies)")
            }
        }
    }
}
