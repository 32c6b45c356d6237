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
    var rooms: [String] { places.published(of: household.rooms) }

    /// The areas that nodes name, by room: of several in one room the first by its id counts.
    var areas: [String: String] { places.areas }

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
        told.readings = telemetry.readings(of: item)
        told.room = places.room(of: item)
        told.hasAlerts = alerts.warnedOf.contains(item)
        return told
    }

    /// Notes where a node says that it stands.
    mutating func notePlace(_ room: String, area: String? = nil, ofNode node: String) {
        let place = NodePlace(
            room: household.settings.roomOfNode[node] ?? room,
            area: area.flatMap { $0.utf8.count <= NodePlace.areaBound ? $0 : nil })
        guard let undrawn = places.note(place, of: node) else { return }
        diagnostics.note(
            """
            node \(node) stands in \(undrawn), which has no polygon: those of the other rooms have no effect meanwhile (give 'rooms' \
            its polygon, or the node its room: nodes: {\(node): {room: …}})
            """)
    }

    /// Notes which readings an item's beacon has sent: each becomes an entity.
    mutating func noteReadings(_ payload: [UInt8], of item: String) {
        if telemetry.noteReadings(payload, of: item) { news.items.insert(item) }
    }

    /// Notes where an item was told to be. A room that the house has no more is one of the item's states until it is told
    /// to be elsewhere: Home Assistant takes no states away that an entity has.
    mutating func noteRoom(_ word: String, of item: String) {
        if places.note(word, of: item) { news.items.insert(item) }
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
