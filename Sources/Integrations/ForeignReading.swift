public import WireProtocol

/// What one node of another system heard of one beacon: the shape that all of them are read into.
public struct ForeignReading: Hashable, Sendable {
    /// The system that told it.
    public var system: NeighbourSystem
    /// What the node calls itself there: a room's slug, a gateway's name, a receiver's id.
    public var node: String
    /// What the beacon is called, the most telling name first; at least one.
    public var names: [ForeignName]
    /// Its level in dBm, which may be filtered by the node; nil where none was told.
    public var level: Double?
    /// Its measured power at one metre, in dBm.
    public var power: Int?
    /// Its distance in metres, as the node reckons it.
    public var distance: Double?
    /// The variance of that distance, in m².
    public var variance: Double?
    /// Packets that it stands for, 1 or more.
    public var count = 1
    /// What the beacon said of itself.
    public var telemetry = Telemetry()
    /// What is odd about the message, and left out of it.
    public var oddity: String?

    /// Its level in dBm, or the one that its distance stands for; nil where neither was told.
    ///
    /// A level tells a locator more than what was reckoned from it, and with what power nobody says.
    public var usableLevel: Double? {
        if let level { return level }
        guard let distance else { return nil }
        let power = power.map { Double($0) } ?? ESPresenseDevice.usualLevelAtOneMetre
        return ESPresenseDevice.level(distance: max(distance, Self.nearest), atOneMetre: power)
    }

    /// Metres below which a distance says no more.
    private static let nearest = 0.1

    /// A reading without any value.
    public init(system: NeighbourSystem, node: String, names: [ForeignName]) {
        self.system = system
        self.node = node
        self.names = names
    }
}

/// What a neighbour's message says.
public enum ForeignWord: Hashable, Sendable {
    /// A node heard a beacon.
    case reading(ForeignReading)
    /// A node, as it calls itself there, is there or not.
    case status(node: String, isOnline: Bool)
    /// A name stands for another, by the system's own settings.
    case alias(String, for: ForeignName)
    /// Well formed, and nothing that bears on where anything is.
    case nothing
}
