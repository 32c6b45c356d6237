/// The place of one house's discovery documents (home-assistant.io/integrations/mqtt, "Discovery messages"):
/// `<prefix>/device/<site>/<object>/config`.
public struct DiscoveryPlace: Hashable, Sendable {
    /// The discovery prefix.
    public let prefix: String
    /// The id of the house, the beginning of all its topics and unique ids.
    public let site: String

    /// The place of the house whose topics begin with `topicPrefix`.
    public init(prefix: String, topicPrefix: String) {
        self.prefix = prefix
        site = ObjectID(topicPrefix).description
    }

    // MARK: Objects

    /// The object of an item, or a person.
    public static func item(_ id: String) -> String { "item_\(id)" }
    /// The object of a room.
    public static func room(_ id: String) -> String { "room_\(id)" }
    /// The object of a node.
    public static func node(_ id: String) -> String { "node_\(id)" }
    /// The object of a fuser.
    public static func fuser(_ name: String) -> String { "fuser_\(name)" }
    /// The id within an object of this kind (`item`, `room`, `node`, `fuser`); nil for another kind.
    public static func id(of object: String, kind: String) -> String? {
        guard object.utf8.starts(with: "\(kind)_".utf8), object.utf8.count > kind.utf8.count + 1 else { return nil }
        return String(object.dropFirst(kind.count + 1))
    }

    // MARK: Topics

    /// A device's document, retained.
    public func device(_ object: String) -> String { "\(prefix)/device/\(site)/\(object)/config" }
    /// The topic of an entity in the older form: read for the migration, and never written otherwise.
    public func single(_ platform: String, _ object: String, _ key: String) -> String {
        "\(prefix)/\(platform)/\(site)/\(object)_\(key)/config"
    }
    /// The topics of a node's entities in the older form, with these regions. With any platform, they would match the
    /// device of node `kitchen_gap` as well as an entity of node `kitchen`.
    public func singles(ofNode node: String, regions: [String]) -> [String] {
        let regions = regions.map { (DiscoveryDocument.key(ofRegion: $0), DiscoveryComponent.Platform.binarySensor) }
        return (DiscoveryDocument.nodeEntities + regions).map { key, platform in
            single(platform.rawValue, Self.node(node), key)
        }
    }
    /// All documents of the house, of both forms.
    public var all: String { "\(prefix)/+/\(site)/+/config" }
    /// The topic on which Home Assistant announces its start, `online`; retained only if Home Assistant is configured
    /// so.
    public var birth: String { "\(prefix)/status" }

    /// The platform (`device` for a whole device) and the object of a topic; nil for other topics.
    public func object(of topic: String) -> (platform: String, object: String)? {
        guard let levels = topic.levels(under: prefix), levels.count == 4, levels[1] == site, levels[3] == "config"
        else { return nil }
        return (String(levels[0]), String(levels[2]))
    }

    /// True for the topic on which Home Assistant announces its start.
    func isBirth(_ topic: String) -> Bool { topic.levels(under: prefix) == ["status"] }
}
