internal import Configuration
internal import Identity
internal import WireProtocol

/// What people call items and rooms, as far as configurations and the registry tell.
struct NameBook {
    private var items: [String: String] = [:]
    private var rooms: [String: String] = [:]

    /// The most items whose names are remembered; others go by their ids.
    static let bound = 100_000

    /// No names: ids are shown.
    init() {}

    /// The names of items.
    init(items: [Item]) {
        for item in items { self.items[item.id] = item.name }
    }

    /// The names in a fuser's file; none where it is another's or doesn't hold together, which isn't this command's
    /// business.
    init(configuration path: String?, environment: [String: String]) {
        guard let path, let fuser = try? FuserConfiguration.load(path: path, environment: environment) else { return }
        for item in fuser.items { items[item.id] = item.name }
        for person in fuser.persons { items[person.id] = person.name }
        for room in fuser.rooms { rooms[room.id] = room.name }
    }

    /// Takes the name that a person's answer tells; one that is known counts more.
    mutating func learn(person name: String?, of id: String) {
        guard let name, items[id] == nil, items.count < Self.bound else { return }
        items[id] = name
    }

    /// Takes what a topic says of an item: it counts more than a file. What can't be read is passed over here; nodes and
    /// fusers tell it.
    mutating func learn(_ config: Span<UInt8>, of item: String) {
        guard items[item] != nil || items.count < Self.bound, let change = try? ItemChange.read(config, item: item)
        else {
            return
        }
        if case .item(let entry) = change.content { items[item] = entry.name }
    }

    func item(_ id: String) -> String { items[id] ?? id }
    func room(_ id: String) -> String { rooms[id] ?? id }
}
