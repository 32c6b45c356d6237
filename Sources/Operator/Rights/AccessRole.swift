internal import Bytes
internal import Integrations
internal import WireProtocol

/// The role of a user at the broker, and so the least rights that it must have there.
enum AccessRole: Hashable {
    /// A gateway: its node, the topics of its own actions, whether it makes offers over a topic, and its regions.
    case node(String, publishes: [String], offers: Bool, regions: [String])
    /// A fuser, with the shards that it reads.
    case fuser(String, shards: ClosedRange<UInt8>)
    /// A user of this name that registers, teaches, asks and commands.
    case `operator`(String)
    /// A user of this name that does all that, deletes data and changes settings.
    case administrator(String)
    /// A user that only reads.
    case viewer
    /// Home Assistant: it reads, and its buttons command.
    case homeAssistant
    /// A user that may read offers, which hold secrets.
    case offers
    /// The administrator of mosquitto's dynamic security.
    case admin

    /// The roles of people and of other programs, by the option that names them.
    static let people: [(option: String, role: @Sendable (_ user: String) -> AccessRole)] = [
        ("operator", { .operator($0) }), ("administrator", { .administrator($0) }), ("viewer", { _ in .viewer }),
        ("home-assistant", { _ in .homeAssistant }), ("offers", { _ in .offers }), ("admin", { _ in .admin }),
    ]

    /// A name that no other role of a fleet has.
    var name: String {
        switch self {
        case .node(let id, _, _, _): "node-\(id)"
        case .fuser(let id, _): "fuser-\(id)"
        case .operator(let user): "operator-\(user)"
        case .administrator(let user): "administrator-\(user)"
        case .viewer: "viewer"
        case .homeAssistant: "home-assistant"
        case .offers: "offers"
        case .admin: "admin"
        }
    }

    /// Its rights under a prefix.
    func rules(_ topics: Topics) -> [AccessRule] {
        switch self {
        case .node(let id, let publishes, let offers, _): Self.nodeRules(id, publishes, offers, topics)
        case .fuser(let id, let shards): Self.fuserRules(id, shards, topics)
        case .operator(let user): Self.operatorRules(user, topics)
        case .administrator(let user):
            Self.operatorRules(user, topics)
                + [
                    AccessRule(.write, topics.nodeCommand("+", .administer, user: user)),
                    AccessRule(.write, topics.fuserCommand("+", .administer, user: user)),
                    AccessRule(.both, topics.rollout),
                ]
                // It clears the topics of programs that are to be forgotten.
                + (topics.retained(ofNode: "+") + [topics.allFusers("status"), topics.allOccupancies]
                + ["location", "room", "alert", "telemetry", "battery"].map(topics.allItems))
                .map { AccessRule(.write, $0) }
        case .viewer:
            Self.readerRules(topics)
                + [
                    AccessRule(.read, topics.allWindows()), AccessRule(.read, topics.allFusers("claim")),
                    AccessRule(.read, topics.allItems("config")), AccessRule(.read, topics.rollout),
                ]
        case .homeAssistant:
            Self.readerRules(topics)
                + [
                    AccessRule(.read, topics.allItems("config")), AccessRule(.write, topics.nodeCommand("+")),
                    AccessRule(.write, topics.fuserCommand("+")), AccessRule(.read, topics.allFusers("claim")),
                ]
        case .offers: [AccessRule(.read, topics.offers("+", node: "+"))]
        case .admin: [AccessRule(.both, "$CONTROL/dynamic-security/#")]
        }
    }

    private static func operatorRules(_ user: String, _ topics: Topics) -> [AccessRule] {
        readerRules(topics)
            + [
                AccessRule(.read, topics.allWindows()), AccessRule(.read, topics.allFusers("claim")),
                AccessRule(.read, topics.rollout),
                AccessRule(.both, topics.allItems("config")), AccessRule(.write, topics.housePlan),
                AccessRule(.write, topics.allFloorPictures),
                AccessRule(.write, topics.nodeCommand("+", .operate, user: user)),
                AccessRule(.write, topics.fuserCommand("+", .operate, user: user)),
                AccessRule(.read, topics.commandResult("+")), AccessRule(.read, topics.fuserCommandResult("+")),
                AccessRule(.both, topics.replies("+")),
            ]
    }

    private static func nodeRules(
        _ id: String, _ publishes: [String], _ offers: Bool, _ topics: Topics
    ) -> [AccessRule] {
        // It reads its retained messages back: to check their arrival, and to clear those that no longer apply.
        var rules = topics.retained(ofNode: id).map { AccessRule(.both, $0) }
        rules += [topics.scan(id), topics.nodeEvents(id), topics.allWindows(node: id), topics.commandResult(id)]
            .map { AccessRule(.write, $0) }
        if offers { rules.append(AccessRule(.write, topics.offers("+", node: id))) }
        rules += (topics.nodeCommands(id) + [topics.allItems("config")]).map { AccessRule(.read, $0) }
        rules.append(AccessRule(.write, topics.replies("+")))
        rules += publishes.map { AccessRule(.write, $0) }
        return rules
    }

    private static func fuserRules(_ id: String, _ shards: ClosedRange<UInt8>, _ topics: Topics) -> [AccessRule] {
        let windows =
            shards.count == 256
            ? [topics.allWindows()] : shards.map { topics.allWindows(shard: Hex.text($0, digits: 2)) }
        let answers = ["config", "location", "room", "events", "alert", "telemetry", "battery"].map(topics.allItems)
        var rules = [topics.fuserStatus(id), topics.fuserClaim(id)].map { AccessRule(.both, $0) }
        rules += (answers + [topics.allOccupancies, topics.allLessons, topics.housePlan, topics.allFloorPictures]).map {
            AccessRule(.both, $0)
        }
        // Its page shows the health of nodes.
        rules += ["status", "info", "health", "scan", "events"].map { AccessRule(.read, topics.allNodes($0)) }
        rules += windows.map { AccessRule(.read, $0) }
        rules += ["status", "claim"].map { AccessRule(.read, topics.allFusers($0)) }
        rules += (topics.fuserCommands(id) + [topics.commandResult("+")]).map { AccessRule(.read, $0) }
        // It asks nodes to repeat the events it missed, and records who commands them.
        rules += topics.nodeCommands("+").map { AccessRule($0 == topics.nodeCommand("+") ? .both : .read, $0) }
        // Others are asked likewise, by a name of its own.
        rules += [topics.fuserCommandResult(id), topics.fuserCommand("+", byPeer: id)].map { AccessRule(.write, $0) }
        rules += [AccessRule(.write, topics.replies("+")), AccessRule(.read, topics.fuserReplies(id))]
        return rules
    }

    /// The rights of every user that reads.
    private static func readerRules(_ topics: Topics) -> [AccessRule] {
        ["status", "info", "health", "scan", "events"].map { AccessRule(.read, topics.allNodes($0)) }
            + [AccessRule(.read, topics.allRegions), AccessRule(.read, topics.allProximities)]
            + ["location", "room", "events", "alert", "telemetry", "battery"].map {
                AccessRule(.read, topics.allItems($0))
            }
            + [AccessRule(.read, topics.housePlan), AccessRule(.read, topics.allFloorPictures)]
            + [AccessRule(.read, topics.allOccupancies), AccessRule(.read, topics.allFusers("status"))]
    }
}

extension AccessRole {
    /// Its rights on the discovery topics of Home Assistant.
    func rules(_ places: [DiscoveryPlace]) -> [AccessRule] { places.flatMap(rules) }

    private func rules(_ place: DiscoveryPlace) -> [AccessRule] {
        switch self {
        case .node(let id, _, _, let regions):
            // Its retained messages are read back, entities of the older form too.
            let node = DiscoveryPlace.node(id)
            return [AccessRule(.both, place.device(node)), AccessRule(.read, place.birth)]
                + place.singles(ofNode: id, regions: regions).map { AccessRule(.both, $0) }
        case .fuser: return [AccessRule(.both, place.all), AccessRule(.read, place.birth)]
        case .administrator: return [AccessRule(.both, place.all)]
        // It clears what its user deletes, and all else under its prefix is its own.
        case .homeAssistant: return [AccessRule(.both, "\(place.prefix)/#")]
        case .operator, .viewer, .offers, .admin: return []
        }
    }
}
