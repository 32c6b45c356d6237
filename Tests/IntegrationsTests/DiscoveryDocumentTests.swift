import BeaconFrames
import Foundation
import WireProtocol
import Testing

@testable import Integrations

@Suite("The documents of devices for Home Assistant")
struct DiscoveryDocumentTests {
    let topics = Topics()
    let place = DiscoveryPlace(prefix: "homeassistant", topicPrefix: "whereabouts")
    let rooms = [DiscoveryDocument.Room(id: "hall"), DiscoveryDocument.Room(id: "kitchen", name: "Küche")]

    func item(
        _ item: DiscoveryDocument.Item, tracker: DiscoveryDocument.Tracker = .state(zone: "zone.home"),
        fusers: [String] = ["main"]
    ) throws -> [String: Any] {
        let document = DiscoveryDocument.item(item, rooms: rooms, tracker: tracker, fusers: fusers, topics: topics)
        return try Self.object(document.payload(at: place, DiscoveryPlace.item(item.id)))
    }

    static func object(_ payload: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
    }

    static func components(_ object: [String: Any]) throws -> [String: [String: Any]] {
        try #require(object["cmps"] as? [String: [String: Any]])
    }

    @Test("use only topics that Home Assistant accepts")
    func places() {
        let place = DiscoveryPlace(prefix: "ha", topicPrefix: "home/whereabouts")
        #expect(place.site.wholeMatch(of: /[a-zA-Z0-9_-]+/) != nil)
        #expect(place.device("item_keys") == "ha/device/\(place.site)/item_keys/config")
        #expect(place.object(of: place.device("item_keys"))?.object == "item_keys")
        #expect(place.object(of: place.single("sensor", "item_keys", "room"))?.platform == "sensor")
        #expect(place.object(of: "ha/device/other/item_keys/config") == nil)
        #expect(place.object(of: "ha/device/item_keys/config") == nil)
    }

    @Test("publish an item's room, presence, tracker, and the details of the answer")
    func anItem() throws {
        let object = try item(.init(id: "keys", name: "Anna's keys"))
        let components = try Self.components(object)
        #expect(Set(components.keys) == ["room", "presence", "tracker", "confidence", "heard"])
        for (key, component) in components {
            #expect(component["uniq_id"] as? String == "whereabouts_item_keys_\(key)")
        }
        #expect(components["room"]?["dev_cla"] as? String == "enum")
        #expect(components["room"]?["ops"] as? [String] == ["hall", "kitchen", "away"])
        #expect(components["presence"]?["stat_t"] as? String == "whereabouts/items/keys/room")
        #expect(components["tracker"]?["src_type"] as? String == "bluetooth_le")
        #expect(components["tracker"]?["name"] is NSNull, "it has the device's name")
        #expect(components["heard"]?["dev_cla"] as? String == "timestamp")
        let device = try #require(object["dev"] as? [String: Any])
        #expect(device["ids"] as? String == "whereabouts_item_keys" && device["name"] as? String == "Anna's keys")
        #expect(device["sa"] == nil, "an item belongs to no area")
        #expect((object["o"] as? [String: Any])?["name"] as? String == "whereabouts")
    }

    @Test("publish a beacon's reading as an entity after its arrival, with Home Assistant's units")
    func readings() throws {
        var keys = DiscoveryDocument.Item(id: "keys", name: nil)
        keys.readings = [
            "battery_mv", "temperature_c", "temperature_c_2", "door", "presence", "node", "at", "packet_2",
        ]
        keys.hasAlerts = true
        let components = try Self.components(try item(keys))
        #expect(components.count == 6 + 5)
        #expect(components["battery_mv"]?["unit_of_meas"] as? String == "mV")
        #expect(components["battery_mv"]?["dev_cla"] as? String == "voltage")
        #expect(components["temperature_c"]?["unit_of_meas"] as? String == "°C")
        #expect(components["alert"]?["dev_cla"] as? String == "problem")
        #expect(components["temperature_c_2"]?["name"] as? String == "Temperature 2")
        #expect(components["flag_door"]?["p"] as? String == "binary_sensor")
        #expect(components["flag_door"]?["dev_cla"] as? String == "door")
        #expect(components["flag_presence"]?["stat_t"] as? String == "whereabouts/items/keys/telemetry")
        #expect(components["presence"]?["stat_t"] as? String == "whereabouts/items/keys/room")
    }

    @Test("publish every reading and flag of BTHome and RuuviTag as an entity")
    func allReadings() throws {
        let names = BTHomeKind.ids.compactMap { BTHomeKind($0) }.filter {
            [.unsigned, .signed, .flag].contains($0.form)
        }
        let others = Set(names.map(\.key)).filter { !DiscoveryDocument.isReading($0) }
        #expect(others == ["packet", "timestamp_s", "channel", "device_type"])
        #expect(["battery_mv", "movements"].allSatisfy(DiscoveryDocument.isReading))
        for key in ["", "_2", "door_", "door_1", "door_02x", "door_27", "door_2_2", "flag_door"] {
            #expect(!DiscoveryDocument.isReading(key), "\(key)")
        }
    }

    @Test("retain a removed room as a state of an item that is still there")
    func formerRoom() throws {
        var keys = DiscoveryDocument.Item(id: "keys", name: nil)
        keys.room = "attic"
        var options = try Self.components(try item(keys))["room"]?["ops"] as? [String]
        #expect(options == ["hall", "kitchen", "attic", "away"])
        keys.room = "hall"
        options = try Self.components(try item(keys))["room"]?["ops"] as? [String]
        #expect(options == ["hall", "kitchen", "away"])
    }

    @Test("make it available by either of two fusers")
    func availability() throws {
        let document = DiscoveryDocument.item(
            .init(id: "keys", name: nil), rooms: rooms, tracker: .state(zone: "zone.home"), fusers: ["main", "spare"],
            topics: topics)
        let payload = document.payload(at: place, "item_keys")
        let object = try Self.object(payload)
        #expect(object["avty_mode"] as? String == "any")
        let both = ["whereabouts/fuser/main/status", "whereabouts/fuser/spare/status"]
        #expect((object["avty"] as? [[String: String]])?.compactMap { $0["t"] } == both)
        #expect(DiscoveryDocument.availability(in: payload) == both)
        #expect(DiscoveryDocument.availability(in: Array("[]".utf8)).isEmpty)
    }

    @Test("publish a tracker's state, and the zone by which Home Assistant counts it")
    func stateAndZone() throws {
        let tracker = try Self.components(
            try item(.init(id: "keys", name: nil), tracker: .state(zone: "zone.office")))["tracker"]
        #expect(tracker?["stat_t"] as? String == "whereabouts/items/keys/room")
        #expect((tracker?["val_tpl"] as? String)?.contains("'away':'not_home'") == true)
        #expect(tracker?["json_attr_t"] as? String == "whereabouts/items/keys/room")
        #expect((tracker?["json_attr_tpl"] as? String)?.contains("['zone.office']") == true)
    }

    @Test("begin entity ids with the device's name, or with its id if the name is missing or shared")
    func entityIDs() throws {
        func ids(_ document: DiscoveryDocument) throws -> [String: String] {
            let components = try Self.components(try Self.object(document.payload(at: place, "object")))
            return components.compactMapValues { $0["def_ent_id"] as? String }
        }
        func room(_ name: String?, isNameShared: Bool = false) throws -> String? {
            let room = DiscoveryDocument.Room(id: "living_room", name: name)
            return try ids(.room(room, isNameShared: isNameShared, fusers: [], topics: topics))["occupancy"]
        }
        #expect(try room(nil) == "binary_sensor.Living room Occupancy")
        // Home Assistant writes it in Latin letters.
        #expect(try room("Küche") == "binary_sensor.Küche Occupancy")
        #expect(try room("客厅") == "binary_sensor.客厅 Occupancy")
        #expect(try room("Bath", isNameShared: true) == "binary_sensor.Living room Occupancy")
        #expect(try room("🛋️ !") == "binary_sensor.Living room Occupancy")
        let long = String(repeating: "x", count: 300)
        #expect(try room(long) == "binary_sensor.\(long.prefix(64)) Occupancy")

        let keys = DiscoveryDocument.item(
            .init(id: "keys", name: "Dr. Who's keys"), rooms: rooms, tracker: .state(zone: "zone.home"), fusers: [],
            topics: topics)
        #expect(try ids(keys)["room"] == "sensor.Dr. Who's keys Room")
        #expect(try ids(keys)["tracker"] == "device_tracker.Dr. Who's keys")
        let node = DiscoveryDocument.node(
            "hall", area: "Hall", version: "1", regions: ["tools"], hasRadio: true, topics: topics)
        let all = try ids(node)
        #expect(all["reports"] == "sensor.Node Hall Reports")
        #expect(all["region_tools"] == "binary_sensor.Node Hall Region Tools")
        #expect(all["rescan"] == "button.Node Hall Restart scan")
        #expect(all.count == node.components.count, "each has one")
    }

    @Test("publish zones and no state with the tracker in_zones")
    func zones() throws {
        let tracker = try Self.components(
            try item(.init(id: "keys", name: nil), tracker: .inZones(zone: "zone.home")))["tracker"]
        #expect(tracker?["stat_t"] == nil && tracker?["val_tpl"] == nil)
        #expect(tracker?["json_attr_t"] as? String == "whereabouts/items/keys/room")
        let template = try #require(tracker?["json_attr_tpl"] as? String)
        #expect(template.contains("'in_zones':['zone.home']") && template.contains("'in_zones':[]"))
    }

    @Test("accept any characters in names of rooms")
    func names() throws {
        let odd = DiscoveryDocument.Room(id: "hall", name: #"A "b" {{ 'c' }} \ %}"#)
        let document = DiscoveryDocument.item(
            .init(id: "keys", name: "\u{1}\""), rooms: [odd], tracker: .state(zone: "zone.home"), fusers: ["main"],
            topics: topics)
        let components = try Self.components(try Self.object(document.payload(at: place, "item_keys")))
        let template = try #require(components["room"]?["json_attr_tpl"] as? String)
        #expect(template.contains(#""hall":"A \"b\" {{ 'c' }} \\ %}""#))
    }

    @Test("publish every entity once, with templates that accept an empty payload and a map without its keys")
    func tolerance() throws {
        var keys = DiscoveryDocument.Item(id: "keys", name: nil)
        (keys.readings, keys.hasAlerts) = (Set(BTHomeKind.ids.compactMap { BTHomeKind($0)?.key }), true)
        let documents = [
            DiscoveryDocument.item(
                keys, rooms: rooms, tracker: .state(zone: "zone.home"), fusers: ["main"], topics: topics),
            .room(rooms[0], fusers: ["main"], topics: topics), .fuser("main", version: "1", topics: topics),
            .node("hall", area: "Hall", version: "1", regions: ["office"], hasRadio: true, topics: topics),
        ]
        for document in documents {
            let names = document.components.map(\.key)
            #expect(Set(names).count == names.count, "\(names)")
        }
        for component in documents.flatMap(\.components) {
            for template in [component.state?.template, component.attributes?.template].compactMap({ $0 }) {
                // `value_json` isn't there for what is no JSON, and a key that is absent is a warning each time.
                let bare = template.replacing("(value_json|default({}))", with: "")
                #expect(!bare.contains("value_json"), "\(component.key): \(template)")
                // Of an empty map those are methods of its own.
                for name in ["items", "keys", "values", "get", "pop", "copy", "update", "clear"] {
                    #expect(
                        !bare.contains("['\(name)']") && !bare.contains(".\(name)|"), "\(component.key): \(template)")
                }
            }
        }
    }

    @Test("publish a node's connectivity even while it is offline, and each region")
    func aNode() throws {
        let document = DiscoveryDocument.node(
            "hall", area: "Hall", version: "1.2", regions: ["office"], hasRadio: true, topics: topics)
        let object = try Self.object(document.payload(at: place, "node_hall"))
        let components = try Self.components(object)
        #expect(Set(components.keys) == Set(DiscoveryDocument.nodeEntities.map(\.key) + ["region_office"]))
        #expect((components["status"]?["avty"] as? [Any])?.isEmpty == true)
        #expect(components["reports"]?["stat_t"] as? String == "whereabouts/nodes/hall/health")
        for key in ["rescan", "silence"] {
            let payload = try #require(components[key]?["pl_prs"] as? String)
            _ = try NodeCommand(payload: Array(payload.utf8).span)
        }
        #expect((object["dev"] as? [String: Any])?["sa"] as? String == "Hall")
        let deaf = DiscoveryDocument.node(
            "hall", area: "Hall", version: "1", regions: [], hasRadio: false, topics: topics)
        #expect(!deaf.components.contains { $0.key == "rescan" })
    }

    @Test(
        "Keep the document of an item small in a house of 30 rooms, growing with its readings",
        arguments: [(0, false, 3584), (8, true, 6656), (DiscoveryDocument.readingBound, true, 13_312)])
    func size(readings: Int, hasAlerts: Bool, most: Int) {
        let names = Set(BTHomeKind.ids.compactMap { BTHomeKind($0)?.key }).filter(DiscoveryDocument.isReading)
        let rooms = (0..<30).map { DiscoveryDocument.Room(id: "room_\($0)", name: "Room number \($0)") }
        var keys = DiscoveryDocument.Item(id: "item-1999", name: "Somebody's keys")
        (keys.readings, keys.hasAlerts) = (Set(names.sorted().prefix(readings)), hasAlerts)
        let document = DiscoveryDocument.item(
            keys, rooms: rooms, tracker: .state(zone: "zone.home"), fusers: ["main", "spare"], topics: topics)
        let count = document.payload(at: place, "item_item-1999").count
        #expect(count < most, "\(count)")
    }
}
