import Bytes
import Daemon
import Foundation
import Sightings
import Simulation
import Support
import Testing

extension Live.Home {
    /// How soon Home Assistant shows what the fuser says.
    @Suite(.enabled(if: Live.isFull, "\(Live.Home.full)")) struct Latency {
        private static let tags = "abcdefghijkl".map { "tag-\($0)" }
        private static let moves = 60

        /// The flat of the fixtures, full of people who hardly stay anywhere.
        private func busyFlat(in folder: TemporaryFolder) throws -> (scenario: String, items: String) {
            let flat = try #require(readFile(ServedHouse.scenario))
            let building = try #require(flat.range(of: "walkers:")).lowerBound
            let ids = Self.tags
            let walkers = ids.map {
                "  - {id: of-\($0), pace: 3, roam: {rooms: [kitchen, living, away], stay: [8s, 16s]}}"
            }
            let identity = ids.indices.map {
                "ibeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0, major: 7, minor: \($0)}"
            }
            let beacons = ids.indices.map {
                "  - {id: \(ids[$0]), \(identity[$0]), interval: 400ms, carried_by: of-\(ids[$0]), worn: front}"
            }
            let scenario = [String(flat[..<building]), "walkers:"] + walkers + ["beacons:"] + beacons
            let items = ids.indices.map { "- {id: \(ids[$0]), \(identity[$0])}" }
            return (
                try folder.write(Array((scenario.joined(separator: "\n") + "\n").utf8), to: "busy.yaml"),
                try folder.write(Array((items.joined(separator: "\n") + "\n").utf8), to: "busy-items.yaml")
            )
        }

        @Test("A move is shown by sensor and tracker within three seconds of the fuser's word, 19 in 20 times")
        func moves() async throws {
            let folder = try TemporaryFolder()
            let flat = try busyFlat(in: folder)
            let house = try await ServedHouse(scenario: flat.scenario, items: flat.items)
            try await house.core.start()
            let topics = Live.Home.topics
            let recorder = try Recorder(house.broker, [topics.allItems("room")])
            try house.startFuser()
            for node in ["kitchen", "living"] { try house.startAgent(node) }
            var wish = HouseWish()
            wish.items = [:]
            for tag in Self.tags { wish.items[tag] = "Tag \(tag.suffix(1))" }
            wish.withTelemetry = []
            let report = try await house.expect(wish, "a full flat", within: 90)

            recorder.poll()
            var seen = recorder.messages.count
            // What is told again is no move.
            var words: [String: String] = [:]
            for tag in Self.tags { words[tag] = recorder.text(topics.room(tag)) }
            var told: [(at: Double, item: String, word: String)] = []
            // It came after the look before, whose time stands for the fuser's word: what is measured is too long by that.
            var looked = Double(WallClock.now().microseconds) / 1e6
            let enough = try await recorder.wait(240) { recorder in
                let before = looked
                looked = Double(WallClock.now().microseconds) / 1e6
                for message in recorder.messages[seen...] {
                    let item = String(message.topic.split(separator: "/")[2])
                    let word = String(decoding: message.payload, as: UTF8.self)
                    if words.updateValue(word, forKey: item) != word { told.append((before, item, word)) }
                }
                seen = recorder.messages.count
                return told.count >= Self.moves
            }
            #expect(enough, "\(told.count) moves")
            try await Task.sleep(for: .seconds(4))
            let changes = try house.core.changes(from: report.changes)

            var sensor: [Double] = []
            var tracker: [Double] = []
            for (at, item, word) in told where word != "unknown" {
                sensor.append(delay(from: at, of: "sensor", item, to: word, in: changes, report) ?? .infinity)
            }
            var places: [String: String] = [:]
            for (at, item, word) in told where word != "unknown" {
                let place = word == "away" ? "not_home" : "home"
                let before = places.updateValue(place, forKey: item)
                if let before, before != place {
                    tracker.append(
                        delay(from: at, of: "device_tracker", item, to: place, in: changes, report) ?? .infinity)
                }
            }
            let walks = try walks(in: flat.scenario, changes, report)
            print(
                "from the threshold: \(walks.count) walks, p50 \(walks[walks.count / 2]) s, p95 \(Self.late(walks)) s")
            #expect(walks.count >= Self.moves / 6 && walks[walks.count / 2] <= 3)
            for (name, delays) in [("sensor", sensor.sorted()), ("tracker", tracker.sorted())] {
                try #require(!delays.isEmpty)
                let late = Self.late(delays)
                print("\(name): \(delays.count) moves, p50 \(delays[delays.count / 2]) s, p95 \(late) s")
                #expect(late <= 3, "\(name)")
            }
            #expect(sensor.count >= 50)
            try await house.expect(wish, "after all moves")
        }

        private static func late(_ delays: [Double]) -> Double { delays[(delays.count * 19 - 1) / 20] }

        /// Seconds from the moment at which somebody crossed the threshold to another room, for a while, to the one at which
        /// its sensor showed that, in order; infinity where it never did.
        private func walks(in scenario: String, _ changes: [StateChange], _ report: Report) throws -> [Double] {
            guard let first = changes.first?.at, let last = changes.last?.at else { return [] }
            let truth = try SimulatedHouse(ScenarioFile.read(scenario)).truthChanges(
                from: Timestamp(microseconds: Int64(first * 1e6)), until: Timestamp(microseconds: Int64(last * 1e6)))
            return Self.tags.flatMap { tag in
                let stays = truth.filter { $0.item == tag }
                return zip(stays, stays.dropFirst()).compactMap { before, stay -> Double? in
                    guard before.room != nil, let room = stay.room,
                        stay.end.seconds(since: stay.start) >= Self.stay
                    else { return nil }
                    let at = Double(stay.start.microseconds) / 1e6
                    return delay(from: at, of: "sensor", tag, to: room, in: changes, report) ?? .infinity
                }
            }.sorted()
        }

        /// Seconds by which a moment may be told too late, as where the test's own client waits for the processor; nobody comes
        /// to one room twice within them.
        private static let unsure = 2.0

        /// Seconds that somebody stays, at least, so that the move counts.
        private static let stay = 7.0

        /// Seconds after which an item's entity came to a state; nil where it never did.
        private func delay(
            from at: Double, of domain: String, _ item: String, to state: String, in changes: [StateChange],
            _ report: Report
        ) -> Double? {
            let key = domain == "sensor" ? "room" : "tracker"
            guard let entity = report.entity("whereabouts_item_\(item)_\(key)")?.entityID else { return nil }
            return changes.first { $0.entity == entity && $0.after == state && $0.at >= at - Self.unsure }
                .map { max(0, $0.at - at) }
        }
    }
}
