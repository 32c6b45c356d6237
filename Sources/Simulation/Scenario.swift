public import Bytes

/// A simulated house: its rooms, walls, nodes, people and beacons, and the seed of all randomness.
///
/// Everything is in metres, seconds, decibels and dBm. `validate()` reports every fault; `SimulatedHouse` accepts only
/// a valid one.
public struct Scenario: Hashable, Sendable {
    /// The room's name in itineraries, doors and walls for everything outside the house.
    public static let away = "away"

    /// The name for people.
    public var name: String
    /// The seed, which selects one of 2⁶⁴ worlds of this kind.
    public var seed: UInt64
    /// The simulated time at which the world's clock begins; nil: the same as `origin`.
    public var start: Timestamp?
    /// The wall clock's time that corresponds to `start`; nil: the epoch, so that at speed 1 simulated time is wall
    /// time.
    public var origin: Timestamp?
    /// Simulated seconds in a second of the wall clock, 0.001 … 10,000.
    public var speed: Double
    /// 1 … 64 rooms.
    public var rooms: [Room]
    /// Up to 256 doors.
    public var doors: [Door]
    /// The losses in walls and ceilings.
    public var walls: Walls
    /// The places with a loss for all signals sent in them.
    public var deadSpots: [DeadSpot]
    /// Up to 1,024 nodes.
    public var nodes: [Node]
    /// Up to 1,024 people and animals.
    public var walkers: [Walker]
    /// Up to 100,000 beacons.
    public var beacons: [Beacon]
    /// The propagation of signals.
    public var radio: Radio

    /// A scenario; omitted values are empty or the defaults.
    public init(
        name: String = "", seed: UInt64 = 0, start: Timestamp? = nil, origin: Timestamp? = nil, speed: Double = 1,
        rooms: [Room] = [], doors: [Door] = [], walls: Walls = Walls(), deadSpots: [DeadSpot] = [],
        nodes: [Node] = [], walkers: [Walker] = [], beacons: [Beacon] = [], radio: Radio = Radio()
    ) {
        self.name = name
        self.seed = seed
        self.start = start
        self.origin = origin
        self.speed = speed
        self.rooms = rooms
        self.doors = doors
        self.walls = walls
        self.deadSpots = deadSpots
        self.nodes = nodes
        self.walkers = walkers
        self.beacons = beacons
        self.radio = radio
    }

    /// The clock shared by all users of this scenario, at its own speed or at an agent's.
    public func clock(speed override: Double? = nil) -> SimulationClock {
        let origin = origin ?? Timestamp(microseconds: 0)
        return SimulationClock(start: start ?? origin, origin: origin, speed: override ?? speed)
    }
}
