import Bytes
import Foundation
import Glibc
import Integrations
import WireProtocol
import Support
import System
import Testing

extension Live {
    /// A person in a running fuser: comes home, leaves the keys on their hook and goes.
    @Suite struct PersonsLive {
        @Test("Publish, explain and store a person like an item, over a kill, too")
        func story() async throws {
            let topics = Topics()
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let file = try deployment.file(
                "fuser.yaml",
                [
                    "name: main", "state: fuser.sqlite", "persons:",
                    "  - {id: anna, name: Anna, items: [phone, keys]}", "alerts:",
                    "  - left_home: {item: anna}", "    grace: 1s",
                ])
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            var house = PersonWalk(origin: WallClock.now(), speed: 8)
            for message in house.introductions() { recorder.publish(message) }
            func live(_ seconds: Double, until condition: () throws -> Bool = { false }) async throws -> Bool {
                try await until(seconds) {
                    while house.due <= WallClock.now() { for message in house.tell() { recorder.publish(message) } }
                    recorder.poll()
                    return try condition()
                }
            }
            func told() -> [String] {
                recorder.messages.filter { $0.topic == topics.itemEvents("anna") }
                    .compactMap { try? ItemEvent(payload: $0.payload.span) }
                    .map { "\($0.kind) \($0.alert ?? "\($0.previous ?? "-")→\($0.room ?? "-")")" }
            }
            func ask(_ words: [String]) async throws -> String {
                let program = try RunningProgram("whereabouts", words + ["--config", file])
                _ = try await live(20) { !program.isRunning }
                let status = try await program.status(within: 1)
                #expect(status == 0, "\(program.errors)")
                return program.output
            }
            let first = try RunningProgram("whereabouts-fuser", ["--config", file])
            let room = topics.room("anna")
            #expect(try await live(30) { recorder.text(room) == "hall" }, "\(first.errors)")
            house.rooms["phone"] = "kitchen"
            #expect(try await live(30) { recorder.text(room) == "kitchen" }, "\(first.errors)")
            // For so long the keys are checked for coming along; and all is stored once a second.
            _ = try await live(10)
            first.process.send(SIGKILL)
            _ = first.process.wait()
            #expect(try await live(10) { recorder.text(topics.fuserStatus("main")) == "offline" })
            let again = try RunningProgram("whereabouts-fuser", ["--config", file])
            #expect(try await live(20) { recorder.text(topics.fuserStatus("main")) == "online" }, "\(again.errors)")
            _ = try await live(2)
            let isOccupied = try await live(20) {
                let occupancy = recorder.latest[topics.occupancy("kitchen")].flatMap {
                    try? Occupancy(payload: $0.payload.span)
                }
                return occupancy?.items == ["anna", "phone"] && occupancy?.count == 1
            }
            #expect(isOccupied, "\(recorder.text(topics.occupancy("kitchen")) ?? "")")
            #expect(told() == ["moved hall→kitchen"] && recorder.text(room) == "kitchen")

            house.rooms["phone"] = nil
            #expect(try await live(40) { recorder.text(room) == "away" }, "\(again.errors)")
            #expect(recorder.text(topics.room("keys")) == "hall")
            #expect(try await live(20) { told().last == "alert left_home-anna" }, "\(told())")
            #expect(try await ask(["why", "anna"]).contains("it was left behind"))
            #expect(try await ask(["history", "anna"]).contains("kitchen"))
            #expect(try await ask(["items", "list"]).contains("person of phone, keys"))
            #expect(try await ask(["watch", "--for", "1s"]).contains("Anna"))

            house.rooms["phone"] = "hall"
            #expect(try await live(30) { told().contains("arrived -→hall") }, "\(told())")
            #expect(try await live(20) { told().last == "cleared left_home-anna" }, "\(told())")
            #expect(
                told() == [
                    "moved hall→kitchen", "left kitchen→-", "alert left_home-anna", "arrived -→hall",
                    "cleared left_home-anna",
                ])
            recorder.publish(
                Message(topic: topics.nodeStatus("kitchen"), text: "offline", qos: .atLeastOnce, retained: true))
            #expect(try await live(10) { recorder.text(topics.nodeStatus("kitchen")) == "offline" })
            let why = try await ask(["why", "anna"])
            #expect(why.contains("Not listening to phone: kitchen (offline)"), "\(why)")
            again.process.terminate()
            #expect(try await again.status(within: 10) == 0)
        }

        @Test(
            "Retain a person of the other fuser over a takeover, in Home Assistant too, and none that was removed"
        )
        func namedByOne() async throws {
            let topics = Topics()
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            func configuration(_ name: String, _ more: [String] = []) throws -> String {
                try deployment.file(
                    "\(name).yaml",
                    ["name: \(name)", "state: \(name).sqlite", "outputs: {home_assistant: true}"] + more)
            }
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            var house = PersonWalk(origin: WallClock.now(), speed: 8)
            for message in house.introductions() { recorder.publish(message) }
            func live(_ seconds: Double, until condition: () throws -> Bool = { false }) async throws -> Bool {
                try await until(seconds) {
                    while house.due <= WallClock.now() { for message in house.tell() { recorder.publish(message) } }
                    recorder.poll()
                    return try condition()
                }
            }
            let device = DiscoveryPlace(prefix: "homeassistant", topicPrefix: "whereabouts").device("item_anna")
            let standing = [topics.location("anna"), topics.room("anna"), device]
            func stands() -> Bool { standing.allSatisfy { recorder.latest[$0]?.payload.isEmpty == false } }
            func isCleared() -> Bool { standing.allSatisfy { recorder.latest[$0]?.payload.isEmpty == true } }
            func teller() -> String? {
                recorder.latest[topics.location("anna")].flatMap { try? Location(payload: $0.payload.span) }?.fuser
            }
            func isServing(_ name: String) -> Bool {
                recorder.latest[topics.fuserClaim(name)].flatMap { try? Claim(payload: $0.payload.span) }?.state
                    == .serving
            }
            let persons = ["persons: [{id: anna, name: Anna, items: [phone, keys]}]"]
            let named = try configuration("b", persons)
            let b = try RunningProgram("whereabouts-fuser", ["--config", named])
            #expect(try await live(40) { stands() && recorder.text(topics.room("anna")) == "hall" }, "\(b.errors)")
            b.process.send(SIGKILL)
            _ = b.process.wait()

            // Only the fuser that is gone names her.
            let a = try RunningProgram("whereabouts-fuser", ["--config", configuration("a")])
            #expect(
                try await live(40) { isServing("a") && a.errors.contains("fuser 'b' told of persons") }, "\(a.errors)")
            house.rooms = ["phone": "kitchen", "keys": "kitchen"]
            #expect(try await live(20) { recorder.text(topics.room("phone")) == "kitchen" }, "\(a.errors)")
            // Retained discovery messages are checked four to seven seconds after the connection.
            _ = try await live(3)
            #expect(stands() && teller() == "b" && recorder.text(topics.room("anna")) == "hall")

            let back = try RunningProgram("whereabouts-fuser", ["--config", named])
            #expect(try await live(20) { recorder.text(topics.fuserStatus("b")) == "online" }, "\(back.errors)")
            _ = try await live(6)
            a.process.terminate()
            #expect(try await a.status(within: 10) == 0)
            #expect(
                try await live(30) { isServing("b") && recorder.text(topics.room("anna")) == "kitchen" },
                "\(back.errors)")
            #expect(stands() && teller() == "b")
            #expect(!recorder.messages.contains { standing.contains($0.topic) && $0.payload.isEmpty })
            back.process.terminate()
            #expect(try await back.status(within: 10) == 0)

            let without = try RunningProgram("whereabouts-fuser", ["--config", configuration("b")])
            #expect(try await live(40) { isCleared() }, "\(without.errors)")
            without.process.terminate()
            #expect(try await without.status(within: 10) == 0)
        }
    }
}

/// A hall and a kitchen as their nodes publish them, with things in given places, on a clock that runs faster than real
/// time.
private struct PersonWalk {
    static let nodes = ["hall", "kitchen"]

    /// The places of things; one that is not named is out.
    var rooms = ["phone": "hall", "keys": "hall"]
    let clock: NodeClock
    private let topics = Topics()
    private var random = SeededGenerator(seed: 19)
    private var count = 0

    init(origin: Timestamp, speed: Double) {
        clock = NodeClock(start: origin.floor(toMultipleOf: 1_000_000), origin: origin, speed: speed)
    }

    private var end: Timestamp { clock.start.advanced(bySeconds: Double(count + 1)) }

    /// The real time at which the next interval is published: before its end, since with faster time a third of a
    /// second is nothing on a busy machine.
    var due: Timestamp { clock.wallTime(at: end.advanced(bySeconds: -1.9)) ?? end }

    func introductions() -> [Message] {
        topics.introductions(of: Self.nodes, started: clock.start, on: clock)
    }

    mutating func tell() -> [Message] {
        let end = end
        count += 1
        var messages: [Message] = []
        for node in Self.nodes {
            for (item, room) in rooms.sorted(by: { $0.key < $1.key }) {
                let level = ((room == node ? -56 : -80) + Double.random(in: -3...3, using: &random)).rounded()
                var window = Window(
                    seq: UInt64(count), from: end.advanced(bySeconds: -1), to: end, node: node, epoch: "0000000a",
                    id: "00000000000a", item: item, count: 1)
                window.expected = 1
                window.rssi = Window.Levels(
                    mean: level, median: level, minimum: Int(level), maximum: Int(level), deviation: nil)
                messages.append(
                    Message(topic: topics.window(beacon: item, node: node), payload: payload(window.write)))
            }
            var scan = Scan(
                from: end.advanced(bySeconds: -1), to: end, seq: UInt64(count), registry: "", epoch: "0000000a")
            (scan.windows, scan.clock) = (rooms.count, clock)
            messages.append(Message(topic: topics.scan(node), payload: payload(scan.write)))
        }
        return messages
    }

    private func payload(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        write(&json)
        return json.bytes
    }
}
