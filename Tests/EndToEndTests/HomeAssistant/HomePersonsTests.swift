import Support
import Testing

extension Live.Home {
    /// A person with two items, of which one always lies in the kitchen.
    @Suite(.enabled(if: Live.isFull, "\(Live.Home.full)")) struct Persons {
        private static let anna = "persons: [{id: anna, name: Anna, items: [keys, drill], must_have: [keys]}]"

        @Test(
            "Follow a person by the keys beside items at home, and remove the person with the configuration")
        func comesAndGoes() async throws {
            let house = try await ServedHouse()
            try await house.core.start()
            try house.startFuser("main", [Self.anna])
            for node in ["kitchen", "living"] { try house.startAgent(node) }
            var wish = HouseWish()
            wish.items["anna"] = "Anna"
            let report = try await house.expect(wish, "a person", within: 90)
            #expect(report.device("whereabouts_item_anna")?.model == "Person")
            #expect(report.device("whereabouts_item_keys")?.model == "Item")
            #expect(report.entity("whereabouts_item_anna_tracker")?.entityID == "device_tracker.anna")

            // At first the drill may have been carried: until it was left behind a short walk to the living room is not
            // hers.
            var (places, rooms): ([String], [String]) = ([], [])
            let isSeen = try await until(240) {
                places = try house.core.changes(from: report.changes)
                    .filter { $0.entity == "device_tracker.anna" }.compactMap(\.after)
                rooms = try house.core.changes().filter { $0.entity == "sensor.anna_room" }.compactMap(\.after)
                return places.contains("not_home") && places.last == "home"
                    && Set(rooms).isSuperset(of: ["kitchen", "living", "away"])
            }
            #expect(isSeen, "\(places) \(rooms)")
            #expect(try house.core.report().state("whereabouts_item_drill_room") == "kitchen")

            house.stop("fuser main")
            try house.startFuser("main")
            wish.items["anna"] = nil
            try await house.expect(wish, "a person taken out of the configuration", within: 90)
        }
    }
}
