extension ScenarioCheck {
    mutating func radio(_ radio: Scenario.Radio) {
        number(radio.pathLossExponent, in: 1...6, "radio.path_loss_exponent")
        number(radio.shadowSigma, in: 0...20, "radio.shadow_sigma")
        number(radio.fadeSigma, in: 0...20, "radio.fade_sigma")
        number(radio.fadePeriod, in: 0.1...3_600, "radio.fade_period")
        number(radio.fadeCorrelation, in: 0...1, "radio.fade_correlation")
        number(radio.channelSigma, in: 0...20, "radio.channel_sigma")
        number(radio.packetSigma, in: 0...20, "radio.packet_sigma")
        number(radio.sensitivity, in: -120 ... -40, "radio.sensitivity")
        number(radio.loss, in: 0...1, "radio.loss")
        number(radio.burstsPerHour, in: 0...900, "radio.bursts_per_hour")
        number(radio.doorLeak, in: 0...60, "radio.door_leak")
    }

    mutating func walls(_ walls: Scenario.Walls) {
        number(walls.attenuation, in: 0...60, "walls.attenuation")
        number(walls.ceiling, in: 0...60, "walls.ceiling")
        for (index, pair) in walls.pairs.enumerated() {
            let path = "walls.pairs[\(index)]"
            room(pair.from, orAway: true, "\(path).from")
            room(pair.to, orAway: true, "\(path).to")
            number(pair.attenuation, in: 0...60, "\(path).attenuation")
        }
    }

    mutating func check(_ room: Scenario.Room, _ path: String) {
        number(room.z, in: -100...1_000, "\(path).z")
        guard (3...64).contains(room.polygon.count) else {
            return fault("\(path).polygon", "\(room.polygon.count) corners: expected 3 to 64")
        }
        let before = faults.count
        for (index, corner) in room.polygon.enumerated() { point(corner, "\(path).polygon[\(index)]") }
        guard faults.count == before else { return }
        let outline = Polygon(room.polygon)
        if outline.crossesItself {
            fault("\(path).polygon", "two of its walls cross")
        } else if outline.area < 0.5 {
            fault("\(path).polygon", "it holds less than half a square metre")
        } else if outline.anchor == nil {
            fault("\(path).polygon", "no place sees the whole room: divide it in two")
        }
    }

    mutating func check(_ spot: Scenario.DeadSpot, _ path: String) {
        room(spot.room, orAway: false, "\(path).room")
        point(Point(x: spot.x, y: spot.y), path)
        number(spot.radius, in: 0.1...20, "\(path).radius")
        number(spot.loss, in: 0...60, "\(path).loss")
    }

    /// Checks a node; without a plan only the values that need none are checked.
    mutating func check(_ node: Scenario.Node, _ plan: SimulatedPlan?, _ path: String) {
        let before = faults.count
        room(node.room, orAway: false, "\(path).room")
        point(node.position, path)
        number(node.offset, in: -40...40, "\(path).offset_db")
        number(node.duty, in: 0...1, "\(path).duty")
        guard let plan, faults.count == before else { return }
        let found = plan.room(at: node.position)
        if found != plan.room(named: node.room) {
            let where_ = found < plan.rooms.count ? "in '\(plan.rooms[found].id)'" : "in no room"
            fault("\(path).room", "its place is \(where_), not in '\(node.room)'")
        }
    }

    mutating func check(_ door: Scenario.Door, _ plan: SimulatedPlan?, _ path: String) {
        let before = faults.count
        room(door.from, orAway: true, "\(path).from")
        room(door.to, orAway: true, "\(path).to")
        point(Point(x: door.x, y: door.y), path)
        if door.from == door.to { fault("\(path).to", "a door joins two rooms, not '\(door.to)' with itself") }
        guard let plan, faults.count == before else { return }
        let place = Point(x: door.x, y: door.y)
        for (key, id) in [("from", door.from), ("to", door.to)] {
            guard let index = plan.room(named: id), index < plan.rooms.count else { continue }
            let outline = plan.rooms[index].outline
            if !outline.contains(place), outline.distanceToOutline(place) > 0.5 {
                fault("\(path).\(key)", "the door is more than half a metre from '\(id)'")
            }
        }
    }

    mutating func check(_ walker: Scenario.Walker, _ path: String) {
        number(walker.pace, in: 0.1...10, "\(path).pace")
        number(walker.bodyLoss, in: 0...40, "\(path).body_loss")
        switch walker.plan {
        case .itinerary(let visits):
            if !(1...256).contains(visits.count) {
                fault("\(path).itinerary", "\(visits.count) visits: expected 1 to 256")
            }
            for (index, visit) in visits.enumerated() {
                room(visit.room, orAway: true, "\(path).itinerary[\(index)].room")
                checkStay(visit.stay, "\(path).itinerary[\(index)].stay")
            }
        case .roam(let ids, let stay):
            if !(1...64).contains(ids.count) { fault("\(path).roam.rooms", "\(ids.count) rooms: expected 1 to 64") }
            for (index, id) in ids.enumerated() { room(id, orAway: true, "\(path).roam.rooms[\(index)]") }
            self.checkStay(stay, "\(path).roam.stay")
        }
    }

    private mutating func checkStay(_ stay: Scenario.Stay, _ path: String) {
        number(stay.shortest, in: 1...604_800, "\(path)[0]")
        number(stay.longest, in: 1...604_800, "\(path)[1]")
        if stay.longest < stay.shortest { fault(path, "the longest stay is shorter than the shortest") }
    }

    /// Checks that each room of a plan has a way to the first.
    mutating func checkWays(_ walker: Scenario.Walker, _ routes: WalkingRoutes, _ path: String) {
        let rooms: [(id: String, path: String)] =
            switch walker.plan {
            case .itinerary(let visits):
                visits.enumerated().map { ($1.room, "\(path).itinerary[\($0)].room") }
            case .roam(let ids, _):
                ids.enumerated().map { ($1, "\(path).roam.rooms[\($0)]") }
            }
        guard let first = rooms.first, let start = routes.plan.room(named: first.id) else { return }
        for room in rooms.dropFirst() {
            if let index = routes.plan.room(named: room.id), !routes.isReachable(index, from: start) {
                fault(room.path, "no doors lead from '\(first.id)' to '\(room.id)'")
            }
        }
    }

    mutating func check(_ beacon: Scenario.Beacon, _ path: String) {
        number(beacon.interval, in: 0.02...60, "\(path).interval")
        number(beacon.power, in: -100...20, "\(path).power")
        if let telemetry = beacon.telemetryInterval { number(telemetry, in: 1...86_400, "\(path).telemetry_interval") }
        if case .rotating(let period) = beacon.address { number(period, in: 1...86_400, "\(path).address_period") }
        switch beacon.place {
        case .fixed(let place): point(place, path)
        case .carried(let walker, _, let height):
            if !walkers.contains(walker) { fault("\(path).carried_by", "there is no walker '\(walker)'") }
            number(height, in: 0...2.5, "\(path).height")
        }
    }
}
