import Foundation
import WireProtocol
import Support
import System
import Testing

extension Live {
    /// The history of a running fuser, as a person requests it.
    @Suite struct Histories {
        private struct Visit: Decodable {
            var room: String
            var from_unix: Double
            var to_unix: Double?
        }

        private struct History: Decodable {
            var item: String
            var visits: [Visit]
        }

        private func run(_ words: [String], _ broker: Broker) throws -> Execution.Outcome {
            try Execution.run(Execution.path(of: "whereabouts"), words + ["--broker", broker.url])
        }

        @Test("Show a history over a restart, purge it, and publish it no more")
        func history() async throws {
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let file = try deployment.file("fuser.yaml", ["name: main", "state: fuser.sqlite", "history: 7d"])
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            var house = BusyHouse(seed: 5, origin: WallClock.now(), speed: 12)
            for message in house.introductions() { recorder.publish(message) }
            var book = EventBook()
            func live(_ seconds: Double, until condition: () throws -> Bool = { false }) async throws -> Bool {
                try await until(seconds) {
                    while house.due <= WallClock.now() { for message in house.tell() { recorder.publish(message) } }
                    recorder.poll()
                    try book.take(recorder)
                    return try condition()
                }
            }
            // During a request the house goes on.
            func ask(_ words: [String]) async throws -> (status: Int32?, output: String, errors: String) {
                let program = try RunningProgram("whereabouts", words + ["--broker", broker.url])
                _ = try await live(20) { !program.isRunning }
                return (try await program.status(within: 1), program.output, program.errors)
            }
            func moves(_ item: String) -> Int {
                book.events.values.reduce(0) { $0 + $1.count { $0.value.item == item } }
            }
            for life in 1...2 {
                let fuser = try RunningProgram("whereabouts-fuser", ["--config", file])
                let isTold = try await live(90) { moves("item-0") >= 3 * life && moves("item-1") >= 3 * life }
                #expect(isTold, "\(fuser.errors)")
                fuser.process.terminate()
                #expect(try await fuser.status(within: 10) == 0)
            }
            let fuser = try RunningProgram("whereabouts-fuser", ["--config", file])
            house.isStill = true
            #expect(try await live(20) { recorder.text(Topics().fuserStatus("main")) == "online" }, "\(fuser.errors)")
            _ = try await live(5)

            // The latest of a room's retained messages counts, and others may be missing. All events are retained, and
            // those of a fuser's last moment published on request.
            let epoch = try #require(book.events.keys.first)
            book.repair(epoch, recorder)
            let isWhole = try await live(20) {
                if book.hasGap(epoch) { book.repair(epoch, recorder) }
                return recorder.text("whereabouts/fuser/main/command/result") != nil && !book.hasGap(epoch)
            }
            #expect(isWhole, "\(fuser.errors)")
            let events = (book.events[epoch] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
                .filter { $0.item == "item-0" }.map(\.event)
            let rooms = (events.prefix(1).map(\.previous) + events.map(\.room)).map { $0 ?? "away" }
            // The place was unknown while this machine stood still for ten seconds of the house, which are less than
            // one here.
            let wasKnown = !recorder.messages.contains {
                $0.topic == Topics().room("item-0") && $0.payload == Array("unknown".utf8)
            }
            let shown = try await ask(["history", "item-0", "--json"])
            #expect(shown.status == 0, "\(shown.errors)")
            let history = try JSONDecoder().decode(History.self, from: Data(shown.output.utf8))
            #expect(history.item == "item-0" && (history.visits.map(\.room) == rooms || !wasKnown))
            let isOneStory = zip(history.visits, history.visits.dropFirst()).allSatisfy { $0.to_unix == $1.from_unix }
            #expect(isOneStory || !wasKnown)
            let count = history.visits.count
            let table = try await ask(["history", "item-0"])
            let lines = table.output.split(separator: "\n")
            #expect(lines.count == count + 1 && lines.last?.contains("lasts") == true)
            let csv = try await ask(["history", "item-0", "--csv", "--from", "\(history.visits[2].from_unix)"])
            let rows = csv.output.split(separator: "\n")
            #expect(rows.count == count - 1 && rows[1].hasPrefix("item-0,\(history.visits[2].room),20"))

            let refused = try await ask(["purge", "item-0"])
            #expect(refused.status == 1 && refused.errors.contains("nothing was forgotten"), "\(refused.errors)")
            let asked = recorder.messages.count
            let purged = try await ask(["purge", "item-0", "--yes"])
            #expect(purged.status == 0, "\(purged.errors)")
            #expect(purged.output.contains("forgotten by fuser main: \(count) visits, "), "\(purged.output)")
            #expect(purged.output.contains(" 0 lessons, 2 retained messages"), "\(purged.output)")
            // A slow line skips the empty message if the item is found anew before it is sent.
            let isCleared = try await live(10) {
                recorder.messages.dropFirst(asked).contains { $0.topic == Topics().location("item-0") }
            }
            #expect(isCleared)
            // An item that is still there is found anew.
            let isThere = rooms.last != "away"
            let isFound = try await live(isThere ? 20 : 0) { recorder.text(Topics().room("item-0")) == rooms.last }
            #expect(isFound == isThere)
            let after = try await ask(["history", "item-0", "--json"])
            let left = try JSONDecoder().decode(History.self, from: Data(after.output.utf8)).visits
            // All remaining visits were found since; the first hop alone may have been mistaken.
            let last = try #require(history.visits.last).from_unix
            #expect(left.allSatisfy { $0.from_unix > last }, "\(left)")
            #expect(left.last?.room == (isThere ? rooms.last : nil) && left.count <= 2, "\(left)")
            #expect(left.allSatisfy { ($0.to_unix == nil) == ($0.from_unix == left.last?.from_unix) }, "\(left)")

            // A new subscriber requests all retained events: none of the purged ones, and none twice.
            let known = book
            let before = recorder.messages.count
            book = EventBook(after: before)
            book.repair(epoch, recorder)
            func told() -> [ItemEvent] {
                recorder.messages[before...].compactMap { message -> ItemEvent? in
                    guard case .itemEvents = Topics().kind(of: message.topic) else { return nil }
                    return try? ItemEvent(payload: message.payload.span)
                }
            }
            let kept = (known.events[epoch] ?? [:]).filter { $0.value.item != "item-0" }
            func result() -> String {
                recorder.messages[before...].last { $0.topic == "whereabouts/fuser/main/command/result" }
                    .map { String(decoding: $0.payload, as: UTF8.self) } ?? ""
            }
            let isRepeated = try await live(20) {
                !result().isEmpty && Set(told().filter(\.isReplayed).map(\.seq)).isSuperset(of: kept.keys)
            }
            #expect(isRepeated, "\(fuser.errors)")
            #expect(events.allSatisfy { book.events[epoch]?[$0.seq] == nil })
            #expect(result().contains("\"action\":\"replay\",\"ok\":true"), "\(result())")
            #expect(result().contains("\"first_seq\":1"), "\(result())")
            fuser.process.terminate()
            #expect(try await fuser.status(within: 10) == 0)
        }

        @Test("Report no history of an unknown item, and the valid forms of a wrong time")
        func nothing() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let none = try run(["history", "keys"], broker)
            #expect(none.status == 1 && none.error.contains("no fuser is online"), "\(none.error)")
            let fuser = try deployment.startFuser()
            let recorder = try Recorder(broker)
            #expect(
                try await recorder.wait(20) { $0.text(Topics().fuserStatus("main")) == "online" }, "\(fuser.errors)")
            let empty = try run(["history", "keys"], broker)
            #expect(empty.status == 0 && empty.lines == ["nothing is known of keys in that time"], "\(empty.error)")
            let wrong = try run(["history", "keys", "--from", "soon"], broker)
            #expect(wrong.status == 2 && wrong.error.contains("--from takes such as 2026-11-21"), "\(wrong.error)")
        }
    }
}
