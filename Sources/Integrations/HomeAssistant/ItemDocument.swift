public import WireProtocol

extension DiscoveryDocument {
    /// The form in which Home Assistant is informed of presence at home.
    ///
    /// Read in releases 2025.4.4 and 2026.11.0 (homeassistant/components/mqtt/device_tracker.py,
    /// device_tracker/entity.py, person/entity.py, zone/__init__.py). Both read the state from `state_topic`. The older
    /// counts persons in a zone by their state, the newer by the attribute `in_zones`, which persons copy from their
    /// trackers. It leaves that empty for a tracker without coordinates, unless the attribute arrives by MQTT.
    public enum Tracker: Hashable, Sendable {
        /// `home` or `not_home` as the state, with the zone as the attribute `in_zones`.
        case state(zone: String)
        /// The zone as the attribute `in_zones` alone, for releases that derive the state from it
        /// (home-assistant/core#172660, proposed).
        case inZones(zone: String)
    }

    /// A room in the states of items.
    public struct Room: Hashable, Sendable {
        /// Its id.
        public var id: String
        /// Its name; by default made of the id.
        public var name: String

        /// A room.
        public init(id: String, name: String? = nil) {
            self.id = id
            self.name = name ?? DiscoveryDocument.name(of: id)
        }
    }

    /// An item, or a person.
    public struct Item: Hashable, Sendable {
        /// Its id.
        public var id: String
        /// Its name; by default the id.
        public var name: String?
        /// True if it is registered, and so would have a name.
        public var isRegistered = true
        /// True if it is a person.
        public var isPerson = false
        /// The last published room; nil if it is in none.
        public var room: String?
        /// The keys of its `telemetry` payload received so far.
        public var readings: Set<String> = []
        /// True if the state of its battery is published.
        public var hasBattery = false
        /// True if it has alert rules.
        public var hasAlerts = false

        /// An item without readings.
        public init(id: String, name: String?) { (self.id, self.name) = (id, name) }
    }

    /// A name for people made of an id: `living_room` is Living room.
    public static func name(of id: String) -> String {
        let words = id.split { $0 == "_" || $0 == "-" }.joined(separator: " ")
        return words.isEmpty ? id : words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The document of an item or a person.
    ///
    /// - Parameters:
    ///   - rooms: all rooms, in an order that doesn't change.
    ///   - fusers: its possible publishers.
    public static func item(
        _ item: Item, rooms: [Room], tracker: Tracker, fusers: [String], topics: Topics
    ) -> DiscoveryDocument {
        let (word, location) = (topics.room(item.id), topics.location(item.id))
        var room = DiscoveryComponent("room", .sensor, name: "Room")
        room.deviceClass = "enum"
        let left = item.room.map { room in rooms.contains { $0.id == room } ? [] : [room] } ?? []
        room.options = rooms.map(\.id) + left + ["away"]
        room.icon = "mdi:floor-plan"
        // A room outside the options would cause a warning: it is among those of the next document.
        room.state = (
            word,
            "{{ value if value in this.attributes.get('options',[value]) and value not in ('','unknown') else 'None' }}"
        )
        let named = rooms.filter { $0.name != $0.id }.map { (id: $0.id, name: $0.name) }
        if !named.isEmpty { room.attributes = (word, DiscoveryTemplates.attribute("room_name", named)) }

        var presence = DiscoveryComponent("presence", .binarySensor, name: "Presence")
        presence.deviceClass = "presence"
        presence.state = (word, DiscoveryTemplates.valueTexts(away: "OFF", room: "ON"))

        var place = DiscoveryComponent("tracker", .deviceTracker, name: nil)
        place.sourceType = "bluetooth_le"
        switch tracker {
        case .state(let zone):
            place.state = (word, DiscoveryTemplates.valueTexts(away: "not_home", room: "home"))
            place.attributes = (
                word, "{{ {'in_zones':[] if value in ('away','unknown','') else ['\(zone)']}|to_json }}"
            )
        case .inZones(let zone):
            // An unknown place leaves the zones unchanged: no value means it.
            place.attributes = (
                word,
                "{{ {'away':{'in_zones':[]},'unknown':{},'':{}}.get(value,{'in_zones':['\(zone)']})|to_json }}"
            )
        }

        var confidence = DiscoveryComponent("confidence", .sensor, name: "Confidence")
        (confidence.unit, confidence.category, confidence.icon) = ("%", "diagnostic", "mdi:help-circle-outline")
        confidence.state = (location, DiscoveryTemplates.percent("confidence"))

        var heard = DiscoveryComponent("heard", .sensor, name: "Last heard")
        (heard.deviceClass, heard.category) = ("timestamp", "diagnostic")
        heard.state = (location, DiscoveryTemplates.minute("heard"))

        var components = [room, presence, place, confidence, heard]
        if item.hasAlerts { components.append(alertComponent(of: item.id, topics)) }
        if item.hasBattery { components += batteryComponents(of: item.id, topics) }
        components += item.readings.sorted().compactMap { ItemReading.component($0, of: item.id, topics) }
        var document = DiscoveryDocument(
            name: item.name ?? name(of: item.id), model: item.isPerson ? person : "Item",
            availability: fusers.map(topics.fuserStatus), components: components)
        document.isNameGuessed = item.name == nil && !item.isRegistered
        document.entityName = entityName(document.name, id: item.id)
        return document
    }

    private static func alertComponent(of item: String, _ topics: Topics) -> DiscoveryComponent {
        var alert = DiscoveryComponent("alert", .binarySensor, name: "Alert")
        alert.deviceClass = "problem"
        alert.state = (topics.itemAlert(item), "{{ 'ON' if value else 'OFF' }}")
        alert.attributes = (
            topics.itemAlert(item),
            "{{ {'alerts':\(DiscoveryTemplates.map).alerts|default([])|map(attribute='alert')|list}|to_json }}"
        )
        return alert
    }

    /// The urgency of a change of the battery with its reason, and the days that are left.
    private static func batteryComponents(of item: String, _ topics: Topics) -> [DiscoveryComponent] {
        let topic = topics.itemBattery(item)
        var grade = DiscoveryComponent("battery_change", .sensor, name: "Battery change")
        (grade.deviceClass, grade.category, grade.icon) = ("enum", "diagnostic", "mdi:battery-clock")
        grade.options = BatteryReport.Grade.allCases.map(\.rawValue)
        grade.state = (topic, DiscoveryTemplates.value("grade"))
        grade.attributes = (topic, DiscoveryTemplates.members(["reason", "days_low", "days_high", "cell"]))
        var left = DiscoveryComponent("battery_days", .sensor, name: "Battery time left")
        (left.deviceClass, left.unit, left.precision) = ("duration", "d", 0)
        (left.stateClass, left.category) = ("measurement", "diagnostic")
        left.state = (topic, DiscoveryTemplates.value("days"))
        return [grade, left]
    }

    /// The keys of an item's entities of the older form.
    static let itemKeys = [
        "room", "presence", "tracker", "confidence", "heard", "alert", "battery_mv", "battery_percent", "temperature_c",
        "humidity_percent", "moisture_percent", "pressure_hpa", "illuminance_lx", "co2_ppm",
    ]
}
