/// Where the documents of one house stand that Home Assistant reads (home-assistant.io/integrations/mqtt, "Discovery
/// messages"): `<prefix>/device/<site>/<object>/config`.
public struct DiscoveryPlace: Hashable, Sendable {
    /// The discovery prefix.
    public let prefix: String
    /// The id of the house, which all its topics and unique ids begin with.
    public let site: String

    /// The place of the house whose topics begin with `topicPrefix`.
    public init(prefix: String, topicPrefix: String) {
        self.prefix = prefix
        site = ObjectID(topicPrefix).description
    }

    // MARK: Objects

    /// An item's, or a person's.
    public static func item(_ id: String) -> String { "item_\(id)" }
    /// A room's.
    public static func room(_ id: String) -> String { "room_\(id)" }
    /// A node's.
    public static func node(_ id: String) -> String { "node_\(id)" }
    /// A fuser's.
    public static func fuser(_ name: String) -> String { "fuser_\(name)" }
    /// The id of which an object is made, where it is of that kind (`item`, `room`, `node`, `fuser`).
    public static func id(of object: String, kind: String) -> String? {
        guard object.utf8.starts(with: "\(kind)_".utf8), object.utf8.count > kind.utf8.count + 1 else { return nil }
        return String(object.dropFirst(kind.count + 1))
    }

    // MARK: Topics

    /// A device's document, retained.
    public func device(_ object: String) -> String { "\(prefix)/device/\(site)/\(object)/config" }
    /// The older form, a topic for each entity: it is read to be taken over, and never written otherwise.
    public func single(_ platform: String, _ object: String, _ key: String) -> String {
        "\(prefix)/\(platform)/\(site)/\(object)_\(key)/config"
    }
    /// The topics of a node's entities of the older form, with these regions. Of any platform they would be the device of
    /// node `kitchen_gap` as well as an entity of node `kitchen`.
    public func singles(ofNode node: String, regions: [String]) -> [String] {
        let regions = regions.map { (DiscoveryDocument.key(ofRegion: $0), DiscoveryComponent.Platform.binarySensor) }
        return (DiscoveryDocument.nodeEntities + regions).map { key, platform in
            single(platform.rawValue, Self.node(node), key)
        }
    }
    /// All documents of the house, of both forms.
    public var all: String { "\(prefix)/+/\(site)/+/config" }
    /// Where Home Assistant says that it has started, `online`, and retains that only where it is told to.
    public var birth: String { "\(prefix)/status" }

    /// What a topic holds: the platform (`device` for a whole device) and what its last level names; nil for others.
    public func object(of topic: String) -> (platform: String, object: String)? {
        guard let levels = topic.levels(under: prefix), levels.count == 4, levels[1] == site, levels[3] == "config"
        else { return nil }
        return (String(levels[0]), String(levels[2]))
    }

    /// Whether Home Assistant says there whether it has started.
    func isBirth(_ topic: String) -> Bool { topic.levels(under: prefix) == ["status"] }
}
