import Support
import Testing

extension Live.Home {
    /// The entity ids of items with odd names.
    @Suite(.enabled(if: Live.isFull, "\(Live.Home.full)")) struct Names {
        @Test("Make readable entity ids of umlauts, other scripts, signs, equal room names and items named as rooms")
        func ids() async throws {
            let house = try await ServedHouse()
            try await house.core.start()
            for (index, (id, name)) in [("cook", "Küche"), ("spare", "🔑"), ("watch", "Dr. Müllers Uhr")].enumerated() {
                try house.items(
                    "add", id, "--name", name, "--ibeacon", "48534442-4c45-4144-80c0-1800fffffff0,500,\(index)")
            }
            let rooms = ["bath-1": "Bad", "bath-2": "Bad", "cooking": "Küche", "salon": "客厅"]
            let lines = rooms.sorted { $0.key < $1.key }.map { "{id: \($0.key), name: \($0.value)}" }
            try house.startFuser("main", ["rooms: [\(lines.joined(separator: ", "))]"])
            var wanted = [
                "whereabouts_room_cooking_occupancy": "binary_sensor.kuche_occupancy",
                "whereabouts_room_salon_occupancy": "binary_sensor.ke_ting_occupancy",
                "whereabouts_item_cook_room": "sensor.kuche_room",
                "whereabouts_item_cook_tracker": "device_tracker.kuche",
                "whereabouts_item_watch_tracker": "device_tracker.dr_mullers_uhr",
            ]
            // Releases before 2025.10 make ids of names alone.
            if house.core.release == .current {
                wanted["whereabouts_room_bath-1_occupancy"] = "binary_sensor.bath_1_occupancy"
                wanted["whereabouts_room_bath-2_occupancy"] = "binary_sensor.bath_2_occupancy"
                wanted["whereabouts_item_spare_tracker"] = "device_tracker.spare"
            }
            let (report, came) = try await house.core.wait(60) { report in
                wanted.allSatisfy { report.entity($0.key)?.entityID == $0.value }
            }
            #expect(came, "\(report.ours.map { "\($0.uniqueID): \($0.entityID)" }.sorted())")
            house.expectNoProblems(report, "odd names")
        }
    }
}
