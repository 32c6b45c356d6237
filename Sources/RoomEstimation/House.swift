/// The rooms of a house and the nodes in them, each known by a small index that never changes.
///
/// Rooms and nodes are found by their names or added: a node that is gone no longer listens. One that is vacated leaves
/// an empty place behind, without a name, for the next new one.
/// Copies share their storage until one is changed.
public struct House: Sendable {
    /// One room.
    public struct Room: Hashable, Sendable {
        /// Its id, as in topics.
        public var id: String
        /// The floor it lies on, if known.
        public var floor: String?
        /// The indices of the rooms that a door leads to; empty if unknown.
        public var nextTo: [Int] = []
        /// The corners of its walls in order; empty if it is not drawn.
        public var outline: [Corner] = []
    }

    /// A point on a floor, in the house's own axes, in metres.
    public struct Corner: Hashable, Sendable {
        /// Metres along each axis.
        public var x, y: Double

        /// A point.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// One node.
    public struct Node: Hashable, Sendable {
        /// Its id, as in topics.
        public var id: String
        /// The index of its room; nil if unknown.
        public var room: Int?
        /// Its position on the house's own axes, in metres, if known.
        public var position: Position?
    }

    /// A point in the house's own axes, in metres.
    public struct Position: Hashable, Sendable {
        /// Metres along each axis.
        public var x, y, z: Double

        /// A point.
        public init(x: Double, y: Double, z: Double) {
            self.x = x
            self.y = y
            self.z = z
        }
    }

    /// All rooms, by index.
    public private(set) var rooms: [Room] = []
    /// All nodes, by index.
    public private(set) var nodes: [Node] = []
    private var roomIndices: [String: Int] = [:]
    private var nodeIndices: [String: Int] = [:]
    private var vacantRooms: [Int] = []
    private var vacantNodes: [Int] = []

    /// A house without rooms.
    public init() {}

    /// The index of the room of that id, or nil.
    public func room(_ id: String) -> Int? { roomIndices[id] }

    /// The index of the node of that id, or nil.
    public func node(_ id: String) -> Int? { nodeIndices[id] }

    /// Finds or adds a room; a floor, where given, replaces the one known before.
    @discardableResult
    public mutating func addRoom(_ id: String, floor: String? = nil) -> Int {
        if let index = roomIndices[id] {
            if let floor { rooms[index].floor = floor }
            return index
        }
        if let index = vacantRooms.popLast() {
            roomIndices[id] = index
            rooms[index] = Room(id: id, floor: floor)
            return index
        }
        roomIndices[id] = rooms.count
        rooms.append(Room(id: id, floor: floor))
        return rooms.count - 1
    }

    /// Sets the outline of a room, given by index. A room that does not exist is ignored.
    public mutating func draw(_ room: Int, outline: [Corner]) {
        if rooms.indices.contains(room) { rooms[room].outline = outline }
    }

    /// Removes what is drawn: floors, outlines, doors, and the positions of nodes. Rooms and nodes keep their indices.
    public mutating func erasePlan() {
        for index in rooms.indices { rooms[index] = Room(id: rooms[index].id) }
        for index in nodes.indices { nodes[index].position = nil }
    }

    /// Number of rooms, without places that are vacant.
    public var roomCount: Int { rooms.count - vacantRooms.count }

    /// Frees a room's place for another. No state may refer to it by its index any more.
    package mutating func vacate(room index: Int) {
        guard rooms.indices.contains(index), roomIndices.removeValue(forKey: rooms[index].id) != nil else { return }
        for other in rooms[index].nextTo { rooms[other].nextTo.removeAll { $0 == index } }
        rooms[index] = Room(id: "")
        vacantRooms.append(index)
    }

    /// Frees a node's place for another. No state may refer to it by its index any more.
    package mutating func vacate(node index: Int) {
        guard nodes.indices.contains(index), nodeIndices.removeValue(forKey: nodes[index].id) != nil else { return }
        nodes[index] = Node(id: "")
        vacantNodes.append(index)
    }

    /// Finds or adds a node. A room and a position, if given, replace those known before.
    ///
    /// `room` is a room's index; one that does not exist counts as not given.
    @discardableResult
    public mutating func addNode(_ id: String, room: Int? = nil, position: Position? = nil) -> Int {
        let room = room.flatMap { rooms.indices.contains($0) ? $0 : nil }
        if let index = nodeIndices[id] {
            if let room { nodes[index].room = room }
            if let position { nodes[index].position = position }
            return index
        }
        if let index = vacantNodes.popLast() {
            nodeIndices[id] = index
            nodes[index] = Node(id: id, room: room, position: position)
            return index
        }
        nodeIndices[id] = nodes.count
        nodes.append(Node(id: id, room: room, position: position))
        return nodes.count - 1
    }

    /// Adds a door between two rooms, given by index, in both directions. Rooms that do not exist are ignored.
    public mutating func join(_ one: Int, _ other: Int) {
        guard one != other, rooms.indices.contains(one), rooms.indices.contains(other) else { return }
        if !rooms[one].nextTo.contains(other) { rooms[one].nextTo.append(other) }
        if !rooms[other].nextTo.contains(one) { rooms[other].nextTo.append(one) }
    }
}
