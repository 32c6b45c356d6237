import Support
import Testing

extension Live.Home {
    /// All entities that show places, beside each other, in each release that is installed.
    @Suite(.enabled(if: Live.isFull, "\(Live.Home.full)")) struct Table {
        @Test(
            "Show trackers, persons, zones and rooms in agreement after moves, a departure and restarts",
            arguments: HomeAssistantCore.Release.compared)
        func agrees(release: HomeAssistantCore.Release) async throws {
            let house = try await ServedHouse(release: release)
            try await house.core.start()
            try house.startFuser()
            for node in ["kitchen", "living"] { try house.startAgent(node) }
            let wish = HouseWish()
            let version = try await house.expect(wish, "the beginning").version

            var last: String?
            // Without a room the keys have to move first: an answer from before a restart proves nothing.
            func check(_ step: String, keys room: String? = nil) async throws {
                var table: PlaceTable?
                let (report, came) = try await house.core.wait(100) { report in
                    let seen = PlaceTable(report, items: wish.items.keys.sorted(), rooms: wish.rooms.keys.sorted())
                    table = seen
                    let keys = seen.room("keys")
                    return seen.contradictions.isEmpty && (room.map { keys == $0 } ?? (keys != last))
                }
                last = table?.room("keys")
                let text = table.map { "\($0.text)\n\($0.contradictions)" } ?? ""
                #expect(came, "\(version), \(step):\n\(text)")
                if let table { print("Home Assistant \(version), \(step):\n\(table.text)") }
                house.expectNoProblems(report, step)
            }
            try await check("the keys in the kitchen", keys: "kitchen")
            try await check("moved to the living room", keys: "living")
            try await check("left", keys: "away")
            try await check("come back", keys: "kitchen")

            let recorder = try Recorder(house.broker, ["test/ready", "homeassistant/status"])
            #expect(try await recorder.ready())
            try house.stopCore()
            try await house.core.start()
            try await check("core restarted")
            // A broker that is lost before the end of its start is a fault in its own log.
            #expect(try await recorder.wait(60) { $0.text("homeassistant/status") == "online" })
            try house.broker.restart()
            try await check("broker restarted, and all that it retained lost")
            house.stop("fuser main")
            try house.startFuser()
            try await check("fuser restarted")
            house.kill("fuser main")
            try house.startFuser()
            try await check("fuser killed and started")
            try await check("come back at last", keys: "kitchen")
            try await house.expect(wish, "the end")
        }
    }
}
