import Foundation
import Support
import Testing
import WireProtocol

extension Live {
    /// Three fusers that share all shards, of which one is killed and comes back.
    @Suite struct Pool {
        static let topics = Topics()
        static let names = ["a", "b", "c"]

        @Test("Go on answering where a fuser of a pool is killed and comes back, without a false, lost or doubled move")
        func rebalances() async throws {
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let topics = Self.topics
            let recorder = try Recorder(
                broker,
                [topics.allItems("location"), topics.allItems("events"), topics.allFusers("claim")])
            var configurations: [String: String] = [:]
            var fusers: [String: RunningProgram] = [:]
            for name in Self.names {
                let path = try deployment.file(
                    "\(name).yaml", ["name: \(name)", "items: items.yaml", "shards: shared"])
                configurations[name] = path
                fusers[name] = try RunningProgram("whereabouts-fuser", ["--config", path])
            }
            let agents = try deployment.startAgents()
            func errors() -> String { fusers.sorted { $0.key < $1.key }.map { "\($0): \($1.errors)" }.joined() }
            let isDivided = try await recorder.wait(40) { seen in
                isWhole(seen, among: Self.names) && items.allSatisfy { isAnswered(seen, $0) }
            }
            #expect(isDivided, "\(errors())")
            let all = owners(recorder, among: Self.names)
            for name in Self.names { #expect(all.values.count { $0 == name } > 40, "each has its part: \(name)") }

            // The tool asks the one that serves the item.
            for words in [["why", "keys"], ["history", "keys"]] {
                let answer = try CommandLineTests.run("whereabouts", words + ["--broker", broker.url])
                #expect(answer.status == 0, "\(words): \(answer.error)")
            }

            let shard = Topics.shardNumber(of: "keys")
            let killed = try #require(all[shard])
            let others = Self.names.filter { $0 != killed }
            let began = ContinuousClock.now
            fusers[killed]?.process.send(SIGKILL)
            #expect(try await recorder.wait(Live.promised(5)) { isWhole($0, among: others) }, "\(errors())")
            print("a killed fuser's shards are served after \((ContinuousClock.now - began) / .milliseconds(1)) ms")
            // A shard that moved has moved from the one that was killed.
            let moved = owners(recorder, among: others).filter { all[$0.key] != $0.value }
            #expect(moved.keys.allSatisfy { all[$0] == killed })

            _ = try await recorder.wait(8)
            fusers[killed] = try RunningProgram(
                "whereabouts-fuser", ["--config", #require(configurations[killed])])
            #expect(try await recorder.wait(40) { owners($0, among: Self.names) == all }, "\(errors())")
            try await takeForGone(others[0], recorder)
            #expect(try await recorder.wait(40) { owners($0, among: Self.names) == all }, "\(errors())")
            // People go on walking, and the story with them.
            let hasMoves = try await recorder.wait(40) { seen in stories(seen).values.map(\.count).reduce(0, +) > 3 }
            #expect(hasMoves, "\(errors())")
            let isTold = try await recorder.wait(20) { seen in
                stories(seen).allSatisfy { item, story in story.last?.room == location(seen, item)?.room }
            }
            #expect(isTold, "\(errors())")
            #expect(agents.allSatisfy(\.isRunning) && !recorder.hasLost)
            for item in items { #expect(isAnswered(recorder, item)) }
            for (item, story) in stories(recorder) {
                for (one, next) in zip(story, story.dropFirst()) {
                    #expect(next.previous == one.room, "\(item): \(one) \(next)\n\(errors())")
                    #expect(next.itemSeq == one.itemSeq + 1, "\(item): \(one) \(next)")
                }
            }
        }

        /// Publishes the last will of a connection that a fuser had before: it leaves its shards to the others.
        private func takeForGone(_ fuser: String, _ recorder: Recorder) async throws {
            let before = recorder.messages.count
            recorder.publish(
                Message(topic: Self.topics.fuserStatus(fuser), text: "offline", qos: .atLeastOnce, retained: true))
            let leaves = try await recorder.wait(10) { seen in
                seen.messages[before...].contains { message in
                    message.topic == Self.topics.fuserClaim(fuser)
                        && (try? Claim(payload: message.payload.span))?.serves?.isEmpty == true
                }
            }
            #expect(leaves, "\(fuser) goes on serving")
        }

        private let items = ["keys", "phone", "cat"]

        private func claim(_ recorder: Recorder, of fuser: String) -> Claim? {
            recorder.latest[Self.topics.fuserClaim(fuser)].flatMap { try? Claim(payload: $0.payload.span) }
        }

        /// The fuser of each shard that one of these serves, by their last claims.
        private func owners(_ recorder: Recorder, among fusers: [String]) -> [UInt8: String] {
            var owners: [UInt8: String] = [:]
            for fuser in fusers {
                for shard in claim(recorder, of: fuser)?.serves?.shards ?? [] { owners[shard] = fuser }
            }
            return owners
        }

        /// True if these serve each shard once, and each of them has followed its shards for long enough.
        private func isWhole(_ recorder: Recorder, among fusers: [String]) -> Bool {
            let claims = fusers.compactMap { claim(recorder, of: $0) }
            let counts = claims.map { $0.serves?.count ?? 0 }
            return owners(recorder, among: fusers).count == 256 && counts.reduce(0, +) == 256
                && counts.allSatisfy { $0 > 0 }
        }

        private func location(_ recorder: Recorder, _ item: String) -> Location? {
            recorder.latest[Self.topics.location(item)].flatMap { try? Location(payload: $0.payload.span) }
        }

        private func isAnswered(_ recorder: Recorder, _ item: String) -> Bool {
            location(recorder, item).map { $0.state != .unknown } ?? false
        }

        /// The moves of each item, by any fuser; one of an id that came before is the same move.
        private func stories(_ recorder: Recorder) -> [String: [ItemEvent]] {
            var stories: [String: [ItemEvent]] = [:]
            for message in recorder.messages {
                guard case .itemEvents(let item) = Self.topics.kind(of: message.topic),
                    let event = try? ItemEvent(payload: message.payload.span),
                    stories[item]?.contains(where: { $0.id == event.id }) != true
                else { continue }
                stories[item, default: []].append(event)
            }
            return stories
        }
    }
}
