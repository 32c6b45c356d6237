internal import Bytes

/// A person: items that somebody carries, published as one.
///
/// A person is published like an item, under its id. Only the fuser's configuration defines it: it is no entry of the
/// registry and has no beacon.
public struct Person: Hashable, Sendable {
    /// The most persons of a house.
    public static let bound = 1000
    /// The most items of a person.
    public static let itemBound = 20

    /// Its id, of the same namespace as those of items.
    public var id: String
    /// The display name.
    public var name: String?
    /// The ids of its items, the most significant first; one at least.
    public var items: [String]
    /// Those of the items one of which must be present for the person to be present; empty if any suffices.
    public var mustHave: [String]

    /// A person of these items.
    public init(id: String, name: String? = nil, items: [String], mustHave: [String] = []) {
        self.id = id
        self.name = name
        self.items = items
        self.mustHave = mustHave
    }
}

/// The state of one of a person's items.
public struct PersonReason: Hashable, Sendable {
    /// The item.
    public var item: String
    /// The certainty of the item's presence.
    public var state: Location.State
    /// The item's room; nil while it is away or unknown.
    public var room: String?
    /// A Boolean value that is true if it remained when the person left: it is ignored until it moves.
    public var isLeftBehind: Bool

    /// The state of an item.
    public init(item: String, state: Location.State, room: String?, isLeftBehind: Bool = false) {
        self.item = item
        self.state = state
        self.room = room
        self.isLeftBehind = isLeftBehind
    }
}

extension PersonReason: WireObject {
    static var blank: Self { Self(item: "", state: .unknown, room: nil) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("item", &item)
        try fields.field("state", &state)
        try fields.field("room", &room)
        try fields.field("left_behind", &isLeftBehind, unless: false)
    }
}
