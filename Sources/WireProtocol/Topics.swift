internal import Crypto

/// The topics of the wire contract, under one prefix.
public struct Topics: Sendable, Hashable {
    /// The beginning of all topics, without a slash at its end; `whereabouts` by default.
    public let prefix: String
    /// The beginning of the topics of all windows.
    let windowPrefix: String

    /// The topics under `prefix`.
    public init(prefix: String = "whereabouts") {
        self.prefix = prefix
        windowPrefix = "\(prefix)/windows/"
    }

    /// The levels of a topic that may name an item, a beacon or anything else, and no part of this contract.
    public static func names(in topic: String) -> [String] {
        topic.split(separator: "/").dropFirst().map(String.init).filter { !words.contains($0) }
    }

    /// The levels that are words of this contract.
    private static let words: Set = [
        "nodes", "items", "windows", "rooms", "fuser", "lessons", "replies", "house", "status", "info", "scan",
        "health",
        "regions", "events", "offers", "proximity", "command", "result", "claim", "location", "room", "config", "alert",
        "telemetry", "occupancy", "plan", "pictures", "fleet", "rollout", "operate", "administer",
    ]

    // MARK: A node's

    /// `online` or `offline`, retained.
    public func nodeStatus(_ node: String) -> String { "\(prefix)/nodes/\(node)/status" }
    /// The node's identity, build and settings, retained.
    public func nodeInfo(_ node: String) -> String { "\(prefix)/nodes/\(node)/info" }
    /// The message after each interval's windows: alive and scanning.
    public func scan(_ node: String) -> String { "\(prefix)/nodes/\(node)/scan" }
    /// The performance of its radio in the last minute, retained.
    public func nodeHealth(_ node: String) -> String { "\(prefix)/nodes/\(node)/health" }
    /// The state of a region at a node, retained.
    public func region(_ region: String, node: String) -> String { "\(prefix)/nodes/\(node)/regions/\(region)" }
    /// All that happens at a node.
    public func nodeEvents(_ node: String) -> String { "\(prefix)/nodes/\(node)/events" }
    /// A node's offers for one visit of a region or an item, by its id.
    public func offers(_ id: String, node: String) -> String { "\(prefix)/nodes/\(node)/offers/\(id)" }
    /// The proximity of a beacon to a node, retained. `beacon` is the item's id, or else the canonical id.
    public func proximity(beacon: String, node: String) -> String { "\(prefix)/nodes/\(node)/proximity/\(beacon)" }
    /// The packets of a beacon that a node received in one interval. `beacon` is the item's id, or else the canonical
    /// id.
    public func window(beacon: String, node: String) -> String {
        "\(prefix)/windows/\(Self.shard(of: beacon))/\(beacon)/\(node)"
    }

    /// Requests to the node.
    public func nodeCommand(_ node: String) -> String { "\(prefix)/nodes/\(node)/command" }
    /// The node's answers, if a request names no other topic.
    public func commandResult(_ node: String) -> String { "\(prefix)/nodes/\(node)/command/result" }

    /// The first byte, as two hexadecimal digits, of the SHA-256 of a `<beacon>` level.
    ///
    /// Several fusers split the work by it, one subscription filter a shard, on any MQTT cluster.
    public static func shard(of beacon: String) -> String { SHA256.hex(beacon, digits: 2) }

    /// The same as a number: the shard of a `<beacon>`, an item or a room.
    public static func shardNumber(of level: String) -> UInt8 { SHA256.digest(level)[0] }

    // MARK: A fuser's

    /// `online` or `offline`, retained.
    public func fuserStatus(_ fuser: String) -> String { "\(prefix)/fuser/\(fuser)/status" }
    /// The shards of a fuser, every three seconds.
    public func fuserClaim(_ fuser: String) -> String { "\(prefix)/fuser/\(fuser)/claim" }
    /// Requests to the fuser.
    public func fuserCommand(_ fuser: String) -> String { "\(prefix)/fuser/\(fuser)/command" }
    /// The fuser's answers, if a request names no other topic.
    public func fuserCommandResult(_ fuser: String) -> String { "\(prefix)/fuser/\(fuser)/command/result" }
    /// The location of an item, with the reason, retained.
    public func location(_ item: String) -> String { "\(prefix)/items/\(item)/location" }
    /// The plain room id, `away` or `unknown`, retained.
    public func room(_ item: String) -> String { "\(prefix)/items/\(item)/room" }
    /// The item's moves.
    public func itemEvents(_ item: String) -> String { "\(prefix)/items/\(item)/events" }
    /// The open alerts of an item, retained.
    public func itemAlert(_ item: String) -> String { "\(prefix)/items/\(item)/alert" }
    /// Returns true if a topic is one of open alerts of an item.
    public func isItemAlert(_ topic: String) -> Bool {
        topic.utf8.count > prefix.utf8.count + 7 && topic.hasSuffix("/alert") && topic.hasPrefix("\(prefix)/items/")
    }
    /// The latest readings of an item's beacon, retained.
    public func itemTelemetry(_ item: String) -> String { "\(prefix)/items/\(item)/telemetry" }
    /// The state of an item's battery, retained.
    public func itemBattery(_ item: String) -> String { "\(prefix)/items/\(item)/battery" }
    /// A lesson of a fuser, for all others, retained; or its removal.
    public func lesson(_ key: String) -> String { "\(prefix)/lessons/\(key)" }
    /// The persons and items in a room, retained.
    public func occupancy(_ room: String) -> String { "\(prefix)/rooms/\(room)/occupancy" }

    // MARK: Everybody's

    /// The plan of the house that people drew, retained.
    public var housePlan: String { "\(prefix)/house/plan" }
    /// The picture of a floor of that plan, retained.
    public func floorPicture(_ floor: String) -> String { "\(prefix)/house/pictures/\(floor)" }
    /// The pictures of all floors.
    public var allFloorPictures: String { "\(prefix)/house/pictures/+" }

    /// The rollout of settings that runs or was interrupted, retained.
    public var rollout: String { "\(prefix)/fleet/rollout" }

    /// The registry's entry of an item, retained.
    public func itemConfig(_ item: String) -> String { "\(prefix)/items/\(item)/config" }
    /// A client's own topic: answers to its requests, and its marks in the stream of its subscriptions.
    public func replies(_ client: String) -> String { "\(prefix)/replies/\(client)" }

    /// The topic of nodes' answers to a fuser.
    public func fuserReplies(_ fuser: String) -> String { replies("whereabouts-fuser-\(fuser)") }

    // MARK: Subscriptions

    /// All windows of one shard (two hexadecimal digits) or of all shards, of one node or of all nodes.
    public func allWindows(shard: String = "+", node: String = "+") -> String {
        "\(prefix)/windows/\(shard)/+/\(node)"
    }
    /// One kind (`status`, `info`, `scan` …) of all nodes' topics.
    public func allNodes(_ kind: String) -> String { "\(prefix)/nodes/+/\(kind)" }
    /// All regions of all nodes.
    public var allRegions: String { "\(prefix)/nodes/+/regions/+" }
    /// All beacons near all nodes.
    public var allProximities: String { "\(prefix)/nodes/+/proximity/+" }
    /// One kind (`location`, `room`, `events` …) of all items' topics.
    public func allItems(_ kind: String) -> String { "\(prefix)/items/+/\(kind)" }
    /// One kind of all fusers' topics.
    public func allFusers(_ kind: String) -> String { "\(prefix)/fuser/+/\(kind)" }
    /// All that a broker retains of a node, by filters that an access list grants one by one.
    public func retained(ofNode node: String) -> [String] {
        [
            nodeStatus(node), nodeInfo(node), nodeHealth(node), region("+", node: node),
            proximity(beacon: "+", node: node),
        ]
    }
    /// All lessons.
    public var allLessons: String { "\(prefix)/lessons/+" }
    /// The occupancy of all rooms.
    public var allOccupancies: String { "\(prefix)/rooms/+/occupancy" }
}
