internal import RoomEstimation
internal import WireProtocol

/// The rooms of a house as they are published: those of the configuration, those in which a node stands, and those that an
/// item was last published in.
struct HouseRooms: Sendable {
    /// Nodes and items that are remembered at once, of each kind.
    static let nodeCapacity = 65_536

    /// The rooms that the configuration names.
    private(set) var configured: Set<String>
    /// True if the configuration draws them all.
    private var isDrawn: Bool
    /// The rooms of the plan that people drew.
    private(set) var drawn: Set<String>
    /// The place that each node names.
    private var places: [String: NodePlace] = [:]
    /// The latest room of each item, by whomever it was published, and the number of items in each.
    private var rooms = PublishedRooms()
    /// Rooms that the configuration does not draw, and that were noted.
    private var undrawn: Set<String> = []

    /// The rooms of a configuration, with no node or item yet.
    init(configured: Set<String>, isDrawn: Bool, drawn: Set<String> = []) {
        self.drawn = drawn
        self.configured = configured
        self.isDrawn = isDrawn
    }

    /// The rooms that a configuration draws or names, and those of a plan.
    init(_ house: House, drawn: Set<String>) {
        self.init(
            configured: Set(house.rooms.map(\.id)),
            isDrawn: !house.rooms.isEmpty && house.rooms.allSatisfy { !$0.outline.isEmpty }, drawn: drawn)
    }

    /// The rooms among `known` that are published. A room that only a node had named goes with the node.
    func publishedRooms(of known: [String]) -> [String] {
        let named = Set(places.values.map(\.room))
        return known.filter { isFixed($0) || named.contains($0) || rooms.isPublished($0) }
    }

    /// The areas that nodes name, by room: of several in one room the first by its id counts.
    var areas: [String: String] {
        let named = places.filter { $0.value.area != nil }.sorted { $0.key < $1.key }.compactMap { _, place in
            place.area.map { (place.room, $0) }
        }
        return Dictionary(named) { first, _ in first }
    }

    /// True if the configuration or the plan names a room, whatever nodes say.
    private func isFixed(_ room: String) -> Bool { configured.contains(room) || drawn.contains(room) }

    /// Follows the plan that is in force now; returns the rooms that it has no more.
    mutating func follow(drawn rooms: Set<String>) -> Set<String> {
        defer { drawn = rooms }
        return drawn.subtracting(rooms)
    }

    /// Follows another configuration, with the rooms that it gives to nodes; returns the rooms that nobody names any more.
    mutating func follow(configured house: House, _ roomOfNode: (String) -> String?) -> Set<String> {
        let before = configured.union(places.values.map(\.room))
        let next = HouseRooms(house, drawn: drawn)
        (configured, isDrawn) = (next.configured, next.isDrawn)
        for (node, place) in places { places[node]?.room = roomOfNode(node) ?? place.named }
        return before.subtracting(places.values.map(\.room)).filter { !isFixed($0) }
    }

    /// True if the configuration or one of some nodes names a room.
    func isNamed(_ room: String, byNodes counts: (String) -> Bool) -> Bool {
        isFixed(room) || places.contains { $0.value.room == room && counts($0.key) }
    }

    /// The room that an item was last published in; nil for none.
    func room(of item: String) -> String? { rooms[item] }

    /// Records the place that a node names. The room if the configuration draws all rooms but this one, for the first time.
    mutating func recordPlace(_ place: NodePlace, of node: String) -> String? {
        guard places[node] != nil || places.count < Self.nodeCapacity else { return nil }
        places[node] = place
        guard isDrawn, !isFixed(place.room), undrawn.count < Diagnostics.noteCapacity,
            undrawn.insert(place.room).inserted
        else { return nil }
        return place.room
    }

    /// Removes a node, and returns the room that it named.
    mutating func forget(node: String) -> String? { places.removeValue(forKey: node)?.room }

    /// Records the room that was published of an item. True if it left a room that the configuration does not name: such a
    /// room is one of the item's states in Home Assistant until then.
    mutating func recordRoom(_ room: String, of item: String) -> Bool {
        let before = rooms[item]
        guard before != room, before != nil || rooms.count < TelemetryTable.capacity else { return false }
        rooms[item] = Identifier.isValid(room) ? room : nil
        return before.map { !isFixed($0) } ?? false
    }

    /// Removes an item.
    mutating func forget(item: String) { rooms[item] = nil }
}
