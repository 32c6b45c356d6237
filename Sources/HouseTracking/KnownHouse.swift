internal import Bytes
internal import RoomEstimation
internal import WireProtocol

/// The rooms and nodes of a house, as its configuration, an earlier run and messages have named them.
struct KnownHouse: Sendable {
    private(set) var house: House
    private(set) var nodes = NodeTable()
    /// Rooms that were made for nodes of other systems, or for a plan that has them no more.
    private var externalRooms: Set<String> = []
    /// The rooms of the configuration and of the plan that people drew.
    private var drawnRooms: Set<String> = []
    /// Rooms that the plan has no more, and those that another fuser alone has named. While one is known and the others are
    /// drawn, the plan can't be used.
    private var leftovers: Set<String> = []
    /// True while there are such rooms.
    var hasLeftovers: Bool { !leftovers.isEmpty }
    /// True if rooms or nodes have changed since the trackers last followed: that is costly, and a thousand nodes start
    /// at once.
    private var isChanged = false

    init(_ house: House) {
        self.house = house
        drawnRooms = Set(house.rooms.map(\.id))
    }

    // MARK: Nodes

    /// The place of a node in the table, found or added; nil if the table is full.
    mutating func findOrAdd(_ node: String) -> Int? { nodes.place(node, in: &house) }

    /// Changes what is known of a node beside its room.
    mutating func update(_ place: Int, _ body: (inout NodeTable.Node) -> Void) { nodes.update(place, body) }

    /// Records a node's adapter and offset; true if that is news.
    mutating func record(address: String?, offset: Int, at place: Int) -> Bool {
        nodes.record(address: address, offset: offset, at: place)
    }

    /// Records the items whose keys a node reports missing.
    mutating func record(missingKeys items: [String], at place: Int) { nodes.record(missingKeys: items, at: place) }

    /// Clears the times of the last messages, which are of a clock that is no longer in force.
    mutating func startAnew() { nodes.startAnew() }

    /// Puts a node into a room, which is added if it is new; true if it was in another, or in none.
    ///
    /// - Parameter isExternal: true if a new room is made for a node of another system.
    mutating func move(_ place: Int, to room: String, isExternal: Bool = false) -> Bool {
        if isExternal, house.room(room) == nil { externalRooms.insert(room) }
        leftovers.remove(room)
        let (node, index) = (nodes.nodes[place], house.addRoom(room))
        let former = house.nodes[node.index].room
        guard former != index else { return false }
        if let former { noteDeparture(from: house.rooms[former].id) }
        house.addNode(node.id, room: index)
        isChanged = true
        return true
    }

    /// Records that a node leaves a room: one that nothing else names is removed when nothing refers to it any more.
    private mutating func noteDeparture(from room: String) {
        if externalRooms.contains(room) { leftovers.insert(room) }
    }

    /// Puts nodes into the rooms that a configuration gives them; one that it gives none any more goes where it says that it
    /// is. Returns the ids of those that were in other rooms.
    mutating func place(nodes rooms: [String: String], instead before: [String: String]) -> [String] {
        var moved: [String] = []
        for node in Set(rooms.keys).union(before.keys).sorted() {
            guard let place = nodes.place(of: node) else {
                if let room = rooms[node] { house.addNode(node, room: house.addRoom(room)) }
                isChanged = true
                continue
            }
            guard let room = rooms[node] ?? nodes.nodes[place].namedRoom, hasPlace(forRoom: room) else { continue }
            if move(place, to: room) { moved.append(node) }
        }
        return moved
    }

    /// Marks nodes of an earlier run as another system's, by the prefixes of their ids; returns their ids. A room that
    /// holds only one of them, and that no configuration names, was made for it.
    mutating func markExternal(prefixes: [String], configuration: Household.Settings) -> [String] {
        var found: [String] = []
        for place in nodes.nodes.indices where prefixes.contains(where: nodes.nodes[place].id.hasPrefix) {
            nodes.update(place) { $0.isExternal = true }
            let node = nodes.nodes[place]
            found.append(node.id)
            guard configuration.roomOfNode[node.id] == nil, let room = room(ofNodeAt: place),
                configuration.house.room(room) == nil
            else { continue }
            externalRooms.insert(room)
        }
        return found
    }

    /// Removes a node.
    ///
    /// - Parameter keepsIndex: true if other state still refers to it by its index.
    mutating func remove(_ place: Int, keepsIndex: Bool) {
        if let room = room(ofNodeAt: place) { noteDeparture(from: room) }
        nodes.remove(place, from: &house, keepsIndex: keepsIndex)
        isChanged = true
    }

    // MARK: Rooms

    /// True if a room is known, or may be added.
    func hasPlace(forRoom id: String) -> Bool { house.room(id) != nil || house.roomCount < HousePlan.roomLimit }

    /// The index of a room, which is added if it is new, as one that another fuser knows and whose node was not received here
    /// yet; nil if there is no place for it. If no node comes to name it, it is removed when nothing refers to it any more.
    mutating func findOrAdd(room id: String) -> Int? {
        if let known = house.room(id) { return known }
        guard hasPlace(forRoom: id) else { return nil }
        externalRooms.insert(id)
        leftovers.insert(id)
        isChanged = true
        return house.addRoom(id)
    }

    /// The room of a node, by its place in the table; nil if it is not known.
    func room(ofNodeAt place: Int) -> String? { house.nodes[nodes.nodes[place].index].room.map { house.rooms[$0].id } }

    /// Removes the rooms that were made for nodes of other systems, or for an earlier plan, and that nothing refers to any
    /// more; returns them.
    ///
    /// - Parameters:
    ///   - indices: the rooms that items refer to, by index.
    ///   - isUsed: true for a room that something else refers to.
    mutating func vacateExternalRooms(except indices: Set<Int>, unless isUsed: (String) -> Bool) -> [(Int, String)] {
        let known = indices.union(house.nodes.compactMap(\.room))
        var vacated: [(Int, String)] = []
        for room in externalRooms.sorted() where !isUsed(room) {
            guard let index = house.room(room), !known.contains(index) else { continue }
            house.vacate(room: index)
            externalRooms.remove(room)
            vacated.append((index, room))
        }
        if !vacated.isEmpty { isChanged = true }
        leftovers = leftovers.filter { house.room($0) != nil }
        return vacated
    }

    // MARK: The plan

    /// Draws the house anew: by its configuration, and by a plan where that says nothing. Returns the number of rooms and
    /// nodes for which there was no place.
    mutating func draw(_ plan: HousePlan?, over configured: House) -> Int {
        let plan = plan ?? HousePlan(revision: 0, at: Timestamp(microseconds: 0), by: "")
        house.erasePlan()
        house.draw(configured)
        let drawn = Set((plan.rooms.map(\.id) + configured.rooms.map(\.id)).filter { !$0.isEmpty })
        let gone = drawnRooms.subtracting(drawn)
        leftovers = leftovers.union(gone).subtracting(drawn)
        externalRooms = externalRooms.union(gone).subtracting(drawn)
        drawnRooms = drawn
        var dropped = 0
        for room in plan.rooms {
            let own = configured.room(room.id).map { configured.rooms[$0] }
            if let own, !own.outline.isEmpty { continue }
            guard hasPlace(forRoom: room.id) else {
                dropped += 1
                continue
            }
            let index = house.addRoom(room.id, floor: own?.floor ?? room.floor)
            house.draw(index, outline: room.polygon.map { House.Corner(x: $0.x, y: $0.y) })
        }
        for door in plan.doors {
            if let one = house.room(door.one), let other = house.room(door.other) { house.join(one, other) }
        }
        for node in plan.nodes {
            if let own = configured.node(node.id), configured.nodes[own].position != nil { continue }
            guard house.node(node.id) != nil || house.nodes.count < NodeTable.capacity else {
                dropped += 1
                continue
            }
            house.addNode(node.id, position: House.Position(x: node.x, y: node.y, z: node.z))
        }
        isChanged = true
        return dropped
    }

    // MARK: Lessons

    /// Adds the nodes of a lesson as far as there is room, and the room of it if no configuration names any.
    mutating func add(room: String?, nodes ids: some Sequence<String>) {
        if let room, house.roomCount < HousePlan.roomLimit { house.addRoom(room) }
        for id in ids where house.nodes.count < NodeTable.capacity { house.addNode(id) }
        isChanged = true
    }

    // MARK: Changes

    /// True if rooms or nodes have changed since the last call, or differ in number from those of another house: a
    /// node may have been received before its info.
    mutating func takeChange(since other: House) -> Bool {
        defer { isChanged = false }
        return isChanged || other.nodes.count != house.nodes.count
    }
}

extension House {
    /// Draws what another house has: floors, outlines, doors and positions.
    fileprivate mutating func draw(_ other: House) {
        for room in other.rooms { draw(addRoom(room.id, floor: room.floor), outline: room.outline) }
        for room in other.rooms {
            for end in room.nextTo {
                if let one = self.room(room.id), let two = self.room(other.rooms[end].id) { join(one, two) }
            }
        }
        for node in other.nodes { addNode(node.id, position: node.position) }
    }
}
