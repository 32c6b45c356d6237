/// The entities that a user wants in Home Assistant for a house: these devices with these entities and nothing else of
/// ours, each with a state.
struct HouseWish {
    /// Items by id, with their names.
    var items = ["keys": "Anna's keys", "cat": "The cat", "drill": "Drill"]
    /// Items whose beacon sends its voltage and temperature.
    var withTelemetry: Set<String> = ["cat"]
    /// Rooms by id, with their names.
    var rooms = ["kitchen": "Kitchen", "living": "Living"]
    /// The areas of rooms with another name than their own, by room.
    var roomAreas: [String: String] = [:]
    /// Nodes by id, with the room of each.
    var nodes = ["kitchen": "kitchen", "living": "living"]
    /// Regions by node.
    var regions: [String: [String]] = [:]
    /// Nodes that are off: all but their connectivity is unavailable.
    var nodesOff: Set<String> = []
    /// The fusers, and those of them that are off.
    var fusers = ["main"]
    var fusersOff: Set<String> = []
    /// Areas of devices that are not those of their rooms, by identifier.
    var areas: [String: String] = [:]

    static let itemKeys = ["room", "presence", "tracker", "confidence", "heard"]
    static let telemetryKeys = ["battery_mv", "temperature_c", "battery_change", "battery_days"]
    static let roomKeys = ["occupancy", "count"]
    static let nodeKeys = ["status", "reports", "gap", "problem", "silence"]
    static let fuserKeys = ["status", "role", "problem"]

    /// A device as it should be.
    private struct Device {
        var name: String?
        var area: String?
        var keys: [String]
        /// The one entity that has a state while its publisher is off.
        var isOff = false
    }

    private var devices: [String: Device] {
        var devices: [String: Device] = [:]
        for (id, name) in items {
            let more = withTelemetry.contains(id) ? Self.telemetryKeys : []
            devices["whereabouts_item_\(id)"] = Device(name: name, keys: Self.itemKeys + more)
        }
        for (id, name) in rooms {
            devices["whereabouts_room_\(id)"] = Device(name: name, area: roomAreas[id] ?? name, keys: Self.roomKeys)
        }
        for (id, room) in nodes {
            let regions = (regions[id] ?? []).map { "region_\($0)" }
            devices["whereabouts_node_\(id)"] = Device(
                area: roomAreas[room] ?? rooms[room], keys: Self.nodeKeys + regions, isOff: nodesOff.contains(id))
        }
        for name in fusers {
            devices["whereabouts_fuser_\(name)"] = Device(keys: Self.fuserKeys, isOff: fusersOff.contains(name))
        }
        for (identifier, area) in areas { devices[identifier]?.area = area }
        return devices
    }

    /// The deviations from a user's wish; empty if there are none.
    func faults(in report: Report) -> [String] {
        var faults: [String] = []
        let devices = devices
        let ours = report.devices.filter { $0.identifiers.contains { $0.hasPrefix("whereabouts_") } }
        for device in ours where !device.identifiers.allSatisfy({ devices[$0] != nil }) || device.identifiers.count != 1
        {
            faults.append("a device that nobody wants: \(device.identifiers) \(device.name ?? "without a name")")
        }
        for (identifier, wish) in devices.sorted(by: { $0.key < $1.key }) {
            guard let device = report.device(identifier) else {
                faults.append("no device \(identifier)")
                continue
            }
            if device.name == nil || (wish.name != nil && device.name != wish.name) {
                faults.append(
                    "\(identifier) is called \(device.name ?? "nothing") in place of \(wish.name ?? "something")")
            }
            if device.area != wish.area {
                faults.append("\(identifier) is in \(device.area ?? "no area"), not in \(wish.area ?? "none")")
            }
            if device.manufacturer == nil || device.model == nil {
                faults.append("\(identifier) has no maker or model")
            }
            faults += entityFaults(of: identifier, wish, device, report)
        }
        let all = Set(devices.flatMap { identifier, wish in wish.keys.map { "\(identifier)_\($0)" } })
        for entity in report.ours where !all.contains(entity.uniqueID) {
            let state = report.states[entity.entityID]?.state ?? "no state"
            faults.append("an entity that nobody wants: \(entity.entityID) (\(entity.uniqueID)): \(state)")
        }
        return faults
    }

    private func entityFaults(
        of identifier: String, _ wish: Device, _ device: Report.Device, _ report: Report
    ) -> [String] {
        var faults: [String] = []
        for key in wish.keys {
            guard let entity = report.entity("\(identifier)_\(key)") else {
                faults.append("no entity \(identifier)_\(key)")
                continue
            }
            if entity.device != device.id { faults.append("\(entity.entityID) belongs to another device") }
            if entity.entityID.hasSuffix("_2") { faults.append("\(entity.entityID) is a second one") }
            guard entity.disabled == nil else { continue }
            let state = report.states[entity.entityID]?.state
            let isAway = state == nil || state == "unavailable"
            if wish.isOff && key != "status" {
                if state != "unavailable" {
                    faults.append("\(entity.entityID) is \(state ?? "nowhere") of one that is off")
                }
            } else if key == "battery_days", state == "unknown" {
                // A trend needs weeks of readings.
                continue
            } else if isAway || (state == "unknown" && !entity.entityID.hasPrefix("button.")) {
                faults.append("\(entity.entityID) is \(state ?? "nowhere")")
            } else if key == "status", state != (wish.isOff ? "off" : "on") {
                faults.append("\(entity.entityID) is \(state ?? "nowhere")")
            }
        }
        return faults
    }
}
