import Foundation
import WireProtocol
import Support
import Testing

extension Live {
    /// Two fusers in one house, of which one serves, and its faults.
    @Suite struct Standby {
        static let topics = Topics()
        /// Number of faults. Each of the three kinds in turn.
        static let faults = Live.isFull ? 50 : 3
        /// Seconds within which the other must serve: dead after ten, and a turn of its loop.
        static let patience = Live.promised(12)

        enum Fault: CaseIterable {
            case killed, hung, cutOff
        }

        @Test("Take over by the other fuser without a duplicate or a loss, and serve by one of two alive")
        func handsOver() async throws {
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let pair = try FuserPair(broker, deployment)
            let topics = Self.topics
            let recorder = try Recorder(
                broker, [topics.allItems("location"), topics.allItems("events"), topics.allFusers("claim")])
            let agents = try deployment.startAgents()
            #expect(
                try await recorder.wait(30) { seen in pair.serving(seen) == ["a"] && seen.count("whereabouts/items") > 3
                })
            var generator = SeededGenerator(seed: 11)
            var times: [Fault: [Double]] = [:]
            for index in 0..<Self.faults {
                // At any moment of what goes on.
                _ = try await recorder.wait(.random(in: 0...4, using: &generator))
                let fault = Fault.allCases[index % 3]
                let began = ContinuousClock.now
                pair.break(fault)
                #expect(try await recorder.wait(Self.patience + 5) { pair.serving($0) == ["b"] }, "\(fault)")
                times[fault, default: []].append((ContinuousClock.now - began) / .seconds(1))
                // Long enough for a will of the broker's to have arrived, or not.
                _ = try await recorder.wait(.random(in: 0...8, using: &generator))
                try pair.mend(fault)
                #expect(try await recorder.wait(60) { pair.serving($0) == ["a"] }, "\(fault): \(pair.errors)")
            }
            for (fault, times) in times.sorted(by: { "\($0.key)" < "\($1.key)" }) {
                let sorted = times.sorted()
                print(
                    "\(fault): handed over after \(sorted[sorted.count / 2]) s (median), \(sorted.last ?? 0) s (longest)"
                )
                #expect(sorted.allSatisfy { $0 <= Self.patience })
            }
            // A move may be in publication, of which an answer is one part and an event the other.
            let isTold = try await recorder.wait(20) { seen in
                stories(seen).allSatisfy { $1.last?.room == location(seen, $0)?.room }
            }
            #expect(isTold, "\(pair.errors)")
            #expect(agents.allSatisfy(\.isRunning) && !recorder.hasLost)
            expectOneStory(recorder, pair.errors)
        }

        @Test("Request what the other published while a fuser was cut off")
        func catchesUp() async throws {
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let pair = try FuserPair(broker, deployment)
            let topics = Self.topics
            let request = topics.fuserCommand("b", byPeer: "a")
            let recorder = try Recorder(
                broker, [topics.allItems("events"), topics.allFusers("claim"), topics.allFusers("operate/+")])
            let agents = try deployment.startAgents()
            #expect(try await recorder.wait(30) { pair.serving($0) == ["a"] })
            pair.break(.cutOff)
            // A connection that is only cut would bring them later.
            pair.relay.breakAll()
            #expect(try await recorder.wait(90) { events($0, of: "b").count >= 2 }, "\(pair.errors)")
            let missed = Set(events(recorder, of: "b").map(\.id))
            try pair.mend(.cutOff)
            let isRepeated = try await recorder.wait(60) { seen in
                missed.isSubset(of: events(seen, of: "b").filter(\.isReplayed).map(\.id))
            }
            #expect(isRepeated && agents.allSatisfy(\.isRunning), "\(pair.errors)")
            let message = try #require(recorder.latest[request])
            let command = try FuserCommand(payload: message.payload.span)
            let epoch = events(recorder, of: "b").first?.epoch
            #expect(command.action == .replay(epoch: epoch, fromSeq: 1))
        }

        private func events(_ recorder: Recorder, of fuser: String) -> [ItemEvent] {
            recorder.messages.filter { $0.topic.hasSuffix("/events") }
                .compactMap { try? ItemEvent(payload: $0.payload.span) }.filter { $0.fuser == fuser }
        }

        private func location(_ recorder: Recorder, _ item: String) -> Location? {
            recorder.latest[Self.topics.location(item)].flatMap { try? Location(payload: $0.payload.span) }
        }

        /// The moves of each item, by any publisher.
        private func stories(_ recorder: Recorder) -> [String: [ItemEvent]] {
            var stories: [String: [ItemEvent]] = [:]
            for message in recorder.messages {
                guard case .itemEvents(let item) = Self.topics.kind(of: message.topic),
                    let event = try? ItemEvent(payload: message.payload.span)
                else { continue }
                if stories[item]?.contains(where: { $0.id == event.id }) == true { continue }
                stories[item, default: []].append(event)
            }
            return stories
        }

        /// One after another, none twice and none missing.
        private func expectOneStory(_ recorder: Recorder, _ logs: String) {
            var count = 0
            for (item, story) in stories(recorder) {
                count += story.count
                for (one, next) in zip(story, story.dropFirst()) {
                    #expect(next.previous == one.room, "\(item): \(one) \(next)\n\(logs)")
                    #expect(next.itemSeq == one.itemSeq + 1, "\(item): \(one) \(next)")
                }
            }
            print("\(count) moves told over \(Self.faults) faults")
            #expect(count > Self.faults)
        }
    }
}

/// Two fusers, `a` behind a line that can be cut.
private final class FuserPair {
    let relay: Relay
    private let first: String
    private var a: RunningProgram
    private let b: RunningProgram

    init(_ broker: Broker, _ deployment: Deployment) throws {
        relay = try Relay(to: broker.port)
        first = try deployment.fuser("a", url: "mqtt://127.0.0.1:\(relay.port)")
        a = try RunningProgram("whereabouts-fuser", ["--config", first])
        b = try RunningProgram("whereabouts-fuser", ["--config", deployment.fuser("b", url: broker.url)])
    }

    var errors: String { "a: \(a.errors)\nb: \(b.errors)" }

    /// The serving fusers, by their last claims.
    func serving(_ recorder: Recorder) -> [String] {
        ["a", "b"].filter { fuser in
            let claim = recorder.latest[Live.Standby.topics.fuserClaim(fuser)]
                .flatMap { try? Claim(payload: $0.payload.span) }
            // A silent one does not serve, for any last claim.
            return claim?.state == .serving && !(fuser == "a" && isBroken)
        }
    }

    private var isBroken = false

    func `break`(_ fault: Live.Standby.Fault) {
        isBroken = true
        switch fault {
        case .killed: a.process.send(SIGKILL)
        case .hung: a.process.send(SIGSTOP)
        case .cutOff: relay.cut = true
        }
    }

    func mend(_ fault: Live.Standby.Fault) throws {
        isBroken = false
        switch fault {
        case .killed: a = try RunningProgram("whereabouts-fuser", ["--config", first])
        case .hung: a.process.send(SIGCONT)
        case .cutOff: relay.cut = false
        }
    }
}
