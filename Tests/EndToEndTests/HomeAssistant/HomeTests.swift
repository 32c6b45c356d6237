import WireProtocol
import Support
import Testing

extension Live {
    /// The entities in Home Assistant without any setup: a real core, mosquitto, and the programs as they are built.
    @Suite(.oneByOne, .enabled(if: HomeAssistantCore.isInstalled, "\(HomeAssistantCore.missing)"))
    struct Home {
        static let full = "a long proof: WHEREABOUTS_FULL=1"
        static let topics = Topics()

        @Test("Show every item, room, node and region, and moves, in a fresh Home Assistant without setup")
        func fresh() async throws {
            let house = try await ServedHouse()
            try await house.core.start()
            // A room's name is its device's, and no second area beside that of its nodes, which one of them names.
            try house.startFuser("main", ["rooms: [{id: kitchen, name: Küche}, {id: living, name: Wohnzimmer}]"])
            try house.startAgent("kitchen", ["regions: [{id: tools, item: drill}]"])
            try house.startAgent("living", ["home_assistant: {area: Parlour}"])
            var wish = HouseWish()
            wish.rooms = ["kitchen": "Küche", "living": "Wohnzimmer"]
            wish.roomAreas = ["kitchen": "Kitchen", "living": "Parlour"]
            wish.regions = ["kitchen": ["tools"]]
            try await house.expect(wish, "a fresh Home Assistant")
            // While one node alone had received, everything was with it.
            let states = [
                "whereabouts_item_cat_room": "living", "whereabouts_item_drill_room": "kitchen",
                "whereabouts_item_drill_presence": "on", "whereabouts_item_drill_tracker": "home",
                "whereabouts_room_kitchen_occupancy": "on",
            ]
            let (report, isRight) = try await house.core.wait(30) { seen in
                states.allSatisfy { seen.state($0.key) == $0.value }
            }
            #expect(isRight, "\(states.keys.sorted().map { "\($0): \(report.state($0) ?? "-")" })")
            #expect(report.entity("whereabouts_item_keys_room")?.entityID == "sensor.anna_s_keys_room")
            #expect(report.entity("whereabouts_item_keys_tracker")?.entityID == "device_tracker.anna_s_keys")
            // By the device's name alone, whatever area it is in.
            #expect(report.entity("whereabouts_room_kitchen_occupancy")?.entityID == "binary_sensor.kuche_occupancy")
            #expect(report.entity("whereabouts_node_living_reports")?.entityID == "sensor.node_living_reports")
            let room = try #require(report.states["sensor.anna_s_keys_room"])
            #expect(room.attributes.deviceClass == "enum")
            #expect(room.attributes.options.map(Set.init) == ["kitchen", "living", "away"])
            #expect(report.states["device_tracker.anna_s_keys"]?.attributes.sourceType == "bluetooth_le")
            #expect(report.areas == ["Kitchen", "Parlour"])
            let problem = try await house.core.wait(20) { $0.state("whereabouts_node_kitchen_region_tools") == "on" }
            #expect(problem.came, "the region is occupied")

            // Anna goes round, and out and back, within a minute; a poll that begins just after she has gone out sees
            // her go the next time.
            let first = report.changes
            let all: Set = ["kitchen", "living", "away"]
            var changes: [StateChange] = []
            _ = try await until(130) {
                changes = try house.core.changes(from: first)
                let rooms = Set(changes.filter { $0.entity == "sensor.anna_s_keys_room" }.compactMap(\.after))
                let places = Set(changes.filter { $0.entity == "device_tracker.anna_s_keys" }.compactMap(\.after))
                return rooms == all && places == ["home", "not_home"]
            }
            let rooms = changes.filter { $0.entity == "sensor.anna_s_keys_room" }.compactMap(\.after)
            let places = changes.filter { $0.entity == "device_tracker.anna_s_keys" }.compactMap(\.after)
            #expect(Set(rooms) == all && Set(places) == ["home", "not_home"], "\(rooms) \(places)")
            house.expectNoFlaps(changes)
            // The person that has her tracker went with it, and the zone counted her out and in.
            let persons = Set(changes.filter { $0.entity == HomeAssistantCore.person.entity }.compactMap(\.after))
            let counts = Set(changes.filter { $0.entity == "zone.home" }.compactMap(\.after))
            #expect(persons == ["home", "not_home"] && counts == ["0", "1"], "\(persons) \(counts)")
            try await house.expect(wish, "after Anna's walk")

            // A click reaches the node.
            let recorder = try Recorder(house.broker, ["test/ready", Self.topics.nodeCommand("kitchen")])
            #expect(try await recorder.ready())
            let silence = try #require(report.entity("whereabouts_node_kitchen_silence"))
            try house.core.call("button.press", silence.entityID)
            #expect(try await recorder.wait(10) { $0.count(Self.topics.nodeCommand("kitchen")) == 1 })
        }
    }
}

extension ServedHouse {
    /// None of the former entities was unknown or unavailable meanwhile.
    func expectNoFlaps(
        _ changes: [StateChange], but exceptions: (StateChange) -> Bool = { _ in false },
        _ location: SourceLocation = #_sourceLocation
    ) {
        let flaps = changes.filter {
            $0.before != nil && ($0.after == nil || $0.after == "unknown" || $0.after == "unavailable")
        }
        let lines = flaps.filter { !exceptions($0) }.map { "\($0.entity): \($0.before ?? "") → \($0.after ?? "gone")" }
        #expect(lines.isEmpty, sourceLocation: location)
    }
}
