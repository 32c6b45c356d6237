internal import Bytes

/// A beacon in the world: its transmitter, and its place.
struct Emitter: Sendable {
    enum Place: Sendable {
        case fixed(Point)
        case carried(walker: Int, worn: Scenario.Worn, height: Double)
    }

    let id: String
    let power: Double
    let place: Place
    let transmitter: Transmitter

    init(_ beacon: Scenario.Beacon, walkers: [String: Int], stream: RandomStream) {
        id = beacon.id
        power = beacon.power
        transmitter = Transmitter(beacon, stream: stream.child(beacon.id))
        switch beacon.place {
        case .fixed(let point): place = .fixed(point)
        case .carried(let walker, let worn, let height):
            place = .carried(walker: walkers[walker] ?? 0, worn: worn, height: height)
        }
    }

    /// Its position, and the direction on the plan in which its walker doesn't shadow it.
    func state(at time: Timestamp, motion: inout WalkerPositions) -> (position: Point, facing: Point?, walker: Int?) {
        switch place {
        case .fixed(let point): return (point, nil, nil)
        case .carried(let walker, let worn, let height):
            let (feet, heading) = motion.state(of: walker, at: time)
            let facing =
                switch worn {
                case .front: heading
                case .back: Point(x: -heading.x, y: -heading.y)
                case .pocket: Point(x: heading.y, y: -heading.x)
                }
            return (feet.at(z: feet.z + height), facing, walker)
        }
    }
}
