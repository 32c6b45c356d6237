public import Bytes
public import WireProtocol

/// How near a beacon is, with what keeps it from flapping at a border.
public struct ProximityState: Sendable {
    /// How near it is.
    public private(set) var proximity = Window.Proximity.unknown
    /// Since when; nil while unknown.
    public private(set) var since: Timestamp?

    /// A beacon of which nothing is known.
    public init() {}

    /// Takes a distance in metres; whether it is nearer or farther by that than before.
    @discardableResult
    public mutating func update(metres: Double, at time: Timestamp) -> Bool {
        let now = PathLoss.proximity(metres: metres, before: proximity)
        guard now != proximity else { return false }
        proximity = now
        since = time
        return true
    }
}
