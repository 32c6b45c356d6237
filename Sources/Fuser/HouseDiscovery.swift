internal import Daemon
internal import Fusion
internal import Identity
internal import Neighbours
internal import Sightings

/// What has changed of what Home Assistant is told of the house, since it was asked last.
struct HouseNews: Sendable {
    /// Items whose names or readings have.
    var items: Set<String> = []
    /// Whether anything else has: who serves, or which items there are.
    var isHouseNew = true
}

/// The house as Home Assistant is told of it: items, rooms and the fuser itself.
struct HouseDiscovery: Sendable {
    /// Nanoseconds between two looks at whether there are other rooms, items and fusers.
    private static let pause: Int64 = 1_000_000_000

    var discovery: Discovery
    private var house: HouseDescription
    private var items = 0
    private var looksAt: Int64 = 0

    /// - Parameter row: what an earlier run kept.
    init(_ configuration: FuserConfiguration, topics: Topics, keeping row: String?) {
        house = HouseDescription(configuration, topics: topics)
        discovery = Discovery(
            prefix: configuration.discoveryPrefix,
            topicPrefix: configuration.topicPrefix, kinds: ["item_", "room_", house.own], name: configuration.name,
            keeping: row)
    }

    /// When `turn` has something to do; nil where nothing is open.
    var nextDeadline: Int64? {
        let look = discovery.book == nil ? nil : looksAt
        return [look, discovery.nextDeadline].compactMap { $0 }.min()
    }

    /// Lets time pass.
    mutating func turn(_ pipeline: inout FuserPipeline, _ rivals: Rivals, at now: Int64) -> DiscoveryBook.Steps {
        let news = pipeline.takeNews()
        if discovery.book != nil {
            want(news.items, pipeline)
            let isLooking = now >= looksAt
            if isLooking { looksAt = now + Self.pause }
            if news.isHouseNew || isLooking { look(at: pipeline, rivals, isNew: news.isHouseNew) }
        }
        guard let due = discovery.nextDeadline, now >= due else { return DiscoveryBook.Steps() }
        let (house, view) = (house, pipeline)
        return discovery.advance(
            to: now,
            owns: { $0 == house.own || HouseDescription.id(of: $0).map(view.serves) ?? false },
            isGone: { house.isGone($0, model: $1, view) },
            describe: { house.document(of: $0, view) })
    }

    /// Looks whether there are other rooms, items or fusers than before.
    private mutating func look(at pipeline: FuserPipeline, _ rivals: Rivals, isNew: Bool) {
        let (before, count) = (house, items)
        (house.rooms, house.others, items) = (pipeline.rooms.sorted(), rivals.claims, pipeline.itemCount)
        if isNew || house != before {
            // All documents name them.
            want(pipeline)
            discovery.lookAtAll()
        } else if items > count {
            discovery.want(also: pipeline.heardItems.map(DiscoveryPlace.item))
        } else if items < count {
            want(pipeline)
        }
    }

    private mutating func want(_ items: Set<String>, _ pipeline: FuserPipeline) {
        for item in items.sorted() {
            let object = DiscoveryPlace.item(item)
            if pipeline.tells(of: item) { discovery.want(object) } else { discovery.drop(object) }
        }
    }

    private mutating func want(_ pipeline: FuserPipeline) {
        let items = pipeline.toldItems.map { DiscoveryPlace.item($0) }
        let rooms = house.rooms.map { DiscoveryPlace.room($0) }
        discovery.want(only: Set(items + rooms + [house.own]))
    }
}

/// What documents are made of beside the items.
struct HouseDescription: Hashable, Sendable {
    /// A fuser and the shards that it is there for.
    struct Speaker: Hashable, Sendable {
        var name: String
        var shards: ShardSet
    }

    private let fuser: String
    private let names: [String: String]
    private let tracker: DiscoveryDocument.Tracker
    private let topics: Topics
    /// The ids of all rooms, in order.
    var rooms: [String] = []
    /// The other fusers.
    var others: [Speaker] = []

    init(_ configuration: FuserConfiguration, topics: Topics) {
        (fuser, self.topics) = (configuration.name, topics)
        let settings = configuration.homeAssistant
        tracker = settings.tracker == .inZones ? .inZones(zone: settings.zone) : .state
        names = Dictionary(configuration.rooms.compactMap { room in room.name.map { (room.id, $0) } }) { one, _ in one }
    }

    /// The fuser's own device.
    var own: String { DiscoveryPlace.fuser(fuser) }

    /// The item or room that a device is.
    static func id(of object: String) -> String? {
        DiscoveryPlace.id(of: object, kind: "item") ?? DiscoveryPlace.id(of: object, kind: "room")
    }

    /// Whether a device that stands, and isn't told of, is gone: an item that was removed, or a person that this configuration
    /// doesn't name. Of another item the entry may be lost, or late.
    func isGone(_ object: String, model: String?, _ pipeline: FuserPipeline) -> Bool {
        guard let item = DiscoveryPlace.id(of: object, kind: "item") else { return true }
        return model == DiscoveryDocument.person || pipeline.isRemoved(item)
    }

    func document(of object: String, _ pipeline: FuserPipeline) -> DiscoveryDocument? {
        if object == own { return .fuser(fuser, version: Version.current, topics: topics) }
        guard let id = Self.id(of: object) else { return nil }
        if object == DiscoveryPlace.room(id) { return .room(room(id), fusers: fusers(of: id), topics: topics) }
        return .item(
            pipeline.told(id), rooms: rooms.map(room), tracker: tracker, fusers: fusers(of: id), topics: topics)
    }

    private func room(_ id: String) -> DiscoveryDocument.Room { .init(id: id, name: names[id]) }

    /// Those that speak for an item or a room, one or another.
    private func fusers(of level: String) -> [String] {
        let shard = Topics.shardNumber(of: level)
        return (others.filter { $0.shards.contains(shard) }.map(\.name) + [fuser]).sorted()
    }
}
