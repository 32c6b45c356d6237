internal import Bytes
internal import Sightings
internal import Simulation

/// What one node hears in a simulated house, from now on and without end.
final class SimulationSource: PacketSource {
    /// Microseconds of the world's time that are made at once: how late an event may be handed over.
    static let slice: Int64 = 100_000

    private let house: SimulatedHouse
    private let node: String
    /// Nil for as fast as it can.
    private let speed: Double?
    private var cursor: Timestamp?

    init(house: SimulatedHouse, node: String, speed: Double?) {
        self.house = house
        self.node = node
        self.speed = speed
    }

    var adapter: String { "simulation" }

    func begin(atWall wall: Timestamp) throws(SourceFault) -> NodeClock? {
        guard cursor == nil else { return nil }
        let clock = house.scenario.clock(speed: speed)
        cursor = speed == nil ? clock.start : clock.simulated(at: wall)
        return NodeClock(start: clock.start, origin: clock.origin, speed: speed)
    }

    var next: Timestamp? { cursor?.advanced(byMicroseconds: Self.slice) }

    func deliver(
        until: Timestamp?, limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void
    ) throws(SourceFault) {
        guard let start = cursor, let next else { return }
        // After a machine has slept a second at a time, so that broker and signals are looked at in between.
        let end = min(until ?? next, start.advanced(byMicroseconds: 1_000_000))
        guard end > start else { return }
        house.receptions(node: node, from: start, until: end, body)
        cursor = end
    }
}
