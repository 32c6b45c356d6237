import Bytes
import Foundation
import Glibc
import Identity
import Presence
import WireProtocol
import Store
import Support
import Testing

extension Live {
    /// A node that is killed again and again in the midst of a busy hall.
    @Suite struct Kills {
        /// The end of reception in the stored state of a dead node; nil if the state has none.
        private func heardUntil(_ deployment: Deployment) throws -> Timestamp? {
            let copy = try TemporaryFolder()
            for ending in ["", "-wal"] {
                let file = deployment.folder.file("kitchen.sqlite" + ending)
                guard let bytes = try? Data(contentsOf: URL(filePath: file)) else { continue }
                try bytes.write(to: URL(filePath: copy.file("kitchen.sqlite" + ending)))
            }
            let store = try StateStore(path: copy.file("kitchen.sqlite"), at: Timestamp(microseconds: 0))
            let clock = try store.cadences().first { $0.beacon.isEmpty }
            return clock?.bytes.span.bigEndian(UInt64.self, at: 0).map { Timestamp(microseconds: Int64($0)) }
        }

        @Test("Publish no false crossing, and none twice or never, over kills of a node at any moment")
        func killed() async throws {
            let seed: UInt64 = 20_261_121
            let kills = Live.isFull ? 200 : 20
            var random = SeededGenerator(seed: seed)
            var hall = BusyHall(seed: seed)
            var encoder = HallEncoder()
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let pipe = try PacketPipe(deployment.folder.file("hci"))
            let configuration = try HallNode.configure(deployment, pipe)
            let books = try Bookkeeper(broker, node: "kitchen")
            #expect(try await books.recorder.ready())
            let registry = HallNode.registry
            var pure: PureNode?
            var heard = 0
            for kill in 1...kills {
                // Now and then in the first second of its life, else in the midst of its work.
                let isEarly = Int.random(in: 0..<5, using: &random) == 0
                let seconds = kill == 1 ? 45 : isEarly ? 1 : Int64.random(in: 5...50, using: &random)
                let packets = hall.hear(microseconds: seconds * 1_000_000)
                let agent = try RunningProgram("whereabouts-agent", ["--config", configuration])
                let bytes = encoder.bytes(packets, hall.transmitters)
                let isWritten = try pipe.write(bytes) {
                    _ = try books.step()
                    return agent.isRunning
                }
                try #require(isWritten, "\(agent.errors)")
                if kill == 1 {
                    // An unknown state would be awaited anew: the first one lives until each region is determined.
                    let isDetermined = try await until(30) {
                        _ = try books.step()
                        let events = books.events.values.flatMap(\.values)
                        return events.count { $0.kind == .determined } == registry.regions.count
                    }
                    try #require(isDetermined, "\(agent.errors)")
                }
                usleep(.random(in: 0...30_000, using: &random))
                agent.process.send(SIGKILL)
                _ = agent.process.wait()
                // The next one finds the rest of this one's input, and must skip it.
                let rest = pipe.drainBehindHeader().dropFirst(.random(in: 1...4000, using: &random))
                _ = pipe.write(Array(rest), while: { false })
                if let until = try heardUntil(deployment), let first = packets.first, until >= first.time {
                    let consumed = packets.prefix { $0.time <= until }
                    var node = pure ?? PureNode(registry, at: first.time)
                    node.hear(consumed, hall.transmitters)
                    pure = node
                    heard += consumed.count
                }
                #expect(books.faults == [], "seed \(seed), kill \(kill)")
                hall.pass(microseconds: .random(in: 500_000...120_000_000, using: &random))
            }

            // The last life ends well.
            let packets = hall.hear(microseconds: 60_000_000)
            let agent = try RunningProgram("whereabouts-agent", ["--config", configuration])
            #expect(pipe.write(encoder.bytes(packets, hall.transmitters), while: { agent.isRunning }))
            var node = try #require(pure)
            node.hear(packets, hall.transmitters)
            let last = try #require(packets.last).time
            let isThrough = try await books.recorder.wait(60) {
                $0.latest[Topics().scan("kitchen")].flatMap { try? Scan(payload: $0.payload.span) }
                    .map { last.seconds(since: $0.to) < 2 } ?? false
            }
            #expect(isThrough)
            #expect(try await until(30) { try books.step() })
            pipe.end()
            #expect(try await agent.status(within: 20) == 0)
            #expect(try await books.recorder.wait(20) { $0.text(Topics().nodeStatus("kitchen")) == "offline" })
            #expect(try books.step())
            #expect(books.faults == [])
            #expect(books.events.count == 1, "one epoch")
            let told = try #require(books.events.first).value
            #expect(told.keys.max() == UInt64(told.count), "numbered from 1 without gaps")
            let events = told.sorted { $0.key < $1.key }.map(\.value)
            let crossings = events.filter { $0.kind != .determined }.map(\.line)
            let expected = node.events.filter { $0.kind != .determined }.map(\.line)
            #expect(crossings.count > kills * 10)
            let difference = zip(crossings, expected).first { $0 != $1 }
            #expect(difference == nil, "seed \(seed): told, and expected")
            #expect(crossings.count == expected.count, "seed \(seed)")
            #expect(Self.contradictions(events) == [])
            for (place, region) in registry.regions.enumerated() {
                let message = try #require(books.recorder.latest[Topics().region(region.id, node: "kitchen")])
                var told = try RegionReport(payload: message.payload.span)
                var report = try Self.onTheWire(node.monitor.report(of: Int32(place)))
                // The time of determination is the process's own; an exit time learned between two changes of a region
                // is published with the next.
                (told.determinedAt, report.determinedAt) = (nil, nil)
                told.exitAfter = report.exitAfter
                #expect(told == report, "\(region.id)")
            }
            print(
                "\(kills) kills: \(heard + packets.count) reports heard, \(events.count) events, \(crossings.count)",
                "crossings, \(books.repairs) repairs")
        }

        /// Events that do not follow from the ones before: a determination that is a crossing, a crossing that is none.
        private static func contradictions(_ events: [NodeEvent]) -> [String] {
            var states: [String: RegionReport.State] = [:]
            return events.compactMap { event in
                let before = states.updateValue(event.state ?? .unknown, forKey: event.region ?? "")
                let isRight =
                    switch event.kind {
                    case .determined: before == nil || before == event.state
                    case .enter: before == .outside && event.state == .inside
                    case .exit: before == .inside && event.state == .outside
                    default: false
                    }
                return isRight ? nil : "\(event.line) after \(before.map(\.rawValue) ?? "nothing")"
            }
        }

        /// A report as a reader receives it, with its times in milliseconds.
        private static func onTheWire(_ report: RegionReport) throws -> RegionReport {
            var json = JSONWriter()
            report.write(to: &json)
            return try RegionReport(payload: json.bytes.span)
        }
    }
}
