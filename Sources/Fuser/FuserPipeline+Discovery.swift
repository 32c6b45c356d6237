internal import Alerts
internal import HouseTracking
internal import Identity
internal import Integrations
internal import WireProtocol

/// Where a node stands.
struct NodePlace: Hashable, Sendable {
    /// The longest name of an area, in bytes.
    static let areaBound = 256

    var room: String
    /// The area that it suggests to Home Assistant; nil for that of its room's id.
    var area: String?
}

/// What Home Assistant is told of the house.
extension FuserPipeline {
    /// The rooms that are told of: those that the configuration names, and where a node stands or an item is said to be. A
    /// room that only a node had named goes with the node.
    var rooms: [String] {
        let named = Set(placesOfNodes.values.map(\.room))
        return household.rooms.filter { configuredRooms.contains($0) || named.contains($0) || words.holds($0) }
    }

    /// The areas that nodes name, by room: of several in one room the first by its id counts.
    var areas: [String: String] {
        let named = placesOfNodes.filter { $0.value.area != nil }.sorted { $0.key < $1.key }.compactMap { _, place in
            place.area.map { (place.room, $0) }
        }
        return Dictionary(named) { first, _ in first }
    }

    /// How many items were heard of.
    var itemCount: Int { household.heardCount }

    /// The items that were heard of, and are told of for that.
    var heardItems: [String] { household.heardItems.filter { !removed.contains($0) } }

    /// What has changed since the last call.
    mutating func takeNews() -> HouseNews {
        defer { news = HouseNews(isHouseNew: false) }
        return news
    }

    /// Whether an item is told of: it is a person, or registered, or heard and not removed.
    func tells(of item: String) -> Bool {
        if persons.contains(item) { return true }
        guard !removed.contains(item) else { return false }
        return registry.book.entry(item).map { !$0.isTombstone } ?? household.hasHeard(of: item)
    }

    /// Whether an item was removed. Of one that merely isn't known the broker may have lost the entry, or be late with it.
    func isRemoved(_ item: String) -> Bool {
        removed.contains(item) || registry.book.entry(item)?.isTombstone == true
    }

    /// The items that are told of.
    var toldItems: [String] {
        // What the items file seeds, and all entries, also of items that show another's beacon.
        let seeded = registry.book.judge().items.map(\.id)
        let registered = registry.book.entries.values.lazy.filter { !$0.isTombstone }.map(\.id)
        let items = Set(seeded).union(registered).filter { !removed.contains($0) }.union(heardItems)
        return items.union(persons.persons.map(\.id)).sorted()
    }

    /// An item, as it is told of.
    func told(_ item: String) -> DiscoveryDocument.Item {
        let person = persons.person(item)
        let entry = registry.book.entry(item)?.item
        var told = DiscoveryDocument.Item(id: item, name: person?.name ?? entry?.name)
        told.isPerson = person != nil
        told.isRegistered = told.isPerson || entry != nil
        told.readings = readings[item] ?? []
        told.room = words[item]
        told.hasAlerts = alerts.warnedOf.contains(item)
        return told
    }

    /// Notes where a node says that it stands.
    mutating func notePlace(_ room: String, area: String? = nil, ofNode node: String) {
        guard placesOfNodes[node] != nil || placesOfNodes.count < Self.topicCapacity else { return }
        let place = NodePlace(
            room: household.settings.roomOfNode[node] ?? room,
            area: area.flatMap { $0.utf8.count <= NodePlace.areaBound ? $0 : nil })
        placesOfNodes[node] = place
        notePlan(place.room, ofNode: node)
    }

    /// Says once of each room that it isn't drawn: then outlines have no effect.
    private mutating func notePlan(_ room: String, ofNode node: String) {
        guard isDrawn, !configuredRooms.contains(room), undrawnRooms.count < Diagnostics.noteCapacity,
            undrawnRooms.insert(room).inserted
        else { return }
        diagnostics.note(
            """
            node \(node) stands in \(room), which has no polygon: those of the other rooms have no effect meanwhile (give 'rooms' \
            its polygon, or the node its room: nodes: {\(node): {room: …}})
            """)
    }

    /// Notes which readings an item's beacon has sent: each becomes an entity.
    mutating func noteReadings(_ payload: [UInt8], of item: String) {
        guard !payload.isEmpty, let keys = try? Telemetry.keys(payload: payload.span) else { return }
        let before = readings[item] ?? []
        let found = keys.subtracting(before).filter(DiscoveryDocument.isReading).sorted()
        let new = found.prefix(DiscoveryDocument.readingBound - before.count)
        guard !new.isEmpty, readings[item] != nil || readings.count < TelemetryTable.capacity else { return }
        readings[item] = before.union(new)
        news.items.insert(item)
    }

    /// Notes where an item was told to be. A room that the house has no more is one of the item's states until it is told
    /// to be elsewhere: Home Assistant takes no states away that an entity has.
    mutating func noteRoom(_ word: String, of item: String) {
        let before = words[item]
        guard before != word, before != nil || words.count < TelemetryTable.capacity else { return }
        words[item] = Identifier.isValid(word) ? word : nil
        if let before, !configuredRooms.contains(before) { news.items.insert(item) }
    }

    /// Tells again what stands retained of an item or a room, for one who listens to it only now.
    mutating func restate(_ object: String, _ outbox: inout [Message]) {
        guard let id = HouseDescription.id(of: object), serves(id) else { return }
        if object == DiscoveryPlace.room(id) {
            let topic = topics.occupancy(id)
            if let message = retained[topic] { return outbox.append(message) }
            // A room that nobody was in yet is empty.
            let empty = Occupancy(items: household.items(in: id))
            return keep(topic, payload { empty.write(to: &$0) }, &outbox)
        }
        if let message = retained[topics.room(id)] { outbox.append(message) }
        guard alerts.warnedOf.contains(id) else { return }
        outbox.append(retained[topics.itemAlert(id)] ?? .clearing(topics.itemAlert(id)))
    }
}
