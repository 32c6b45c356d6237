import Foundation
import Support
import Testing
import WireProtocol

extension Live.Home {
    /// A clinic's number of items.
    @Suite(.enabled(if: Live.isFull, "\(Live.Home.full)")) struct Scale {
        private static let items = 1900

        @Test("Show 1,900 items and thirty nodes, without slowing the core's start much")
        func crowded() async throws {
            let folder = try TemporaryFolder()
            let house = try await ServedHouse(
                items: folder.write(Array("[]\n".utf8), to: "items.yaml"))
            let hall = try CrowdedHall(url: house.broker.url, items: Self.items, seed: 20_261_122)
            try write(hall.registry, to: house.deployment.folder.file("items.yaml"))
            let nodes = Task { await hall.run() }
            defer { nodes.cancel() }
            try await house.core.start()
            let empty = try house.core.report().seconds
            let recorder = try Recorder(
                house.broker, ["test/ready", "homeassistant/#", Live.Home.topics.allItems("room")])
            #expect(try await recorder.ready())

            let clock = ContinuousClock()
            var began = clock.now
            try house.startFuser("main")
            let (first, isShown) = try await shown(in: house, hall, 300)
            print("all shown \(seconds(since: began, clock)) s after the fuser's start")
            recorder.poll()
            let dark = missing(first, hall)
            let words = dark.prefix(5).map { name in
                let item = String(name.prefix { $0 != " " })
                return "\(name): \(recorder.text(Live.Home.topics.room(item)) ?? "nothing") on the broker"
            }
            #expect(isShown, "\(dark.count) entities: \(words)\n\(house.programs["fuser main"]?.errors ?? "")")
            let standing = recorder.latest.values.filter { $0.topic.hasSuffix("/config") && !$0.payload.isEmpty }
            let bytes = standing.map { $0.payload.count + $0.topic.utf8.count }.reduce(0, +)
            print("discovery: \(standing.count) messages, \(bytes) bytes, \(bytes / max(1, standing.count)) each")
            print("home assistant: \(first.ours.count) entities, \(house.core.resident ?? 0) KiB resident")
            #expect(standing.count >= Self.items + CrowdedHall.nodes.count)
            #expect(bytes <= 6 << 20)

            try house.stopCore()
            began = clock.now
            try await house.core.start()
            let (second, isShownAgain) = try await shown(in: house, hall, 300)
            print(
                "core's start: \(empty) s with nothing, \(second.seconds) s with all;",
                "all shown \(seconds(since: began, clock)) s after it began")
            #expect(isShownAgain, "\(missing(second, hall).prefix(5))")
            #expect(second.seconds <= empty + 10)
            #expect(Set(second.ours.map(\.entityID)) == Set(first.ours.map(\.entityID)))
            // A core that processes retained messages for ten seconds logs that about itself.
            let problems = try house.core.report().problems.filter { !$0.contains("No ACK from MQTT server") }
            let fresh = problems.filter { !first.problems.contains($0) }
            #expect(fresh.isEmpty, "\(fresh.prefix(3))")

            // A fuser that starts again has nothing new to publish.
            recorder.poll()
            let told = recorder.count("homeassistant/device/")
            house.stop("fuser main")
            try house.startFuser("main")
            try await Task.sleep(for: .seconds(30))
            recorder.poll()
            print(
                "told anew by a fuser that was started again: \(recorder.count("homeassistant/device/") - told) messages"
            )
            let (last, _) = try await shown(in: house, hall, 60)
            #expect(missing(last, hall).isEmpty)
        }

        /// Waits until all things are shown with a room.
        private func shown(
            in house: ServedHouse, _ hall: CrowdedHall, _ patience: Double
        ) async throws -> (Report, Bool) {
            let clock = ContinuousClock()
            let end = clock.now + .seconds(patience)
            while true {
                let report = try house.core.report()
                if missing(report, hall).isEmpty { return (report, true) }
                guard clock.now < end else { return (report, false) }
                try await Task.sleep(for: .seconds(2))
            }
        }

        /// Entities that are missing or have no state.
        private func missing(_ report: Report, _ hall: CrowdedHall) -> [String] {
            var missing: [String] = []
            for item in hall.items {
                for key in HouseWish.itemKeys {
                    let state = report.state("whereabouts_item_\(item)_\(key)")
                    if state == nil || state == "unknown" || state == "unavailable" { missing.append("\(item) \(key)") }
                }
            }
            return missing
        }

        private func seconds(since begin: ContinuousClock.Instant, _ clock: ContinuousClock) -> Double {
            (clock.now - begin) / .seconds(1)
        }
    }
}
