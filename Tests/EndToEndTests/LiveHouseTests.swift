import Bytes
import Configuration
import WireProtocol
import Simulation
import Support
import System
import Testing

extension Live {
    /// Simulated flats in real time: three agents, mosquitto and a fuser, as an independent subscriber sees them,
    /// against the truth.
    @Suite struct LiveHouse {
        private static let fixtures = Repository.root + "/Tests/Fixtures"

        @Test("Answer right more often than not for half a minute")
        func short() async throws {
            // A few stays only: one slow answer is a tenth of them.
            let scores = try await run(["cat", "keys", "phone"], seconds: 25)
            expect(scores, rightAtLeast: 0.55, latencyAtMost: 6)
        }

        @Test(
            "Answer right and quickly for two minutes",
            .enabled(if: Live.isFull, "a long proof: WHEREABOUTS_FULL=1"))
        func long() async throws {
            let scores = try await run(["cat", "keys", "phone"], seconds: 120)
            expect(scores, rightAtLeast: 0.75, latencyAtMost: 3.5)
        }

        /// From the step over the threshold of a room with a node to the message at the subscriber.
        @Test("Publish a crossing within three seconds in the median, with a packet a second")
        func crossings() async throws {
            let scores = try await run(
                ["tag-anna", "tag-ben", "tag-carl", "tag-dora"], seconds: Live.isFull ? 600 : 40,
                scenario: Self.fixtures + "/full-flat.yaml", items: Self.fixtures + "/full-flat-items.yaml")
            let middle = try #require(Score.latency(0.5, of: scores))
            let late = try #require(Score.latency(0.95, of: scores))
            let count = scores.map(\.latencies.count).reduce(0, +)
            let missed = scores.map(\.missed).reduce(0, +)
            print("  crossing to message: p50 \(middle) s, p95 \(late) s of \(count), missed \(missed)")
            // A few crossings only, if the proof is short.
            #expect(middle <= (Live.isFull ? 3 : 6))
            #expect(missed <= max(Live.isFull ? 1 : 2, (count + missed) / 10))
        }

        /// Runs a flat for so many seconds after all items were first published, and scores the messages of a
        /// subscriber.
        private func run(
            _ items: [String], seconds: Double, scenario: String = Deployment.flat,
            items file: String = Repository.root + "/etc/examples/simulation/items.yaml"
        ) async throws -> [Score] {
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker, items: file)
            let topics = Topics()
            let recorder = try Recorder(broker, [topics.allItems("location"), topics.allNodes("scan")])
            let fuser = try deployment.startFuser()
            let agents = try deployment.startAgents(in: scenario)
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
                    answers[item, default: []].append((WallClock.now(), location.placeText))
                }
                counted = seen.messages.count
                return false
            }
            let end = WallClock.now()
            for program in agents + [fuser] { #expect(program.isRunning, "\(program.errors)") }
            let scans = recorder.messages.count { $0.topic.hasSuffix("/scan") }
            #expect(scans >= 3 * Int(seconds - 2))

            let house = try SimulatedHouse(ScenarioFile.read(scenario))
            let truth = house.truthChanges(from: start.advanced(bySeconds: -60), until: end)
            let rooms = Set(house.scenario.nodes.map(\.room))
            let scores = items.map { item in
                Score(
                    item: item, truth: truth.filter { $0.item == item }, answers: answers[item] ?? [],
                    from: start.advanced(bySeconds: 2), until: end, roomsWithNode: rooms)
            }
            print("through mosquitto, \(house.scenario.name), \(Int(seconds)) s:")
            for score in scores { print("  " + score.row) }
            return scores
        }

        private func expect(_ scores: [Score], rightAtLeast: Double, latencyAtMost: Double) {
            let right = scores.map(\.right).reduce(0, +)
            let all = scores.map(\.seconds).reduce(0, +)
            #expect(Double(right) >= rightAtLeast * Double(all), "\(right) of \(all) s")
            if let middle = Score.latency(0.5, of: scores) { #expect(middle <= latencyAtMost) }
        }
    }
}
