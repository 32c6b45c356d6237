internal import Bytes
internal import HouseTracking
internal import Identity
internal import Integrations
internal import WireProtocol

/// The house's Home Assistant documents.
extension FuserPipeline {
    /// The rooms that are published: those that the configuration names, and where a node stands or an item was published.
    var rooms: [String] { contents.publishedRooms(tracking) }
    /// The areas that nodes name, by room: of several in one room the first by its id counts.
    var areas: [String: String] { contents.areas }
    /// Number of items of which a packet was processed.
    var itemCount: Int { tracking.heardCount }
    /// The items that are published since a packet of them was processed.
    var heardItems: [String] { tracking.heardItems.filter { !registry.isWithdrawn($0) } }
    /// The changes since the last call.
    func takeNews() -> HouseChanges { contents.takeNews() }

    /// True if an item is published: it is a person, or registered, or heard and not removed.
    func publishes(_ item: String) -> Bool {
        if persons.isPerson(item) { return true }
        guard !registry.isWithdrawn(item) else { return false }
        return registry.entry(item).map { !$0.isTombstone } ?? tracking.hasHeard(of: item)
    }

    /// True if an item was removed from the registry.
    func isRemoved(_ item: String) -> Bool { registry.isRemoved(item) }
    /// True if an id is of a person that was taken out of the configuration.
    func isFormerPerson(_ id: String) -> Bool { persons.isFormer(id, turn) }
    /// True if an id is of a person that only another fuser names.
    func isOthersPerson(_ id: String) -> Bool { persons.isOthers(id, turn) }

    /// The items that are published, in order.
    var publishedItems: [String] {
        registry.publishedItems.union(heardItems).union(persons.all.map(\.id)).sorted()
    }

    /// An item, as its Home Assistant document describes it.
    func described(_ item: String) -> DiscoveryDocument.Item {
        let person = persons.person(item)
        let entry = registry.entry(item)?.item
        var described = DiscoveryDocument.Item(id: item, name: person?.name ?? entry?.name)
        described.isPerson = person != nil
        described.isRegistered = described.isPerson || entry != nil
        described.readings = telemetry.readings(of: item)
        described.hasBattery = batteries.isReported(item)
        described.room = contents.room(of: item)
        described.hasAlerts = alerts.subjects.contains(item)
        return described
    }

    /// Repeats the retained messages of an item or a room, for a device that Home Assistant has only now.
    func republish(_ object: String, at wall: Timestamp, _ outbox: inout [Message]) {
        guard let id = HouseDescription.id(of: object), serves(id) else { return }
        perform(at: wall, &outbox) { turn in
            if object == DiscoveryPlace.room(id) {
                contents.repeatOccupancy(ofRoom: id, turn)
            } else {
                turn.emit { $0.deviceAdded(ofItem: id, turn) }
            }
        }
    }
}
