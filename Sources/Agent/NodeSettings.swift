public import WireProtocol

/// The settings of a node: the part of its configuration that its pipeline needs.
public struct NodeSettings: Hashable, Sendable {
    /// Its id.
    public var node: String
    /// Its room.
    public var room: String
    /// The beginning of its topics.
    public var topicPrefix: String
    /// The length of an interval.
    public var window: Duration
    /// True if it publishes every beacon; false for registered and watched ones only.
    public var publishesAll: Bool
    /// The program's version.
    public var version: String
    /// Its source, for `info`.
    public var adapter: String
    /// The time of silence before the exit of regions without an exit time of their own; nil to learn it.
    public var exitAfter: Duration?
    /// Decibels that are added to every level before any use: −40 to 40.
    public var offset = 0
    /// The beginning of ESPresense's topics; nil if that output is off.
    public var espresense: String?
    /// The area that it suggests to Home Assistant; nil for that of its room's id.
    public var area: String?
    /// The beginning of the topics of `mqtt_room`; nil if that output is off.
    public var mqttRoom: String?
    /// The keys of the settings that come from a `set` command.
    public var overridden: [String] = []

    /// Settings with the defaults: its room has its own name, a window lasts a second, registered beacons only.
    public init(
        node: String, room: String? = nil, topicPrefix: String = "whereabouts", version: String, adapter: String
    ) {
        self.node = node
        self.room = room ?? node
        self.topicPrefix = topicPrefix
        self.version = version
        self.adapter = adapter
        window = .seconds(1)
        publishesAll = false
    }
}

extension NodeSettings {
    /// These settings, replaced by those of `set` commands.
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
