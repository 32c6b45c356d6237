internal import Bytes
internal import HouseTracking
internal import Integrations
internal import RoomEstimation
internal import WireProtocol

/// Where the nodes of other systems stand, and which of them there is room for.
extension FuserPipeline {
    /// Why a node stands in a room.
    private enum Reason {
        /// The configuration says so.
        case configured
        /// It has the room's name.
        case named
        /// Nobody else names the room.
        case made
    }

    /// The id here of the node that a reading is of, which has its place from then on; nil, and told, where there is none for
    /// it.
    mutating func seat(_ reading: ForeignReading, at wall: Timestamp, _ outbox: inout [Message]) -> String? {
        let known = desk.seats.known(reading.node, reading.system)
        let node = known ?? reading.system.nodeID(reading.node)
        guard let (room, reason) = room(of: node, called: reading.node) else {
            diagnostics.warn(
                node,
                """
                left out, since nobody told where it stands: \(node) (\(reading.system.rawValue)); give it a place: nodes: \
                {\(node): {room: …}}
                """)
            return nil
        }
        let isNamed = known == nil && isNamed(node, called: reading.node)
        guard known != nil || isNamed || !desk.seats.isFull(for: node) || makesRoom(at: wall, &outbox),
            household.place(foreign: node, in: room)
        else {
            desk.countOverfull()
            tellOverfull()
            return nil
        }
        if known == nil {
            desk.seats.sit(node, reading.system, called: reading.node, isNamed: isNamed, at: wall)
            note(node, reading.system, stands: room, reason)
        }
        desk.seats.note(node, at: wall)
        notePlace(room, ofNode: node)
        return node
    }

    /// Whether the configuration names a node, by its id or as a room.
    func isNamed(_ node: String, called name: String) -> Bool {
        household.settings.roomOfNode[node] != nil
            || Self.spellings(of: name).contains(where: places.configured.contains)
    }

    /// Lets a node go that was silent for long; false where none was.
    private mutating func makesRoom(at wall: Timestamp, _ outbox: inout [Message]) -> Bool {
        guard let leaver = desk.seats.leaver(at: wall), household.letGo(foreign: leaver) else { return false }
        desk.letGo(leaver)
        forget(node: leaver, &outbox)
        diagnostics.warn(
            "neighbours let go",
            """
            \(Self.power(of: desk.counters.letGo)) or more nodes of other systems let go for new ones, since there is room for \
            \(ForeignSeats.capacity) and they were silent for ten minutes: nodes that 'nodes' names stay
            """)
        return true
    }

    /// The room of another system's node: as configured, else the room of that name, with `_` for `-` or the other way round;
    /// in a house whose rooms nobody named, the name itself.
    private func room(of node: String, called name: String) -> (room: String, reason: Reason)? {
        if let room = household.settings.roomOfNode[node] { return (room, .configured) }
        for room in Self.spellings(of: name) where household.hasRoom(room) {
            return (room, isOurs(room) ? .named : .made)
        }
        let made = name.lowercased()
        return !desk.areRoomsNamed && Identifier.isValid(made) ? (made, .made) : nil
    }

    /// The rooms whose name a node's may be.
    private static func spellings(of name: String) -> [String] {
        let name = name.lowercased()
        return [name, name.replacing("_", with: "-"), name.replacing("-", with: "_")]
    }

    /// Whether the configuration or a node of ours names a room.
    private func isOurs(_ room: String) -> Bool {
        places.isNamed(room) { !desk.owns($0) }
    }

    private mutating func note(_ node: String, _ system: NeighbourSystem, stands room: String, _ reason: Reason) {
        let why =
            switch reason {
            case .configured: "as 'nodes' says"
            case .named: "the room of its name"
            case .made: "a room made of its name; if that is another's, give it a place: nodes: {\(node): {room: …}}"
            }
        diagnostics.note("node \(node) of another system (\(system.rawValue)) stands in \(room), \(why)")
    }
}
