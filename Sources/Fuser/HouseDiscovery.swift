internal import Bytes
internal import Integrations
internal import BrokerSession
internal import CommandLine
internal import Configuration
internal import HouseTracking
internal import WireProtocol

/// The changes of the house's Home Assistant documents since the last call.
struct HouseChanges: Sendable {
    /// Items whose names or readings have.
    var items: Set<String> = []
    /// True if anything else has: the serving fuser, or the set of items.
    var isHouseNew = true
}

/// The house's Home Assistant documents: items, rooms and the fuser itself.
struct HouseDiscovery {
    var desk: DiscoveryClient
    private var house: HouseDescription
    private var items = 0
    /// The time until which a published room may be named by a node that has sent no message yet; nil if that is over.
    private var roomsAwaitedUntil: MonotonicTime?

    /// The length of that time after a connection …
    static let roomPatience: Duration = .seconds(30)
    /// … and after the broker's last retained message: a slow connection delays them.
    static let retainedPause: Duration = .seconds(10)

    init(_ desk: DiscoveryClient, _ house: HouseDescription) { (self.desk, self.house) = (desk, house) }

    /// The time at which `performDueSteps` must be called; nil if nothing is open.
    var nextDeadline: MonotonicTime? { [desk.nextDeadline, roomsAwaitedUntil].compactMap { $0 }.min() }

    /// Replaces what the configuration says of the house; its rooms and fusers, and the version, stay.
    mutating func use(_ description: HouseDescription) {
        var new = description
        (new.rooms, new.areas, new.others, new.version) = (house.rooms, house.areas, house.others, house.version)
        house = new
    }

    /// Records a connection.
    mutating func connected(at now: MonotonicTime) {
        desk.connected(at: now)
        roomsAwaitedUntil = now + Self.roomPatience
    }

    /// Records a retained message of the broker.
    mutating func noteRetained(at now: MonotonicTime) {
        if let until = roomsAwaitedUntil { roomsAwaitedUntil = max(until, now + Self.retainedPause) }
    }

    /// Carries out the steps that are due at `now`.
    mutating func performDueSteps(_ pipeline: FuserPipeline, _ failover: FailoverCoordinator, at now: MonotonicTime)
        -> DiscoveryClient.Steps
    {
        let news = pipeline.takeNews()
        if desk.discovery.book != nil {
            updateItems(news.items, pipeline)
            if desk.looks(at: now) || news.isHouseNew { detectChanges(at: pipeline, failover, isNew: news.isHouseNew) }
        }
        // Most turns change nothing.
        guard let due = nextDeadline, now >= due else { return DiscoveryClient.Steps() }
        if let until = roomsAwaitedUntil, now >= until {
            roomsAwaitedUntil = nil
            desk.discovery.lookAtAll(of: DiscoveryPlace.room(""))
        }
        let (house, view, isRoomCertain) = (house, pipeline, roomsAwaitedUntil == nil)
        return desk.performDueSteps(
            at: now,
            owns: { house.owns($0, view) },
            isGone: { house.isGone($0, model: $1, view, isRoomCertain: isRoomCertain) },
            describe: { house.document(of: $0, view) })
    }

    /// Detects changes of the rooms, the items and the other fusers.
    private mutating func detectChanges(at pipeline: FuserPipeline, _ failover: FailoverCoordinator, isNew: Bool) {
        let (before, count) = (house, items)
        (house.rooms, house.others, items) = (pipeline.rooms.sorted(), failover.claims, pipeline.itemCount)
        house.areas = pipeline.areas
        if isNew || house != before {
            // All documents name them.
            updateDevices(pipeline)
            desk.discovery.lookAtAll()
        } else if items > count {
            desk.discovery.markWanted(also: pipeline.heardItems.map(DiscoveryPlace.item))
        } else if items < count {
            updateDevices(pipeline)
        }
    }

    private mutating func updateItems(_ items: Set<String>, _ pipeline: FuserPipeline) {
        for item in items.sorted() {
            let object = DiscoveryPlace.item(item)
            if pipeline.publishes(item) { desk.discovery.markWanted(object) } else { desk.discovery.drop(object) }
        }
    }

    private mutating func updateDevices(_ pipeline: FuserPipeline) {
        let items = pipeline.publishedItems.map { DiscoveryPlace.item($0) }
        let rooms = house.rooms.map { DiscoveryPlace.room($0) }
        desk.discovery.markWanted(only: Set(items + rooms + [house.own]))
    }
}

/// The names and areas of rooms and the other fusers, which Home Assistant's documents need beside the items.
struct HouseDescription: Hashable, Sendable {
    /// A fuser and its shards.
    struct Speaker: Hashable, Sendable {
        var name: String
        var shards: ShardSet
    }

    private let fuser: String
    private let names: [String: String]
    private let tracker: DiscoveryDocument.Tracker
    private let topics: Topics
    /// The fuser's version.
    var version = Version.current
    /// The ids of all rooms, in order.
    var rooms: [String] = []
    /// The areas that nodes name, by room.
    var areas: [String: String] = [:]
    /// The other fusers.
    var others: [Speaker] = []

    /// - Parameter names: those of rooms that have one, by id.
    init(
        fuser: String, names: [String: String] = [:],
        tracker: DiscoveryDocument.Tracker = .state(zone: HomeAssistantSettings().zone), topics: Topics
    ) {
        (self.fuser, self.names, self.tracker, self.topics) = (fuser, names, tracker, topics)
    }

    init(_ configuration: FuserConfiguration, topics: Topics) {
        let settings = configuration.homeAssistant
        self.init(
            fuser: configuration.name,
            names: Dictionary(configuration.rooms.compactMap { room in room.name.map { (room.id, $0) } }) { one, _ in
                one
            },
            tracker: settings.tracker == .inZones ? .inZones(zone: settings.zone) : .state(zone: settings.zone),
            topics: topics)
    }

    /// The fuser's own device.
    var own: String { DiscoveryPlace.fuser(fuser) }

    /// The item or room that a device is.
    static func id(of object: String) -> String? {
        DiscoveryPlace.id(of: object, kind: "item") ?? DiscoveryPlace.id(of: object, kind: "room")
    }

    /// True if this fuser publishes and clears a device: not one of a person that only another configuration names.
    func owns(_ object: String, _ pipeline: FuserPipeline) -> Bool {
        guard object != own else { return true }
        guard let id = Self.id(of: object), pipeline.serves(id) else { return false }
        return object != DiscoveryPlace.item(id) || !pipeline.isOthersPerson(id)
    }

    /// True if a published device no longer exists: an item that was removed, or a person that was removed from the
    /// configuration. The entry of another item may be lost, or late; so may be, for a while, the node of a room.
    func isGone(_ object: String, model: String?, _ pipeline: FuserPipeline, isRoomCertain: Bool) -> Bool {
        guard let item = DiscoveryPlace.id(of: object, kind: "item") else {
            return isRoomCertain || DiscoveryPlace.id(of: object, kind: "room") == nil
        }
        return model == DiscoveryDocument.person ? pipeline.isFormerPerson(item) : pipeline.isRemoved(item)
    }

    func document(of object: String, _ pipeline: FuserPipeline) -> DiscoveryDocument? {
        if object == own { return .fuser(fuser, version: version, topics: topics) }
        guard let id = Self.id(of: object) else { return nil }
        if object == DiscoveryPlace.room(id) {
            let room = describeRoom(id)
            let isNameShared = rooms.contains { $0 != id && self.describeRoom($0).name == room.name }
            return .room(
                room, area: areas[id], isNameShared: isNameShared, fusers: fuserNames(of: id), topics: topics)
        }
        return .item(
            pipeline.described(id), rooms: rooms.map(describeRoom), tracker: tracker, fusers: fuserNames(of: id),
            topics: topics)
    }

    private func describeRoom(_ id: String) -> DiscoveryDocument.Room { .init(id: id, name: names[id]) }

    /// The fusers of which one publishes an item or a room.
    private func fuserNames(of level: String) -> [String] {
        let shard = Topics.shardNumber(of: level)
        return (others.filter { $0.shards.contains(shard) }.map(\.name) + [fuser]).sorted()
    }
}
