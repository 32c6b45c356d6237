/// A beacon that the user registered and named.
public struct Item: Hashable, Sendable {
    /// Its id, which replaces the beacon's in topics.
    public var id: String
    /// Its name for people; nil where only the id names it.
    public var name: String?
    /// The identities by which it is known; an item whose only identity is a key has none here.
    public var identities: [BeaconID]
    /// Microseconds between its advertisements, where the user knows them.
    public var expectedInterval: Int64?
    /// The file with its identity resolving key; nil where it has none.
    public var irkFile: String?

    /// An item by its id; it is known by nothing until identities are given.
    public init(
        id: String, name: String? = nil, identities: [BeaconID] = [], expectedInterval: Int64? = nil,
        irkFile: String? = nil
    ) {
        self.id = id
        self.name = name
        self.identities = identities
        self.expectedInterval = expectedInterval
        self.irkFile = irkFile
    }
}

/// A pattern of identities that a node watches.
public struct Region: Hashable, Sendable {
    /// What lies inside it.
    public enum Members: Hashable, Sendable {
        /// Beacons by their identities.
        case beacons(BeaconPattern)
        /// One registered item, by its id.
        case item(String)
    }

    /// Its id.
    public var id: String
    /// Its name for people.
    public var name: String?
    /// What lies inside it.
    public var members: Members
    /// Microseconds of silence after which it is left; nil where that is learned.
    public var exitAfter: Int64?

    /// A region by its id and members.
    public init(id: String, name: String? = nil, members: Members, exitAfter: Int64? = nil) {
        self.id = id
        self.name = name
        self.members = members
        self.exitAfter = exitAfter
    }
}
