extension Scenario {
    /// Every fault of the scenario, with the path of its field in a scenario file; empty for a valid one.
    public func validate() -> [ScenarioFault] {
        var check = ScenarioCheck(self)
        check.run()
        return check.faults
    }
}

/// The search for a scenario's faults.
struct ScenarioCheck {
    let scenario: Scenario
    var faults: [ScenarioFault] = []
    let rooms: Set<String>
    let walkers: Set<String>

    init(_ scenario: Scenario) {
        self.scenario = scenario
        rooms = Set(scenario.rooms.map(\.id))
        walkers = Set(scenario.walkers.map(\.id))
    }

    mutating func run() {
        number(scenario.speed, in: 0.001...10_000, "speed")
        checkCount(scenario.rooms.count, in: 1...64, "rooms")
        checkCount(scenario.doors.count, in: 0...256, "doors")
        checkCount(scenario.deadSpots.count, in: 0...256, "dead_spots")
        checkCount(scenario.nodes.count, in: 0...1_024, "nodes")
        checkCount(scenario.walkers.count, in: 0...1_024, "walkers")
        checkCount(scenario.beacons.count, in: 0...100_000, "beacons")
        checkIDs(scenario.rooms.map(\.id), "rooms")
        checkIDs(scenario.nodes.map(\.id), "nodes")
        checkIDs(scenario.walkers.map(\.id), "walkers")
        checkIDs(scenario.beacons.map(\.id), "beacons")
        radio(scenario.radio)
        walls(scenario.walls)
        for (index, room) in scenario.rooms.enumerated() { check(room, "rooms[\(index)]") }
        for (index, beacon) in scenario.beacons.enumerated() { check(beacon, "beacons[\(index)]") }
        for (index, spot) in scenario.deadSpots.enumerated() { check(spot, "dead_spots[\(index)]") }
        for (index, walker) in scenario.walkers.enumerated() { check(walker, "walkers[\(index)]") }
        // The other checks measure inside the plan, which must be valid for that.
        guard faults.isEmpty else {
            for (index, node) in scenario.nodes.enumerated() { check(node, nil, "nodes[\(index)]") }
            for (index, door) in scenario.doors.enumerated() { check(door, nil, "doors[\(index)]") }
            return
        }
        let plan = SimulatedPlan(scenario, stream: RandomStream(seed: 0))
        for (index, node) in scenario.nodes.enumerated() { check(node, plan, "nodes[\(index)]") }
        for (index, door) in scenario.doors.enumerated() { check(door, plan, "doors[\(index)]") }
        if scenario.doors.count(where: { $0.from == Scenario.away || $0.to == Scenario.away }) > 1 {
            fault("doors", "only one door can lead away")
        }
        guard faults.isEmpty else { return }
        let routes = WalkingRoutes(plan)
        for (index, walker) in scenario.walkers.enumerated() { checkWays(walker, routes, "walkers[\(index)]") }
    }

    mutating func fault(_ path: String, _ message: String) {
        faults.append(ScenarioFault(path, message))
    }

    mutating func number(_ value: Double, in range: ClosedRange<Double>, _ path: String) {
        if !range.contains(value) {
            fault(path, "\(value) is out of range: expected \(range.lowerBound) to \(range.upperBound)")
        }
    }

    mutating func point(_ point: Point, _ path: String) {
        number(point.x, in: -10_000...10_000, "\(path).x")
        number(point.y, in: -10_000...10_000, "\(path).y")
        number(point.z, in: -100...1_000, "\(path).z")
    }

    mutating func room(_ id: String, orAway: Bool, _ path: String) {
        if !rooms.contains(id), !(orAway && id == Scenario.away) { fault(path, "there is no room '\(id)'") }
    }

    private mutating func checkCount(_ count: Int, in range: ClosedRange<Int>, _ path: String) {
        if !range.contains(count) {
            fault(path, "\(count) entries: expected \(range.lowerBound) to \(range.upperBound)")
        }
    }

    private mutating func checkIDs(_ ids: [String], _ path: String) {
        var seen: Set<String> = []
        for (index, id) in ids.enumerated() {
            let isGood = id.utf8.allSatisfy {
                (97...122).contains($0) || (48...57).contains($0) || $0 == 95 || $0 == 45
            }
            if id.isEmpty || !isGood {
                fault("\(path)[\(index)].id", "'\(id)' is no id: expected letters a-z, digits, '_' and '-'")
            } else if id == Scenario.away || id == "unknown" {
                fault("\(path)[\(index)].id", "'\(id)' is reserved")
            } else if !seen.insert(id).inserted {
                fault("\(path)[\(index)].id", "'\(id)' stands here a second time")
            }
        }
    }
}
