/// A person: items that somebody carries, told of as one.
///
/// A person is published like an item, under its id. Nobody but the fuser's configuration names it: it is no entry of the
/// registry and has no beacon.
public struct Person: Hashable, Sendable {
    /// The most persons of a house.
    public static let bound = 1000
    /// The most items of a person.
    public static let itemBound = 20

    /// Its id, of the same namespace as those of items.
    public var id: String
    /// What people call it.
    public var name: String?
    /// The ids of its items, the most telling first; one at least.
    public var items: [String]
    /// Those of them of which one must be there for the person to be; empty where any will do.
    public var mustHave: [String]

    /// A person of these items.
    public init(id: String, name: String? = nil, items: [String], mustHave: [String] = []) {
        self.id = id
        self.name = name
        self.items = items
        self.mustHave = mustHave
    }
}

/// What one of a person's items says of it.
public struct PersonReason: Hashable, Sendable {
    /// The item.
    public var item: String
    /// How sure the item's presence is.
    public var state: Location.State
    /// The item's room; nil while it is away or unknown.
    public var room: String?
    /// Whether it stayed when the person went: it has no say until it moves.
    public var isLeftBehind: Bool

    /// An item's word.
    public init(item: String, state: Location.State, room: String?, isLeftBehind: Bool = false) {
        self.item = item
        self.state = state
        self.room = room
        self.isLeftBehind = isLeftBehind
    }
}
