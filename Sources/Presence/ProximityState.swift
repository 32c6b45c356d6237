public import Bytes
public import WireProtocol

/// The proximity of a beacon, with the hysteresis that prevents flapping at a border.
public struct ProximityState: Sendable {
    /// The proximity.
    public private(set) var proximity = Window.Proximity.unknown
    /// The time since which it has this proximity; nil while unknown.
    public private(set) var since: Timestamp?

    /// The state of an unknown beacon.
    public init() {}

    /// Adds a distance in metres. Returns true if the proximity has changed.
    @discardableResult
    public mutating func update(metres: Double, at time: Timestamp) -> Bool {
        let now = PathLoss.proximity(metres: metres, before: proximity)
        guard now != proximity else { return false }
        proximity = now
        since = time
        return true
    }
}
