internal import Bytes
internal import Crypto
internal import Identity
internal import Integrations

/// The items by the names that other systems have for beacons.
struct ExternalNames: Sendable {
    /// Names that systems' own settings give to others, at most; if there are more, those that lead to an item.
    static let aliasCapacity = 4096
    /// The wall time for which the read registry is used while entries change.
    static let registryPause: Duration = .seconds(1)

    /// Items by names that the configuration gives them.
    private let aliases: [String: String]
    /// Items by their keys, which stay here …
    private var keys: [[UInt8]: String] = [:]
    /// … and by these in both orders.
    private var items: [[UInt8]: String] = [:]
    /// The owner of a resolvable private address, by its place in `owners`.
    private var addresses = PrivateAddressResolver([])
    private var owners: [String] = []
    private var learned: [String: ExternalName] = [:]
    /// True for each of them that leads to an item.
    private var isCrowded = false
    private var registry = Registry()
    private var registered: Set<String> = []
    private var isStale = true
    private var refreshed: Timestamp?

    /// - Parameters:
    ///   - aliases: items by names that the configuration gives them.
    ///   - keys: the identity resolving keys of items, the most significant byte first.
    init(aliases: [String: String] = [:], keys: [[UInt8]: String] = [:]) {
        self.aliases = aliases
        use(keys)
    }

    /// Applies other keys. The resolved addresses stay valid while the keys are the same.
    mutating func use(_ keys: [[UInt8]: String]) {
        guard keys != self.keys else { return }
        (self.keys, isCrowded) = (keys, false)
        // Some write a key with its least significant byte first.
        items = keys.reduce(into: keys) { $0[$1.key.reversed()] = $0[$1.key.reversed()] ?? $1.value }
        let known = keys.sorted { $0.value < $1.value }.prefix(KeyRing.capacity)
            .compactMap { key, item in AES128(key.span).map { (key: $0, item: item) } }
        owners = known.map(\.item)
        addresses = PrivateAddressResolver(known.map(\.key))
    }

    /// Block ciphers that addresses have cost under the keys in force.
    var ciphers: UInt64 { addresses.ciphers }

    /// Records that an entry of the registry has changed.
    mutating func noteRegistry() { isStale = true }

    /// Reads the registry again if it has changed, once a second at most.
    mutating func refresh(_ book: RegistryBook, at wall: Timestamp) {
        guard isStale, refreshed.map({ wall.duration(since: $0).magnitude >= Self.registryPause }) ?? true
        else { return }
        (isStale, isCrowded, refreshed) = (false, false, wall)
        registry = book.registry()
        registered = Set(registry.items.map(\.id))
    }

    /// Records the name that a system's own settings give to a beacon; false if there is no room for it.
    mutating func recordAlias(_ alias: String, for name: ExternalName) -> Bool {
        guard learned[alias] != nil || learned.count < Self.aliasCapacity || makesRoom(for: name) else { return false }
        learned[alias] = name
        return true
    }

    /// Evicts a name that leads to no item for one that leads to one.
    private mutating func makesRoom(for name: ExternalName) -> Bool {
        guard !isCrowded, item(meantBy: name) != nil else { return false }
        guard let idle = learned.first(where: { item(meantBy: $0.value) == nil })?.key else {
            isCrowded = true
            return false
        }
        learned[idle] = nil
        return true
    }

    /// The item of a name; nil if there is none.
    mutating func item(called name: ExternalName) -> String? {
        switch name {
        case .beacon(let id):
            return id.espresense.flatMap { aliases[$0] } ?? item(showing: id)
                ?? addresses.resolve(id).map { owners[$0] }
        case .key(let key): return items[key]
        case .alias(let text):
            return aliases[text] ?? learned[text].flatMap { item(meantBy: $0) }
                ?? (registered.contains(text) ? text : nil)
        }
    }

    /// One step: the target of an alias is no alias.
    private func item(meantBy name: ExternalName) -> String? {
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
