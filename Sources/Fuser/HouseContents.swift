internal import Configuration
internal import HouseTracking
internal import Integrations
internal import WireProtocol

/// The room in which a node stands.
struct NodePlace: Hashable, Sendable {
    /// The longest name of an area, in bytes.
    static let areaBound = 256

    var room: String
    /// The room that it names itself.
    var named: String
    /// The area that it suggests to Home Assistant; nil for that of its room's id.
    var area: String?
}

/// The rooms, items and persons that are published, and what changes of them for Home Assistant.
final class HouseContents: FuserComponent, RoomDirectory {
    private var places: HouseRooms
    private var news = HouseChanges()

    init(_ places: HouseRooms) { self.places = places }

    var configuredRooms: Set<String> { places.configured }
    func isNamed(_ room: String, byNodes counts: (String) -> Bool) -> Bool { places.isNamed(room, byNodes: counts) }

    /// The rooms that are published: those that the configuration names, and where a node stands or an item was published.
    func publishedRooms(_ tracker: any ItemTracker) -> [String] { places.publishedRooms(of: tracker.rooms) }

    /// The areas that nodes name, by room: of several in one room the first by its id counts.
    var areas: [String: String] { places.areas }

    /// The room that an item was last published in; nil for none.
    func room(of item: String) -> String? { places.room(of: item) }

    /// The changes since the last call.
    func takeNews() -> HouseChanges {
        defer { news = HouseChanges(isHouseNew: false) }
        return news
    }

    // MARK: Messages and facts

    func receive(_ message: HouseMessage, _ turn: Turn) {
        if case .room(let item, let message) = message {
            recordRoom(String(decoding: message.payload, as: UTF8.self), of: item)
        }
    }

    func outcomePublished(_ outcome: Household.Outcome, _ turn: Turn) {
        if case .location(let item, let location) = outcome { recordRoom(location.placeText, of: item) }
    }

    /// Records the room that was published of an item. A room that the house has no more is one of the item's states until it
    /// is published elsewhere: Home Assistant takes no states away that an entity has.
    private func recordRoom(_ room: String, of item: String) {
        if places.recordRoom(room, of: item) { news.items.insert(item) }
    }

    func entryChanged(of item: String, _ turn: Turn) { news.items.insert(item) }

    func entitiesChanged(of item: String, _ turn: Turn) { news.items.insert(item) }

    /// A room that the plan has no more goes if nobody else names it and nobody is in it.
    func housePlanChanged(_ plan: HousePlan, _ turn: Turn) {
        news.isHouseNew = true
        clear(places.follow(drawn: Set(plan.rooms.map(\.id))), turn)
    }

    /// Likewise a room that the configuration has no more.
    func configurationChanged(from old: FuserConfiguration, to new: FuserConfiguration, _ turn: Turn) {
        news.isHouseNew = true
        let rooms = Dictionary(new.nodes.map { ($0.id, $0.room) }) { first, _ in first }
        let house = Household.Settings(new, epoch: turn.identity.epoch).house
        clear(places.follow(configured: house) { rooms[$0] ?? nil }, turn)
    }

    private func clear(_ rooms: Set<String>, _ turn: Turn) {
        for room in rooms.sorted() where !publishedRooms(turn.tracker).contains(room) {
            turn.publication.clear(turn.identity.topics.occupancy(room), of: room)
        }
    }

    func shardsReleased(_ handover: Handover, _ turn: Turn) { news.isHouseNew = true }

    func nodePlaced(_ node: String, in room: String, area: String?, _ turn: Turn) {
        let place = NodePlace(
            room: turn.tracker.configuredRoom(ofNode: node) ?? room, named: room,
            area: area.flatMap { $0.utf8.count <= NodePlace.areaBound ? $0 : nil })
        guard let undrawn = places.recordPlace(place, of: node) else { return }
        turn.diagnostics.addNote(
            """
            node \(node) stands in \(undrawn), which has no polygon: those of the other rooms have no effect meanwhile (give 'rooms' \
            its polygon, or the node its room: nodes: {\(node): {room: …}})
            """)
    }

    /// A room goes with its node if nobody else names it and nobody is in it.
    func nodeRemoved(_ node: String, _ turn: Turn) {
        guard let room = places.forget(node: node), !publishedRooms(turn.tracker).contains(room) else { return }
        turn.publication.clear(turn.identity.topics.occupancy(room), of: room)
    }

    func occupancyUnconfirmed(ofRoom room: String, _ turn: Turn) {
        // Of a room that neither the configuration nor a node names nobody will ever publish anything again.
        if publishedRooms(turn.tracker).contains(room) {
            turn.publish(.occupancy(room: room, Occupancy(items: [])))
        } else {
            turn.publication.sendMessage(.clearing(turn.identity.topics.occupancy(room)))
        }
    }

    func eraseData(_ erasure: Erasure, _ turn: Turn) -> PurgeReport {
        if !erasure.isPurge { places.forget(item: erasure.item) }
        return PurgeReport()
    }

    /// Publishes a room's occupants once more, for a device that Home Assistant has only now.
    func repeatOccupancy(ofRoom room: String, _ turn: Turn) {
        let topic = turn.identity.topics.occupancy(room)
        guard !turn.publication.hasPublished(topic) else { return turn.publication.repeatMessage(topic) }
        // A room that nobody was in yet is empty.
        turn.publish(.occupancy(room: room, Occupancy(items: turn.tracker.items(in: room))))
    }
}
