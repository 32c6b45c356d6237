internal import Bytes

/// The kind of message that a topic carries.
public enum TopicKind: Hashable, Sendable {
    case nodeStatus(node: String)
    case nodeInfo(node: String)
    case scan(node: String)
    case nodeHealth(node: String)
    case region(region: String, node: String)
    case nodeEvents(node: String)
    case proximity(beacon: String, node: String)
    case window(beacon: String, node: String)
    case fuserStatus(fuser: String)
    case fuserClaim(fuser: String)
    case location(item: String)
    case room(item: String)
    case itemEvents(item: String)
    case itemAlert(item: String)
    case itemTelemetry(item: String)
    case itemBattery(item: String)
    case occupancy(room: String)
    case itemConfig(item: String)
    case lesson(key: String)
    case housePlan
    case floorPicture(floor: String)
    case rollout
    /// `sender` is nil on the topic of programs.
    case nodeCommand(node: String, sender: CommandSender? = nil)
    case commandResult(node: String)
    /// `sender` is nil on the topic of programs.
    case fuserCommand(fuser: String, sender: CommandSender? = nil)
    case fuserCommandResult(fuser: String)
    case replies(client: String)
}

extension TopicKind {
    /// The owner of a topic, which alone publishes on it.
    public enum Speaker: Hashable, Sendable {
        case node(String)
        case fuser(String)

        /// Its id.
        public var name: String {
            switch self {
            case .node(let name), .fuser(let name): name
            }
        }
    }

    /// The node or the fuser that owns the topic and alone publishes on it; nil for topics of items, rooms and
    /// commands.
    public var speaker: Speaker? {
        switch self {
        case .nodeStatus(let node), .nodeInfo(let node), .scan(let node), .nodeHealth(let node), .nodeEvents(let node),
            .region(_, let node), .proximity(_, let node), .window(_, let node), .commandResult(let node):
            .node(node)
        case .fuserStatus(let fuser), .fuserClaim(let fuser), .fuserCommandResult(let fuser): .fuser(fuser)
        case .location, .room, .itemEvents, .itemAlert, .itemTelemetry, .itemBattery, .occupancy, .itemConfig, .lesson,
            .housePlan,
            .floorPicture, .rollout, .nodeCommand, .fuserCommand, .replies:
            nil
        }
    }
}

extension Topics {
    /// The kind of `topic`, or nil if it is none of the known ones under this prefix.
    ///
    /// Its names are checked: the result holds only ids that are valid by `Identifier`.
    public func kind(of topic: String) -> TopicKind? {
        // By bytes, as a broker compares them: `hasPrefix` treats some texts with different bytes as equal.
        let bytes = topic.utf8.span
        // Most topics are of windows.
        if bytes.begins(with: windowPrefix) {
            return Self.window(bytes.extracting(windowPrefix.utf8.count..<bytes.count))
        }
        guard bytes.begins(with: prefix) else { return nil }
        let rest = topic.utf8.dropFirst(prefix.utf8.count)
        guard rest.first == UInt8(ascii: "/") else { return nil }
        let levels = rest.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        if levels.count == 4 {
            switch levels[0] {
            case "fuser": return ofFuser(levels)
            default: return ofNode(levels)
            }
        }
        if levels.count == 2 {
            if levels[0] == "replies", Identifier.isValid(levels[1]) { return .replies(client: levels[1]) }
            if levels == ["house", "plan"] { return .housePlan }
            if levels == ["fleet", "rollout"] { return .rollout }
            return levels[0] == "lessons" ? lesson(levels[1]) : nil
        }
        if levels.count == 3, levels[0] == "house", levels[1] == "pictures" {
            return Identifier.isValid(levels[2]) ? .floorPicture(floor: levels[2]) : nil
        }
        guard levels.count == 3, Identifier.isValid(levels[1]) else { return nil }
        let name = levels[1]
        switch (levels[0], levels[2]) {
        case ("nodes", "status"): return .nodeStatus(node: name)
        case ("nodes", "info"): return .nodeInfo(node: name)
        case ("nodes", "scan"): return .scan(node: name)
        case ("nodes", "health"): return .nodeHealth(node: name)
        case ("nodes", "events"): return .nodeEvents(node: name)
        case ("fuser", "status"): return .fuserStatus(fuser: name)
        case ("fuser", "claim"): return .fuserClaim(fuser: name)
        case ("items", "location"): return .location(item: name)
        case ("items", "room"): return .room(item: name)
        case ("items", "events"): return .itemEvents(item: name)
        case ("items", "alert"): return .itemAlert(item: name)
        case ("items", "telemetry"): return .itemTelemetry(item: name)
        case ("items", "battery"): return .itemBattery(item: name)
        case ("items", "config"): return .itemConfig(item: name)
        case ("nodes", "command"): return .nodeCommand(node: name)
        case ("fuser", "command"): return .fuserCommand(fuser: name)
        case ("rooms", "occupancy"): return .occupancy(room: name)
        default: return nil
        }
    }

    private func lesson(_ key: String) -> TopicKind? {
        Identifier.isBeaconLevel(key) ? .lesson(key: key) : nil
    }

    /// Returns true if `topic` is one of windows, valid or not. Quicker than its kind.
    public func isWindow(_ topic: String) -> Bool { topic.utf8.span.begins(with: windowPrefix) }

    /// The kind of a window's topic, of its levels from the shard on.
    private static func window(_ levels: Span<UInt8>) -> TopicKind? {
        let slash = UInt8(ascii: "/")
        guard let first = levels.firstIndex(of: slash, from: 0),
            let second = levels.firstIndex(of: slash, from: first + 1),
            let beacon = levels.extracting(first + 1..<second).text, Identifier.isBeaconLevel(beacon),
            let node = levels.extracting(second + 1..<levels.count).text, Identifier.isValid(node)
        else { return nil }
        return .window(beacon: beacon, node: node)
    }

    private func ofFuser(_ levels: [String]) -> TopicKind? {
        guard Identifier.isValid(levels[1]) else { return nil }
        if let sender = Self.sender(levels) { return .fuserCommand(fuser: levels[1], sender: sender) }
        return levels[2] == "command" && levels[3] == "result" ? .fuserCommandResult(fuser: levels[1]) : nil
    }

    private func ofNode(_ levels: [String]) -> TopicKind? {
        guard levels[0] == "nodes", Identifier.isValid(levels[1]) else { return nil }
        switch levels[2] {
        case "regions" where Identifier.isValid(levels[3]): return .region(region: levels[3], node: levels[1])
        case "proximity" where Identifier.isBeaconLevel(levels[3]):
            return .proximity(beacon: levels[3], node: levels[1])
        case "command" where levels[3] == "result": return .commandResult(node: levels[1])
        default: return Self.sender(levels).map { .nodeCommand(node: levels[1], sender: $0) }
        }
    }
}
