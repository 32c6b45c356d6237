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
    /// Words that regions may watch it by, sorted; ids by their form.
    public var tags: [String] = []
    /// Its measured power in dBm at one metre, where the user corrects what its frames say.
    public var power: Int?

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
