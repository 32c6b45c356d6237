import WireProtocol
import Support
import Testing

extension Live.Home {
    /// Discovery messages of earlier forms are replaced by those of today: a topic for each entity, and devices whose
    /// entities had no default ids and whose trackers named no zone.
    @Suite(.enabled(if: Live.isFull, "\(Live.Home.full)")) struct Migration {
        /// Our former messages about the keys, as left at the broker.
        private static let former: [(topic: String, payload: String)] = [
            (
                "homeassistant/sensor/whereabouts/item_keys_room/config",
                #"""
                {"unique_id":"whereabouts_item_keys_room","name":"Room","state_topic":"whereabouts/items/keys/room",
                "device":{"identifiers":["whereabouts_item_keys"],"name":"Anna's keys"}}
                """#
            ),
            (
                "homeassistant/device_tracker/whereabouts/item_keys_tracker/config",
                #"""
                {"unique_id":"whereabouts_item_keys_tracker","name":"Tracker","state_topic":"whereabouts/items/keys/room",
                "value_template":"{{ 'not_home' if value=='away' else 'home' }}",
                "device":{"identifiers":["whereabouts_item_keys"],"name":"Anna's keys"}}
                """#
            ),
            // Of a node and its region.
            (
                "homeassistant/binary_sensor/whereabouts/node_kitchen_status/config",
                #"""
                {"unique_id":"whereabouts_node_kitchen_status","name":"Connectivity",
                "state_topic":"whereabouts/nodes/kitchen/status","payload_on":"online","payload_off":"offline",
                "device":{"identifiers":["whereabouts_node_kitchen"],"name":"Node Kitchen","suggested_area":"Kitchen"}}
                """#
            ),
            (
                "homeassistant/binary_sensor/whereabouts/node_kitchen_region_tools/config",
                #"""
                {"unique_id":"whereabouts_node_kitchen_region_tools","name":"Tools",
                "state_topic":"whereabouts/nodes/kitchen/regions/tools","value_template":"{{ value_json.state }}",
                "payload_on":"inside","payload_off":"outside",
                "device":{"identifiers":["whereabouts_node_kitchen"],"name":"Node Kitchen","suggested_area":"Kitchen"}}
                """#
            ),
            // Of an item that was removed.
            (
                "homeassistant/sensor/whereabouts/item_gone_room/config",
                #"""
                {"unique_id":"whereabouts_item_gone_room","name":"Room","state_topic":"whereabouts/items/gone/room",
                "device":{"identifiers":["whereabouts_item_gone"],"name":"Gone"}}
                """#
            ),
        ]

        /// Devices in the form before entities had default ids.
        private static let devices: [(topic: String, payload: String)] = [
            (
                "homeassistant/device/whereabouts/item_keys/config",
                #"""
                {"dev":{"ids":"whereabouts_item_keys","name":"Anna's keys","mf":"Whereabouts","mdl":"Item"},
                "o":{"name":"whereabouts"},"cmps":{
                "room":{"p":"sensor","uniq_id":"whereabouts_item_keys_room","name":"Room",
                "stat_t":"whereabouts/items/keys/room"},
                "tracker":{"p":"device_tracker","uniq_id":"whereabouts_item_keys_tracker","name":null,
                "stat_t":"whereabouts/items/keys/room","val_tpl":"{{ 'not_home' if value=='away' else 'home' }}",
                "src_type":"bluetooth_le"}}}
                """#
            ),
            (
                "homeassistant/device/whereabouts/room_kitchen/config",
                #"""
                {"dev":{"ids":"whereabouts_room_kitchen","name":"Kitchen","mf":"Whereabouts","mdl":"Room","sa":"Kitchen"},
                "o":{"name":"whereabouts"},"cmps":{
                "occupancy":{"p":"binary_sensor","uniq_id":"whereabouts_room_kitchen_occupancy","name":"Occupancy",
                "stat_t":"whereabouts/rooms/kitchen/occupancy","val_tpl":"{{ 'ON' if value else 'OFF' }}"}}}
                """#
            ),
        ]

        @Test(
            "Preserve the id of an entity without a default one, and count its tracker in the zone",
            arguments: [true, false])
        func keepsIDsOfDevices(isCoreOn: Bool) async throws {
            let house = try await ServedHouse()
            try await house.core.start()
            let recorder = try Recorder(house.broker, ["test/ready"])
            #expect(try await recorder.ready())
            for (topic, payload) in Self.devices {
                recorder.publish(Message(topic: topic, text: payload, qos: .atLeastOnce, retained: true))
            }
            let (before, came) = try await house.core.wait(20) { $0.ours.count == 3 }
            #expect(came)
            let room = try #require(before.entity("whereabouts_item_keys_room")).entityID
            try house.core.set(room, ["new_entity_id": "sensor.where_are_my_keys"])
            let known = before.ours.map {
                ($0.uniqueID, $0.entityID == room ? "sensor.where_are_my_keys" : $0.entityID)
            }
            if !isCoreOn { try house.stopCore() }

            try house.startFuser()
            for node in ["kitchen", "living"] { try house.startAgent(node) }
            if !isCoreOn { try await house.core.start() }
            let wish = HouseWish()
            let report = try await house.expect(wish, "migrated, the core \(isCoreOn ? "on" : "off")")
            for (uniqueID, entityID) in known { #expect(report.entity(uniqueID)?.entityID == entityID) }
            let (last, agrees) = try await house.core.wait(60) { report in
                PlaceTable(report, items: wish.items.keys.sorted(), rooms: []).contradictions.isEmpty
            }
            let table = PlaceTable(last, items: wish.items.keys.sorted(), rooms: [])
            #expect(agrees, "\(table.contradictions)")
        }

        @Test(
            "Preserve an entity's id and its user's settings, with Home Assistant on or off",
            arguments: [true, false])
        func keepsIDs(isCoreOn: Bool) async throws {
            let house = try await ServedHouse()
            try await house.core.start()
            let recorder = try Recorder(house.broker, ["test/ready", "homeassistant/#"])
            #expect(try await recorder.ready())
            for (topic, payload) in Self.former {
                recorder.publish(Message(topic: topic, text: payload, qos: .atLeastOnce, retained: true))
            }
            let (before, came) = try await house.core.wait(20) { $0.ours.count == Self.former.count }
            #expect(came)
            let room = try #require(before.entity("whereabouts_item_keys_room")).entityID
            let tracker = try #require(before.entity("whereabouts_item_keys_tracker")).entityID
            let region = try #require(before.entity("whereabouts_node_kitchen_region_tools")).entityID
            try house.core.set(room, ["new_entity_id": "sensor.where_are_my_keys", "name": "Where"])
            try house.core.set(region, ["new_entity_id": "binary_sensor.tools_at_home", "name": "Tools"])
            try house.items("add", "gone", "--ibeacon", "48534442-4c45-4144-80c0-1800fffffff0,100,9")
            try house.items("remove", "gone")
            if !isCoreOn { try house.stopCore() }

            try house.startFuser()
            try house.startAgent("kitchen", ["regions: [{id: tools, item: drill}]"])
            try house.startAgent("living")
            let cleared = try await recorder.wait(40) { recorder in
                Self.former.allSatisfy { recorder.latest[$0.topic]?.payload.isEmpty == true }
                    && ["item_keys", "node_kitchen"].allSatisfy {
                        recorder.latest["homeassistant/device/whereabouts/\($0)/config"] != nil
                    }
            }
            #expect(cleared, "the former messages are cleared, the device's stands")
            if !isCoreOn { try await house.core.start() }
            var wish = HouseWish()
            wish.regions = ["kitchen": ["tools"]]
            let report = try await house.expect(wish, "migrated, the core \(isCoreOn ? "on" : "off")")
            #expect(report.entity("whereabouts_item_keys_room")?.entityID == "sensor.where_are_my_keys")
            #expect(report.entity("whereabouts_item_keys_room")?.name == "Where")
            #expect(report.entity("whereabouts_item_keys_tracker")?.entityID == tracker)
            let tools = try #require(report.entity("whereabouts_node_kitchen_region_tools"))
            #expect(tools.entityID == "binary_sensor.tools_at_home" && tools.name == "Tools")
        }
    }
}
