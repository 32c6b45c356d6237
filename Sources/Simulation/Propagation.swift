internal import Bytes

/// The loss of a signal in the house, apart from chance: distance, walls, doors, bodies and dead spots.
struct Propagation: Sendable {
    /// The additional loss in decibels of the way round a wall while its door is shut.
    private static let shutDoor = 8.0
    /// Metres around the middle of a body within which it obstructs a signal.
    private static let bodyRadius = 0.35

    let plan: SimulatedPlan
    let radio: Scenario.Radio
    let deadSpots: [(room: Int, place: Point, radius: Double, loss: Double)]

    init(_ scenario: Scenario, plan: SimulatedPlan) {
        self.plan = plan
        radio = scenario.radio
        deadSpots = scenario.deadSpots.map {
            (plan.room(named: $0.room) ?? plan.outside, Point(x: $0.x, y: $0.y), $0.radius, $0.loss)
        }
    }

    /// Decibels lost from 1 m beyond a beacon to a node.
    func loss(
        from place: Point, facing: Point?, walker: Int?, to scanner: SimulatedScanner, at time: Timestamp,
        motion: inout WalkerPositions
    ) -> Double {
        let room = plan.room(at: place)
        var loss = spreadLoss(place.distance(to: scanner.position))
        loss += plan.obstruction(from: place, to: scanner.position)
        if room != scanner.room {
            for door in plan.doors(between: room, scanner.room) {
                let middle = door.place.at(z: door.place.z + 1)
                let isShut = door.state.value(at: time) > 0.4
                let around =
                    spreadLoss(place.distance(to: middle) + middle.distance(to: scanner.position))
                    + radio.doorLeak + (isShut ? Self.shutDoor : 0)
                loss = min(loss, around)
            }
        }
        for spot in deadSpots where spot.room == room {
            loss += spot.loss * (1 - smooth(spot.place.distance(to: place.at(z: 0)) / spot.radius))
        }
        if let facing, let walker {
            loss += motion.bodyLoss(of: walker) * Self.bodyShadow(from: place, facing: facing, to: scanner.position)
        }
        return loss + bodiesBetween(from: place, to: scanner.position, besides: walker, at: time, motion: &motion)
    }

    private func spreadLoss(_ metres: Double) -> Double {
        10 * radio.pathLossExponent * decimalLogarithm(max(0.1, metres))
    }

    /// The share of a body's loss at its wearer: none in front of the beacon, all behind it.
    private static func bodyShadow(from place: Point, facing: Point, to node: Point) -> Double {
        let (dx, dy) = (node.x - place.x, node.y - place.y)
        let length = (dx * dx + dy * dy).squareRoot()
        guard length > 1e-6 else { return 0.5 }
        return smooth((1 - (dx * facing.x + dy * facing.y) / length) / 2)
    }

    /// The loss at other people on the line.
    private func bodiesBetween(
        from place: Point, to node: Point, besides carrier: Int?, at time: Timestamp, motion: inout WalkerPositions
    ) -> Double {
        var loss = 0.0
        for walker in motion.walkers where walker != carrier {
            let feet = motion.state(of: walker, at: time).feet
            guard min(place.z, node.z) < feet.z + 1.7, max(place.z, node.z) > feet.z else { continue }
            let distance = feet.planDistance(toSegment: place, node)
            if distance < Self.bodyRadius {
                loss += 0.7 * motion.bodyLoss(of: walker) * (1 - smooth(distance / Self.bodyRadius))
            }
        }
        return loss
    }
}
