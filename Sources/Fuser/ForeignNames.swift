internal import Bytes
internal import Identity
internal import Neighbours

/// Whose the names are that other systems have for beacons.
struct ForeignNames: Sendable {
    /// Names that systems' own settings give to others at most.
    static let aliasCapacity = 4096
    /// Microseconds, by the wall, for which what is known of the registry stands while entries change.
    static let registryPause: Int64 = 1_000_000

    /// Items by names that the configuration gives them.
    private let aliases: [String: String]
    /// Items by the keys of private devices, which stay here.
    private let items: [[UInt8]: String]
    private var learned: [String: ForeignName] = [:]
    private var registry = Registry()
    private var registered: Set<String> = []
    private var isStale = true
    private var refreshed: Timestamp?

    /// - Parameters:
    ///   - aliases: items by names that the configuration gives them.
    ///   - keys: the identity resolving keys of items, the most significant byte first.
    init(aliases: [String: String] = [:], keys: [[UInt8]: String] = [:]) {
        self.aliases = aliases
        // Some write a key with its least significant byte first.
        items = keys.reduce(into: keys) { $0[$1.key.reversed()] = $0[$1.key.reversed()] ?? $1.value }
    }

    /// An entry of the registry has changed.
    mutating func noteRegistry() { isStale = true }

    /// Looks at the registry again where it has changed, once a second at most.
    mutating func refresh(_ book: RegistryBook, at wall: Timestamp) {
        guard isStale, refreshed.map({ wall.microseconds(since: $0).magnitude >= UInt64(Self.registryPause) }) ?? true
        else { return }
        (isStale, refreshed) = (false, wall)
        registry = book.registry()
        registered = Set(registry.items.map(\.id))
    }

    /// A system's own settings give a name to a beacon; false where there is no room for it.
    mutating func learn(_ alias: String, for name: ForeignName) -> Bool {
        guard learned[alias] != nil || learned.count < Self.aliasCapacity else { return false }
        learned[alias] = name
        return true
    }

    /// The item of a name; nil where it is of none.
    func item(called name: ForeignName) -> String? {
        switch name {
        case .beacon(let id):
            return id.espresense.flatMap { aliases[$0] } ?? item(showing: id)
        case .key(let key): return items[key]
        case .alias(let text):
            return aliases[text] ?? learned[text].flatMap { item(meantBy: $0) }
                ?? (registered.contains(text) ? text : nil)
        }
    }

    /// One step: what a name stands for is no alias again.
    private func item(meantBy name: ForeignName) -> String? {
        switch name {
        case .beacon(let id): item(showing: id)
        case .key(let key): items[key]
        case .alias(let text): aliases[text]
        }
    }

    private func item(showing id: BeaconID) -> String? {
        registry.item(showing: id).map { registry.items[Int($0)].id }
    }
}
