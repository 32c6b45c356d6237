internal import WireProtocol

/// The items and persons in each room, and the rooms whose occupants have changed.
struct RoomOccupancy: Sendable {
    /// The person that each item belongs to.
    private var personOfItem: [String: String]
    private var persons: Set<String>
    private var occupants: [String: Set<String>] = [:]
    private var roomOfItem: [String: String] = [:]
    private var changed: Set<String> = []

    init(personOfItem: [String: String]) {
        self.personOfItem = personOfItem
        persons = Set(personOfItem.values)
    }

    /// Replaces the persons that items belong to; rooms with occupants are published anew.
    mutating func use(personOfItem: [String: String]) {
        self.personOfItem = personOfItem
        persons = Set(personOfItem.values)
        changed.formUnion(occupants.filter { !$0.value.isEmpty }.keys)
    }

    /// The occupants of a room.
    func items(in room: String) -> Set<String> { occupants[room] ?? [] }

    /// The occupants of a room as they are published: a person counts once, with the items that go with it.
    func occupancy(of room: String) -> Occupancy {
        let present = items(in: room)
        guard !persons.isEmpty else { return Occupancy(items: present.sorted()) }
        let carried = present.count { personOfItem[$0].map(present.contains) ?? false }
        return Occupancy(
            items: present.sorted(), persons: present.intersection(persons).sorted(), carried: carried)
    }

    /// Moves an item from the room in which it was counted to another, or to none.
    mutating func move(_ item: String, to room: String?) {
        let before = roomOfItem[item]
        guard before != room else { return }
        roomOfItem[item] = room
        if let before {
            occupants[before]?.remove(item)
            changed.insert(before)
        }
        if let room {
            occupants[room, default: []].insert(item)
            changed.insert(room)
        }
    }

    /// Marks the rooms among those that ever had an occupant as changed.
    mutating func markChanged(where isIncluded: (String) -> Bool) {
        changed.formUnion(occupants.keys.filter(isIncluded))
    }

    /// Removes and returns the rooms whose occupants have changed, in order.
    mutating func takeChanged() -> [String] {
        defer { changed.removeAll(keepingCapacity: true) }
        return changed.sorted()
    }

    /// Removes a room that no longer exists.
    mutating func remove(_ room: String) { occupants[room] = nil }
}
