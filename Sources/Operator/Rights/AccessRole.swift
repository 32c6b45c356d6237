internal import Bytes
internal import WireProtocol

/// What somebody is to the broker, and so the least that they must be allowed there.
enum AccessRole: Hashable {
    /// A gateway: its node, the topics of its own actions, whether it makes offers over a topic, and its regions.
    case node(String, publishes: [String], offers: Bool, regions: [String])
    /// A fuser, with the shards that it reads.
    case fuser(String, shards: ClosedRange<UInt8>)
    /// Who registers, teaches, asks and commands.
    case `operator`
    /// Who looks on.
    case viewer
    /// Home Assistant: it looks on, and its buttons command.
    case homeAssistant
    /// Who may read offers, which hold secrets.
    case offers
    /// Who manages mosquitto's dynamic security.
    case admin

    /// The roles of people and of other programs, by the option that names them.
    static let people: [(option: String, role: AccessRole)] = [
        ("operator", .operator), ("viewer", .viewer), ("home-assistant", .homeAssistant), ("offers", .offers),
        ("admin", .admin),
    ]

    /// A name that no other role of a fleet has.
    var name: String {
        switch self {
        case .node(let id, _, _, _): "node-\(id)"
        case .fuser(let id, _): "fuser-\(id)"
        case .operator: "operator"
        case .viewer: "viewer"
        case .homeAssistant: "home-assistant"
        case .offers: "offers"
        case .admin: "admin"
        }
    }

    /// What it may do under a prefix.
    func rules(_ topics: Topics) -> [AccessRule] {
        switch self {
        case .node(let id, let publishes, let offers, _): Self.node(id, publishes, offers, topics)
        case .fuser(let id, let shards): Self.fuser(id, shards, topics)
        case .operator:
            Self.looking(topics)
                + [
                    AccessRule(.read, topics.allWindows()), AccessRule(.read, topics.allFusers("claim")),
                    AccessRule(.both, topics.allItems("config")), AccessRule(.write, topics.nodeCommand("+")),
                    AccessRule(.write, topics.fuserCommand("+")), AccessRule(.read, topics.commandResult("+")),
                    AccessRule(.read, topics.fuserCommandResult("+")), AccessRule(.both, topics.replies("+")),
                    // What is to be forgotten of who is gone is cleared.
                    AccessRule(.write, topics.allNodes("status")), AccessRule(.write, topics.allNodes("info")),
                    AccessRule(.write, topics.allNodes("health")), AccessRule(.write, topics.allRegions),
                    AccessRule(.write, topics.allProximities),
                    AccessRule(.write, topics.allFusers("status")), AccessRule(.write, topics.allItems("location")),
                    AccessRule(.write, topics.allItems("room")), AccessRule(.write, topics.allItems("alert")),
                    AccessRule(.write, topics.allItems("telemetry")), AccessRule(.write, topics.allOccupancies),
                ]
        case .viewer:
            Self.looking(topics)
                + [
                    AccessRule(.read, topics.allWindows()), AccessRule(.read, topics.allFusers("claim")),
                    AccessRule(.read, topics.allItems("config")),
                ]
        case .homeAssistant:
            Self.looking(topics)
                + [
                    AccessRule(.read, topics.allItems("config")), AccessRule(.write, topics.nodeCommand("+")),
                    AccessRule(.write, topics.fuserCommand("+")), AccessRule(.read, topics.allFusers("claim")),
                ]
        case .offers: [AccessRule(.read, topics.offers("+", node: "+"))]
        case .admin: [AccessRule(.both, "$CONTROL/dynamic-security/#")]
        }
    }

    private static func node(
        _ id: String, _ publishes: [String], _ offers: Bool, _ topics: Topics
    ) -> [AccessRule] {
        // What is retained of it it reads back: whether it arrived, and what it no longer stands for.
        topics.retained(ofNode: id).map { AccessRule(.both, $0) }
            + [topics.scan(id), topics.nodeEvents(id), topics.allWindows(node: id), topics.commandResult(id)]
            .map { AccessRule(.write, $0) }
            + (offers ? [AccessRule(.write, topics.offers("+", node: id))] : [])
            + [topics.nodeCommand(id), topics.allItems("config")].map { AccessRule(.read, $0) }
            + [AccessRule(.write, topics.replies("+"))]
            + publishes.map { AccessRule(.write, $0) }
    }

    private static func fuser(_ id: String, _ shards: ClosedRange<UInt8>, _ topics: Topics) -> [AccessRule] {
        let windows =
            shards.count == 256
            ? [topics.allWindows()] : shards.map { topics.allWindows(shard: Hex.text($0, digits: 2)) }
        let answers = ["config", "location", "room", "events", "alert", "telemetry"].map(topics.allItems)
        return [topics.fuserStatus(id), topics.fuserClaim(id)].map { AccessRule(.both, $0) }
            + (answers + [topics.allOccupancies, topics.allLessons]).map { AccessRule(.both, $0) }
            + ["status", "info", "scan", "events"].map { AccessRule(.read, topics.allNodes($0)) }
            + windows.map { AccessRule(.read, $0) }
            + ["status", "claim"].map { AccessRule(.read, topics.allFusers($0)) }
            + [topics.fuserCommand(id), topics.commandResult("+")].map { AccessRule(.read, $0) }
            // It asks nodes to tell again what it missed.
            + [topics.fuserCommandResult(id), topics.nodeCommand("+")].map { AccessRule(.write, $0) }
            + [
                AccessRule(.write, topics.replies("+")), AccessRule(.read, topics.fuserReplies(id)),
            ]
    }

    /// What everybody sees who looks on.
    private static func looking(_ topics: Topics) -> [AccessRule] {
        ["status", "info", "health", "scan", "events"].map { AccessRule(.read, topics.allNodes($0)) }
            + [AccessRule(.read, topics.allRegions), AccessRule(.read, topics.allProximities)]
            + ["location", "room", "events", "alert", "telemetry"].map { AccessRule(.read, topics.allItems($0)) }
            + [AccessRule(.read, topics.allOccupancies), AccessRule(.read, topics.allFusers("status"))]
    }
}
