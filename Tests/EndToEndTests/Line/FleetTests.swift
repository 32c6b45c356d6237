import WireProtocol
import Support
import Testing

extension Live {
    /// Many gateways whose broker restarts.
    @Suite(.enabled(if: Live.isFull, "a long proof: WHEREABOUTS_FULL=1")) struct Fleet {
        private static let size = 200
        private static let topics = Topics()

        /// A hall full of gateways, and a person who walks in and out.
        private static func scenario(_ deployment: Deployment) throws -> String {
            var text = """
                name: A fleet
                seed: 7
                rooms:
                  - {id: hall, from: [0, 0], to: [20, 20]}
                doors:
                  - {from: hall, to: away, x: 20, y: 10}
                nodes:

                """
            for number in 0..<size {
                text += "  - {id: n\(number), room: hall, x: \(1 + number % 18), y: \(1 + number / 18), z: 1}\n"
            }
            text += """
                walkers:
                  - id: anna
                    itinerary:
                      - {room: hall, stay: [3s, 6s]}
                      - {room: away, stay: [6s, 9s]}
                beacons:
                  - id: keys
                    ibeacon: {uuid: 48534442-4C45-4144-80C0-1800FFFFFFF0, major: 100, minor: 1}
                    interval: 300ms
                    carried_by: anna
                    worn: pocket

                """
            return try deployment.folder.write(Array(text.utf8), to: "fleet-house.yaml")
        }

        @Test("Bring 200 agents online soon after a restart of their broker, without losing an event")
        func reconnects() async throws {
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let scenario = try Self.scenario(deployment)
            var agents: [RunningProgram] = []
            for number in 0..<Self.size {
                let file = try deployment.file(
                    "n\(number).yaml",
                    [
                        "node: n\(number)", "room: hall", "source: \"simulate:\(scenario)\"", "items: items.yaml",
                        "state: n\(number).sqlite", "window: 5s", "regions:",
                        "  - {id: near, ibeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0, major: 100}, exit_after: 2s}",
                    ])
                agents.append(try RunningProgram("whereabouts-agent", ["--config", file]))
            }
            let nodes = (0..<Self.size).map { "n\($0)" }
            let recorder = try Recorder(broker, ["whereabouts/nodes/#", "test/#"])
            #expect(try await recorder.ready())
            let isUp = try await recorder.wait(120) { recorder in
                nodes.allSatisfy { node in
                    recorder.text(Self.topics.nodeStatus(node)) == "online"
                        && recorder.latest[Self.topics.region("near", node: node)] != nil
                }
            }
            #expect(isUp)

            broker.stop()
            // Long enough for the pauses between attempts to have grown.
            _ = try await recorder.wait(10)
            try broker.start()
            let clock = ContinuousClock()
            let began = clock.now
            let counter = try Recorder(broker, id: "counter", ["whereabouts/#"])
            var arrivals: [Double] = []
            var online: Set<String> = []
            var onlineAfter = 0.0
            var toldAfter = 0.0
            let seconds = { (clock.now - began) / .seconds(1) }
            var seen = 0
            _ = try await until(120) {
                counter.poll()
                for message in counter.messages[seen...] {
                    arrivals.append(seconds())
                    if case .nodeStatus(let node) = Self.topics.kind(of: message.topic),
                        message.payload == Array("online".utf8)
                    {
                        online.insert(node)
                    }
                }
                seen = counter.messages.count
                if online.count == Self.size, onlineAfter == 0 { onlineAfter = seconds() }
                let isTold = nodes.allSatisfy {
                    counter.latest[Self.topics.nodeInfo($0)] != nil
                        && counter.latest[Self.topics.region("near", node: $0)] != nil
                }
                if isTold, online.count == Self.size, toldAfter == 0 { toldAfter = seconds() }
                return toldAfter > 0 && seconds() > toldAfter + 6
            }
            #expect(online.count == Self.size && toldAfter > 0)
            let burst =
                arrivals.indices.map { first in
                    arrivals[first...].prefix { $0 < arrivals[first] + 1 }.count
                }.max() ?? 0
            print(
                "\(Self.size) agents: all online after \(onlineAfter) s, all states told after \(toldAfter) s, "
                    + "largest burst \(burst) messages in a second, \(arrivals.count) in all")
            #expect(toldAfter < 75)
            #expect(burst < Self.size * 4, "not all of them at once")

            // Events that were lost while the broker was away arrive on request.
            _ = try await recorder.wait(1)
            #expect(try await recorder.ready())
            for node in nodes {
                guard
                    let epoch = counter.latest[Self.topics.nodeInfo(node)]
                        .flatMap({ try? NodeInfo(payload: $0.payload.span) })?.epoch
                else { continue }
                recorder.publish(
                    Message(
                        topic: Self.topics.nodeCommand(node),
                        text: "{\"id\":\"r\",\"action\":\"replay\",\"epoch\":\"\(epoch)\",\"from_seq\":1}",
                        qos: .atLeastOnce))
            }
            let isWhole = try await recorder.wait(60) { recorder in
                let gaps = Self.gaps(recorder)
                return gaps.told == Self.size && gaps.missing == 0
            }
            let gaps = Self.gaps(recorder)
            #expect(gaps.events > 3 * Self.size, "somebody came and went all the time")
            #expect(isWhole, "\(gaps)")
            print("events: \(gaps.events) of \(gaps.told) nodes, \(gaps.missing) missing")
            for agent in agents { agent.process.terminate() }
            for agent in agents { #expect(try await agent.status(within: 30) == 0) }
        }

        /// Nodes that published their number of events, the events received, and the missing ones.
        private static func gaps(_ recorder: Recorder) -> (told: Int, events: Int, missing: Int) {
            var last: [String: UInt64] = [:]
            var came: [String: Set<UInt64>] = [:]
            for message in recorder.messages {
                switch topics.kind(of: message.topic) {
                case .scan(let node):
                    if let scan = try? Scan(payload: message.payload.span) { last[node] = scan.lastEvent }
                case .nodeEvents(let node):
                    if let event = try? NodeEvent(payload: message.payload.span) {
                        came[node, default: []].insert(event.seq)
                    }
                default: break
                }
            }
            let missing = last.reduce(0) { sum, node in
                sum + (node.value == 0 ? 0 : (1...node.value).count { !(came[node.key]?.contains($0) ?? false) })
            }
            return (last.count, came.values.reduce(0) { $0 + $1.count }, missing)
        }
    }
}
