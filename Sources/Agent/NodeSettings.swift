public import WireProtocol

/// What a node is told to be: the part of its configuration that its pipeline needs.
public struct NodeSettings: Hashable, Sendable {
    /// Its id.
    public var node: String
    /// The room it stands in.
    public var room: String
    /// What its topics begin with.
    public var topicPrefix: String
    /// The length of an interval in microseconds.
    public var window: Int64
    /// Whether it publishes every beacon, or registered and watched ones only.
    public var publishesAll: Bool
    /// The program's version.
    public var version: String
    /// Where it hears from, for `info`.
    public var adapter: String
    /// Microseconds of silence after which regions are left that have no exit time of their own; nil where that is learned.
    public var exitAfter: Int64?
    /// Decibels that are added to every level before anything uses it: −40 to 40.
    public var offset = 0
    /// What ESPresense's topics begin with, where its users are told; nil where they aren't.
    public var espresense: String?
    /// The area that it suggests to Home Assistant; nil for that of its room's id.
    public var area: String?
    /// What the topics of `mqtt_room` begin with, where its users are told; nil where they aren't.
    public var mqttRoom: String?
    /// The keys of those that a `set` command has put over the configuration file.
    public var overridden: [String] = []

    /// Settings with DESIGN's defaults: its room is its own name, a window lasts a second, registered beacons only.
    public init(
        node: String, room: String? = nil, topicPrefix: String = "whereabouts", version: String, adapter: String
    ) {
        self.node = node
        self.room = room ?? node
        self.topicPrefix = topicPrefix
        self.version = version
        self.adapter = adapter
        window = 1_000_000
        publishesAll = false
    }
}

extension NodeSettings {
    /// These, with what `set` commands have put over them.
    public func overridden(by overrides: NodeOverrides) -> NodeSettings {
        var settings = self
        settings.window = overrides.window ?? window
        settings.publishesAll = overrides.publishesAll ?? publishesAll
        settings.exitAfter = overrides.exitAfter ?? exitAfter
        settings.offset = overrides.offset ?? offset
        settings.overridden = overrides.keys
        return settings
    }
}
