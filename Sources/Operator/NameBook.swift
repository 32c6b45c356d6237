internal import Daemon
internal import Identity

/// What people call items and rooms, as far as a fuser's configuration tells.
struct NameBook {
    private var items: [String: String] = [:]
    private var rooms: [String: String] = [:]

    /// No names: ids are shown.
    init() {}

    /// The names in a fuser's file; none where it is another's or doesn't hold together, which isn't this command's
    /// business.
    init(configuration path: String?, environment: [String: String]) {
        guard let path, let fuser = try? FuserConfiguration.load(path: path, environment: environment) else { return }
        for item in fuser.items { items[item.id] = item.name }
        for room in fuser.rooms { rooms[room.id] = room.name }
    }

    func item(_ id: String) -> String { items[id] ?? id }
    func room(_ id: String) -> String { rooms[id] ?? id }
}
