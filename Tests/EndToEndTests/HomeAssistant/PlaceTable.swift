/// The entities that show places, in one report: each item's room, presence and tracker, Home Assistant's own person
/// and zone, and each room's occupancy.
struct PlaceTable {
    /// An item's entities.
    struct Row {
        var item: String
        var room, presence, tracker: String?
        var trackerID: String?
        var zones: [String]?
    }

    let rows: [Row]
    /// The state of the person that has the tracker of the keys, and the zones it is in.
    let person: Report.State?
    let zone: Report.State?
    /// The occupancy of rooms by their ids.
    let occupancy: [String: String?]

    init(_ report: Report, items: [String], rooms: [String]) {
        rows = items.map { item in
            let tracker = report.entity("whereabouts_item_\(item)_tracker")?.entityID
            return Row(
                item: item, room: report.state("whereabouts_item_\(item)_room"),
                presence: report.state("whereabouts_item_\(item)_presence"),
                tracker: report.state("whereabouts_item_\(item)_tracker"), trackerID: tracker,
                zones: tracker.flatMap { report.states[$0]?.attributes.inZones })
        }
        person = report.states[HomeAssistantCore.person.entity]
        zone = report.states["zone.home"]
        occupancy = Dictionary(
            uniqueKeysWithValues: rooms.map { ($0, report.state("whereabouts_room_\($0)_occupancy")) })
    }

    /// The room of an item.
    func room(_ item: String) -> String? { rows.first { $0.item == item }?.room }

    /// The entities that contradict the rooms of the items; empty if all agree.
    var contradictions: [String] {
        var faults: [String] = []
        func expect(_ name: String, _ seen: String?, _ wanted: String) {
            if seen != wanted { faults.append("\(name) is \(seen ?? "nowhere") in place of \(wanted)") }
        }
        for row in rows {
            guard let room = row.room, room != "unknown", room != "unavailable" else {
                faults.append("the room of \(row.item) is \(row.room ?? "nowhere")")
                continue
            }
            let isHome = room != "away"
            expect("the presence of \(row.item)", row.presence, isHome ? "on" : "off")
            expect("the tracker of \(row.item)", row.tracker, isHome ? "home" : "not_home")
            expect("in_zones of \(row.item)", row.zones.map(Self.list), Self.list(isHome ? ["zone.home"] : []))
        }
        let home = rows.filter { $0.tracker == "home" }.compactMap(\.trackerID)
        let isPersonHome = home.contains(HomeAssistantCore.person.tracker)
        expect("the person", person?.state, isPersonHome ? "home" : "not_home")
        expect("zone.home", zone?.state, isPersonHome ? "1" : "0")
        let persons = isPersonHome ? [HomeAssistantCore.person.entity] : []
        expect("persons of zone.home", zone?.attributes.persons.map(Self.list), Self.list(persons))
        if let trackers = zone?.attributes.trackers {
            expect("trackers of zone.home", Self.list(trackers), Self.list(home.sorted()))
        }
        if let zones = person?.attributes.inZones {
            expect("in_zones of the person", Self.list(zones), Self.list(isPersonHome ? ["zone.home"] : []))
        }
        for (room, state) in occupancy.sorted(by: { $0.key < $1.key }) {
            expect("the occupancy of \(room)", state, rows.contains { $0.room == room } ? "on" : "off")
        }
        return faults
    }

    /// The table as text: a line for each item, and one for the house.
    var text: String {
        func word(_ text: String?) -> String { text ?? "-" }
        let items = rows.map { row in
            "  \(row.item): room \(word(row.room)), presence \(word(row.presence)), tracker \(word(row.tracker)), "
                + "in_zones \(row.zones.map(Self.list) ?? "-")"
        }
        let rooms = occupancy.sorted { $0.key < $1.key }.map { "occupancy of \($0.key) \(word($0.value))" }
        let trackers = zone?.attributes.trackers.map { ", its trackers \(Self.list($0))" } ?? ""
        let house = "  person \(word(person?.state)), zone.home \(word(zone?.state))\(trackers), "
        return (items + [house + rooms.joined(separator: ", ")]).joined(separator: "\n")
    }

    private static func list(_ words: [String]) -> String { "[\(words.joined(separator: " "))]" }
}
