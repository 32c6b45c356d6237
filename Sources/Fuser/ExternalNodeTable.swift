internal import Bytes
internal import Integrations

/// The nodes of other systems that have a place here. One that the configuration does not name is replaced by a new one
/// if it was silent for long.
struct ExternalNodeTable: Sendable {
    /// Those that the configuration doesn't name, at once.
    static let capacity = 256
    /// The time of silence, by the wall, after which such a node may have to go.
    static let patience: Duration = .minutes(10)

    private struct Seat: Sendable {
        var system: IntegrationSystem
        /// Its own name; nil if it has published nothing in this run.
        var name: String?
        /// The wall time of its last message.
        var last: Timestamp?
        /// True if the configuration names it, so that it is never replaced.
        var isNamed: Bool
    }

    private var places: [String: Seat] = [:]
    /// The ids here, by system and name there.
    private var ids: [IntegrationSystem: [String: String]] = [:]
    /// Those that may be replaced.
    private var unnamed = 0
    /// The time until which none of them can have been silent for long enough, as far as is known.
    private var fullUntil: Timestamp?
    /// The time of the first message.
    private var began: Timestamp?

    /// Number of nodes.
    var count: Int { places.count }

    /// The id here of a node that has a place; nil for others.
    func known(_ name: String, _ system: IntegrationSystem) -> String? { ids[system]?[name] }

    /// True if the configuration names a node.
    func isNamed(_ id: String) -> Bool { places[id]?.isNamed ?? false }

    /// Records that a node has published something.
    mutating func markActive(_ id: String, at wall: Timestamp) { places[id]?.last = wall }

    /// Assigns a node its place, which must be free: see ``nodeToReplace(at:)``.
    mutating func assignPlace(
        _ id: String, _ system: IntegrationSystem, called name: String, isNamed: Bool, at wall: Timestamp
    ) {
        if let seat = places[id], !seat.isNamed { unnamed -= 1 }
        if !isNamed { unnamed += 1 }
        ids[system, default: [:]][name] = id
        places[id] = Seat(system: system, name: name, last: wall, isNamed: isNamed)
    }

    /// Restores a node of an earlier run.
    mutating func restoreNode(_ id: String, _ system: IntegrationSystem, isNamed: Bool) {
        guard places[id] == nil else { return }
        if !isNamed { unnamed += 1 }
        places[id] = Seat(system: system, isNamed: isNamed)
    }

    /// True if a node must be replaced before one can be added that the configuration does not name.
    func isFull(for id: String) -> Bool { places[id] == nil && unnamed >= Self.capacity }

    /// The node to replace: the one with the longest silence, if that is long enough; nil if there is none.
    mutating func nodeToReplace(at wall: Timestamp) -> String? {
        let began = min(self.began ?? wall, wall)
        self.began = began
        // Not searched again before it can succeed, unless the clock was set back.
        if let fullUntil, wall < fullUntil, fullUntil.duration(since: wall) <= Self.patience { return nil }
        var oldest: (id: String, last: Timestamp)?
        for (id, seat) in places where !seat.isNamed {
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
        guard let seat = places.removeValue(forKey: id) else { return }
        if !seat.isNamed { unnamed -= 1 }
        if let name = seat.name { ids[seat.system]?[name] = nil }
    }
}
