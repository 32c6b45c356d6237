public import Bytes

extension SimulatedHouse {
    /// The position of an item (a beacon's id) at a simulated time; nil for an item that isn't in the scenario.
    public func position(_ item: String, at time: Timestamp) -> Point? {
        guard let emitter = emitters.first(where: { $0.id == item }) else { return nil }
        var motion = WalkerPositions(wanderers)
        return emitter.state(at: Self.bounded(time), motion: &motion).position
    }

    /// The id of the room with the item inside its outline; nil if the item is outside (or not in the scenario).
    public func truth(_ item: String, at time: Timestamp) -> String? {
        position(item, at: time).flatMap { room(at: $0) }
    }

    /// The id of the room of a place; nil outside.
    public func room(at place: Point) -> String? {
        let index = plan.room(at: place)
        return index < plan.rooms.count ? plan.rooms[index].id : nil
    }

    /// The rooms of all items during `from ..< until`: whole intervals in one room, cut to the requested one, in order
    /// of their start and of the scenario's beacons. The crossing of a doorway is exact to the millisecond.
    ///
    /// - Parameter progress: receives the share that is done, from 0 to 1, at each step of an item.
    public func truthChanges(
        from: Timestamp, until: Timestamp, progress: (Double) -> Void = { _ in }
    ) -> [TruthInterval] {
        let (start, end) = (Self.bounded(from), Self.bounded(until))
        guard start < end else { return [] }
        var found: [(order: Int, interval: TruthInterval)] = []
        for (order, emitter) in emitters.enumerated() {
            var motion = WalkerPositions(wanderers)
            var begin = start
            var room = self.room(of: emitter, at: start, motion: &motion)
            func close(at time: Timestamp) {
                let id = room < plan.rooms.count ? plan.rooms[room].id : nil
                found.append(
                    (
                        order,
                        TruthInterval(
                            item: emitter.id, start: begin, end: time, room: id)
                    ))
            }
            eachPossibleCrossing(of: emitter, from: start, until: end) { before, after in
                let part = after.seconds(since: start) / end.seconds(since: start)
                progress((Double(order) + part) / Double(emitters.count))
                let next = self.room(of: emitter, at: after, motion: &motion)
                guard next != room else { return }
                var (low, high) = (before, after)
                while high.microseconds(since: low) > 1_000 {
                    let middle = low.advanced(byMicroseconds: high.microseconds(since: low) / 2)
                    if self.room(of: emitter, at: middle, motion: &motion) == room {
                        low = middle
                    } else {
                        high = middle
                    }
                }
                close(at: high)
                (begin, room) = (high, next)
            }
            close(at: end)
        }
        found.sort { ($0.interval.start, $0.order) < ($1.interval.start, $1.order) }
        return found.map(\.interval)
    }

    private func room(of emitter: Emitter, at time: Timestamp, motion: inout WalkerPositions) -> Int {
        plan.room(at: emitter.state(at: time, motion: &motion).position)
    }

    /// Steps of at most 50 ms, on one lattice for all intervals, through the times at which an item's walker is on its
    /// way.
    private func eachPossibleCrossing(
        of emitter: Emitter, from start: Timestamp, until end: Timestamp, _ body: (Timestamp, Timestamp) -> Void
    ) {
        guard case .carried(let walker, _, _) = emitter.place else { return }
        var time = start
        while time < end {
            let walk = wanderers[walker].walk(at: time)
            let arrival = min(walk.arrival, end.advanced(byMicroseconds: -1))
            while time < arrival {
                let next = min(arrival, time.floor(toMultipleOf: 50_000).advanced(byMicroseconds: 50_000))
                body(time, next)
                time = next
            }
            if walk.end >= end { return }
            body(time, walk.end)
            time = walk.end
        }
    }
}
