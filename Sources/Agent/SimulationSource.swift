internal import Bytes
internal import WireProtocol
internal import Simulation

/// The events at one node of a simulated house, from now on and without end.
final class SimulationSource: PacketSource {
    /// The part of the world's time that is made at once: the greatest delay of an event.
    static let slice: Duration = .milliseconds(100)

    private let house: SimulatedHouse
    private let node: String
    /// The speed; nil for unpaced.
    private let speed: Double?
    private var cursor: Timestamp?

    init(house: SimulatedHouse, node: String, speed: Double?) {
        self.house = house
        self.node = node
        self.speed = speed
    }

    var adapter: String { "simulation" }

    func beginRecording(atWall wall: Timestamp) throws(SourceFault) -> SourceTime? {
        guard cursor == nil else { return nil }
        let clock = house.scenario.clock(speed: speed)
        cursor = speed == nil ? clock.start : clock.simulated(at: wall)
        return .own(NodeClock(start: clock.start, origin: clock.origin, speed: speed))
    }

    var next: Upcoming { cursor.map { .due($0.advanced(by: Self.slice)) } ?? .ended }

    func deliverEvents(
        until: Timestamp?, limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void
    ) throws(SourceFault) {
        guard let start = cursor else { return }
        // All nodes of a house use the wall clock: after it was set back the house repeats that time.
        if let until, until < start.advanced(by: -Self.slice) { return cursor = until }
        // After the machine's sleep a second at a time, so that broker and signals are checked in between.
        let end = min(until ?? start.advanced(by: Self.slice), start.advanced(by: .seconds(1)))
        guard end > start else { return }
        house.receptions(node: node, from: start, until: end, body)
        cursor = end
    }
}
