public import WireProtocol

extension DiscoveryDocument {
    /// The document of a room.
    ///
    /// - Parameters:
    ///   - area: the name of the area that its nodes suggest; nil for their own suggestion. They know the room's id
    ///     alone, so that the room's name would be a second area.
    ///   - isNameShared: true if another room has the same name.
    public static func room(
        _ room: Room, area: String? = nil, isNameShared: Bool = false, fusers: [String], topics: Topics
    ) -> DiscoveryDocument {
        let topic = topics.occupancy(room.id)
        var occupancy = DiscoveryComponent("occupancy", .binarySensor, name: "Occupancy")
        occupancy.deviceClass = "occupancy"
        occupancy.state = (topic, "{{ 'ON' if \(DiscoveryTemplates.map).count|default(0) else 'OFF' }}")
        var count = DiscoveryComponent("count", .sensor, name: "Occupants")
        (count.icon, count.precision, count.stateClass) = ("mdi:account-group", 0, "measurement")
        count.state = (topic, "{{ \(DiscoveryTemplates.map).count|default(0) }}")
        // By `get`: of an empty map, as of a cleared topic, `['items']` is its method of that name.
        count.attributes = (topic, "{{ {'items':\(DiscoveryTemplates.map).get('items',[])}|to_json }}")
        var document = DiscoveryDocument(
            name: room.name, model: "Room", area: area ?? name(of: room.id),
            availability: fusers.map(topics.fuserStatus),
            components: [occupancy, count])
        document.entityName = entityName(room.name, id: room.id, isShared: isNameShared)
        return document
    }

    /// The document of a node.
    ///
    /// - Parameters:
    ///   - area: the name of its area.
    ///   - regions: the ids of its published regions.
    ///   - hasRadio: true if it has a scan that can be restarted.
    public static func node(
        _ node: String, area: String, version: String, regions: [String], hasRadio: Bool, topics: Topics
    ) -> DiscoveryDocument {
        var status = DiscoveryComponent("status", .binarySensor, name: "Connectivity")
        status.isConnectivity(on: topics.nodeStatus(node))

        var reports = DiscoveryComponent("reports", .sensor, name: "Reports")
        (reports.unit, reports.category, reports.icon) = ("1/s", "diagnostic", "mdi:access-point")
        (reports.stateClass, reports.precision) = ("measurement", 0)
        reports.state = (topics.nodeHealth(node), DiscoveryTemplates.value("reports_per_s"))

        var gap = DiscoveryComponent("gap", .sensor, name: "Radio gap")
        (gap.unit, gap.category, gap.icon) = ("%", "diagnostic", "mdi:bluetooth-off")
        (gap.stateClass, gap.precision) = ("measurement", 1)
        gap.state = (
            topics.nodeHealth(node),
            "{% set v=\(DiscoveryTemplates.map).gap|default(-1) %}{{ (v*100)|round(1) if v>=0 else 'None' }}"
        )

        let map = DiscoveryTemplates.map
        var problem = DiscoveryComponent("problem", .binarySensor, name: "Problem")
        (problem.deviceClass, problem.category) = ("problem", "diagnostic")
        problem.state = (
            topics.nodeInfo(node),
            "{% set i=\(map) %}{{ 'ON' if (i.radio|default({})).problem|default(false) or i.problems|default([])|count "
                + "or not i.status_read_back|default(true) else 'OFF' }}"
        )
        problem.attributes = (
            topics.nodeInfo(node),
            "{% set i=\(map) %}{% set r=i.radio|default({}) %}{{ {'radio':r.problem|default(none),"
                + "'mend':r.mend|default(none),'problems':i.problems|default([])}|to_json }}"
        )

        var components = [status, reports, gap, problem]
        if hasRadio {
            var rescan = DiscoveryComponent("rescan", .button, name: "Restart scan")
            (rescan.category, rescan.icon) = ("config", "mdi:restart")
            rescan.press = (topics.nodeCommand(node), #"{"action":"rescan"}"#)
            components.append(rescan)
        }
        var silence = DiscoveryComponent("silence", .button, name: "Silence for an hour")
        (silence.category, silence.icon) = ("config", "mdi:bell-sleep-outline")
        silence.press = (topics.nodeCommand(node), #"{"action":"silence","all":true,"for":3600}"#)
        components.append(silence)
        components += regions.map { region in
            var component = DiscoveryComponent(key(ofRegion: region), .binarySensor, name: "Region \(name(of: region))")
            component.deviceClass = "presence"
            component.state = (
                topics.region(region, node: node),
                "{{ {'inside':'ON','outside':'OFF'}.get(\(map).state|default(''),'None') }}"
            )
            return component
        }
        return DiscoveryDocument(
            name: "Node \(name(of: node))", model: "Node", area: area, version: version,
            availability: [topics.nodeStatus(node)], components: components)
    }

    /// A node's entities except its regions, by key.
    static let nodeEntities: [(key: String, platform: DiscoveryComponent.Platform)] = [
        ("status", .binarySensor), ("reports", .sensor), ("gap", .sensor), ("problem", .binarySensor),
        ("rescan", .button), ("silence", .button),
    ]

    /// The key of a region's entity.
    static func key(ofRegion region: String) -> String { "region_\(region)" }

    /// The device and the entity of a level in the older form, `<object>_<key>`; nil for any other text.
    static func entity(ofSingle level: String) -> (object: String, key: String)? {
        // Without firstRange(of:), the only function that would link Swift's regular expressions, 1 MB, into the agent.
        if level.utf8.starts(with: "node_".utf8),
            let place = level.indices.first(where: { level[$0...].hasPrefix("_region_") })
        {
            return (String(level[..<place]), String(level[place...].dropFirst()))
        }
        let keys = itemKeys + nodeEntities.map(\.key) + ["occupancy", "count", "role"]
        if let key = keys.filter({ level.hasSuffix("_\($0)") }).max(by: { $0.count < $1.count }) {
            return (String(level.dropLast(key.count + 1)), key)
        }
        guard let place = level.lastIndex(of: "_") else { return nil }
        return (String(level[..<place]), String(level[level.index(after: place)...]))
    }

    /// The document of a fuser.
    public static func fuser(_ fuser: String, version: String, topics: Topics) -> DiscoveryDocument {
        var status = DiscoveryComponent("status", .binarySensor, name: "Connectivity")
        status.isConnectivity(on: topics.fuserStatus(fuser))
        var role = DiscoveryComponent("role", .sensor, name: "Role")
        (role.deviceClass, role.category, role.icon) = ("enum", "diagnostic", "mdi:account-switch")
        role.options = ["serving", "standby", "starting"]
        role.state = (topics.fuserClaim(fuser), DiscoveryTemplates.value("state"))
        let map = DiscoveryTemplates.map
        var problem = DiscoveryComponent("problem", .binarySensor, name: "Problem")
        (problem.deviceClass, problem.category) = ("problem", "diagnostic")
        problem.state = (
            topics.fuserClaim(fuser), "{{ 'ON' if \(map).problems|default([])|count else 'OFF' }}"
        )
        problem.attributes = (
            topics.fuserClaim(fuser), "{{ {'problems':\(map).problems|default([])}|to_json }}"
        )
        return DiscoveryDocument(
            name: "Fuser \(name(of: fuser))", model: "Fuser", version: version,
            availability: [topics.fuserStatus(fuser)], components: [status, role, problem])
    }
}

extension DiscoveryComponent {
    /// Makes it the connectivity of a publisher.
    fileprivate mutating func isConnectivity(on topic: String) {
        deviceClass = "connectivity"
        category = "diagnostic"
        state = (topic, nil)
        words = ("online", "offline")
        // It shows that the other entities are unavailable.
        isAlwaysAvailable = true
    }
}
