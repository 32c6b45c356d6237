public import WireProtocol

/// A reading of one beacon by one node of another system: the common form of all systems.
public struct ExternalReading: Hashable, Sendable {
    /// The system of the node.
    public var system: IntegrationSystem
    /// The node's own name there: a room's slug, a gateway's name, a receiver's id.
    public var node: String
    /// The names of the beacon, the most specific first; at least one.
    public var names: [ExternalName]
    /// Its level in dBm, which may be filtered by the node; nil if there was none.
    public var level: Double?
    /// Its measured power at one metre, in dBm.
    public var power: Int?
    /// Its distance in metres, as derived by the node.
    public var distance: Double?
    /// The variance of that distance, in m².
    public var variance: Double?
    /// The number of packets that it represents, 1 or more.
    public var count = 1
    /// The beacon's own telemetry.
    public var telemetry = Telemetry()
    /// The fault of the message that was left out.
    public var oddity: String?

    /// Its level in dBm, or the one derived from its distance; nil if there was neither.
    ///
    /// A level is preferred: the distance was derived from it, with an unknown power.
    public var usableLevel: Double? {
        if let level { return level }
        guard let distance else { return nil }
        let power = power.map { Double($0) } ?? ESPresenseDevice.usualLevelAtOneMetre
        return ESPresenseDevice.level(distance: max(distance, Self.nearest), atOneMetre: power)
    }

    /// The distance in metres below which a distance carries no information.
    private static let nearest = 0.1

    /// A reading without any value.
    public init(system: IntegrationSystem, node: String, names: [ExternalName]) {
        self.system = system
        self.node = node
        self.names = names
    }
}

/// The meaning of a neighbour's message.
public enum ExternalMessage: Hashable, Sendable {
    /// A node received a beacon.
    case reading(ExternalReading)
    /// A node, under its own name there, is online or not.
    case status(node: String, isOnline: Bool)
    /// A name is an alias of another, by the system's own settings.
    case alias(String, for: ExternalName)
    /// A valid message without a relation to locations.
    case nothing
}
