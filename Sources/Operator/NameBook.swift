internal import Configuration
internal import Identity
internal import WireProtocol

/// The names of items and rooms, from configurations and the registry.
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

    /// The names in a fuser's file; none if it is another program's or has faults, which are not this command's to
    /// report.
    init(configuration path: String?, environment: [String: String]) {
        guard let path, let fuser = try? FuserConfiguration.load(path: path, environment: environment) else { return }
        for item in fuser.items { items[item.id] = item.name }
        for person in fuser.persons { items[person.id] = person.name }
        for room in fuser.rooms { rooms[room.id] = room.name }
    }

    /// Adopts the name in a person's answer; one that is known takes precedence.
    mutating func adoptName(person name: String?, of id: String) {
        guard let name, items[id] == nil, items.count < Self.bound else { return }
        items[id] = name
    }

    /// Adopts the name in an item's topic: it takes precedence over a file's. Unreadable ones are skipped here; nodes
    /// and fusers report them.
    mutating func adoptConfig(_ config: Span<UInt8>, of item: String) {
        guard items[item] != nil || items.count < Self.bound, let change = try? ItemChange.read(config, item: item)
        else {
            return
        }
        if case .item(let entry) = change.content { items[item] = entry.name }
    }

    func item(_ id: String) -> String { items[id] ?? id }
    func room(_ id: String) -> String { rooms[id] ?? id }
}
