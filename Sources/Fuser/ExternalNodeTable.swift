internal import Bytes
internal import Integrations

/// The nodes of other systems that have a place here. One that the configuration doesn't name makes room for a new one where
/// it was silent for long.
struct ExternalNodeTable: Sendable {
    /// Those that the configuration doesn't name, at once.
    static let capacity = 256
    /// The time of silence, by the wall, after which such a node may have to go.
    static let patience: Duration = .minutes(10)

    private struct Seat: Sendable {
        var system: IntegrationSystem
        /// What it calls itself; nil where it has said nothing in this run.
        var name: String?
        /// When it told something last, by the wall.
        var last: Timestamp?
        /// Whether the configuration names it, so that it never goes.
        var isNamed: Bool
    }

    private var seats: [String: Seat] = [:]
    /// The ids here, by system and name there.
    private var ids: [IntegrationSystem: [String: String]] = [:]
    /// Those that may have to go.
    private var unnamed = 0
    /// Until when none of them can have been silent for long enough, as far as is known.
    private var fullUntil: Timestamp?
    /// The first moment that was told.
    private var began: Timestamp?

    /// How many nodes there are.
    var count: Int { seats.count }

    /// The id here of a node that has a place; nil for others.
    func known(_ name: String, _ system: IntegrationSystem) -> String? { ids[system]?[name] }

    /// Whether the configuration names a node.
    func isNamed(_ id: String) -> Bool { seats[id]?.isNamed ?? false }

    /// Records that a node has published something.
    mutating func markActive(_ id: String, at wall: Timestamp) { seats[id]?.last = wall }

    /// Assigns a node its place, which must be free: see ``nodeToReplace(at:)``.
    mutating func assignSeat(
        _ id: String, _ system: IntegrationSystem, called name: String, isNamed: Bool, at wall: Timestamp
    ) {
        if let seat = seats[id], !seat.isNamed { unnamed -= 1 }
        if !isNamed { unnamed += 1 }
        ids[system, default: [:]][name] = id
        seats[id] = Seat(system: system, name: name, last: wall, isNamed: isNamed)
    }

    /// Restores a node of an earlier run.
    mutating func restoreNode(_ id: String, _ system: IntegrationSystem, isNamed: Bool) {
        guard seats[id] == nil else { return }
        if !isNamed { unnamed += 1 }
        seats[id] = Seat(system: system, isNamed: isNamed)
    }

    /// Whether a node has to go before one can come that the configuration doesn't name.
    func isFull(for id: String) -> Bool { seats[id] == nil && unnamed >= Self.capacity }

    /// The node to go: the one that was silent for the longest of those that were for long enough; nil where none was.
    mutating func nodeToReplace(at wall: Timestamp) -> String? {
        let began = min(self.began ?? wall, wall)
        self.began = began
        // Many may ask in vain: a clock that was set back ends that as well.
        if let fullUntil, wall < fullUntil, fullUntil.duration(since: wall) <= Self.patience { return nil }
        var oldest: (id: String, last: Timestamp)?
        for (id, seat) in seats where !seat.isNamed {
            let last = min(seat.last ?? began, wall)
            if let oldest, (oldest.last, oldest.id) < (last, id) { continue }
            oldest = (id, last)
        }
        guard let oldest else { return nil }
        let due = oldest.last.advanced(by: Self.patience)
        guard wall >= due else {
            fullUntil = due
            return nil
        }
        return oldest.id
    }

    /// Removes a node from its place.
    mutating func remove(_ id: String) {
        guard let seat = seats.removeValue(forKey: id) else { return }
        if !seat.isNamed { unnamed -= 1 }
        if let name = seat.name { ids[seat.system]?[name] = nil }
    }
}
