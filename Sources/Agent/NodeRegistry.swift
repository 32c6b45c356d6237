internal import Bytes
internal import Identity
internal import System
internal import WireProtocol

/// The registry of a running node: what its file, its topics and its memory make together, and what is odd of that told.
struct NodeRegistry {
    private var follower: RegistryFollower
    private let regions: [Region]
    /// What is to be told of the registry in `info`.
    private(set) var findings = RegistryFindings()
    /// Items that aren't used because of another with their identity.
    private var twins: Set<RegistryBook.Refusal> = []
    private var keys: NodeKeys
    /// Whether the files of all keys are to be read again.
    private var isRenewing = true
    private let log: Log

    init(topics: Topics, entries: [ItemEntry], items: [Item], regions: [Region], keys: NodeKeys = NodeKeys(), log: Log)
    {
        follower = RegistryFollower(topics: topics, book: RegistryBook(entries: entries))
        follower.book.apply(file: items)
        self.regions = regions
        self.keys = keys
        self.log = log
        settle()
    }

    /// The filter to subscribe to, with QoS 0.
    var filter: String { follower.filter }
    /// The registry to be used.
    var registry: Registry { follower.book.registry(regions: regions, keys: keys.known) }

    /// All that is known, removals too.
    var entries: some Collection<ItemEntry> { follower.book.entries.values }

    /// What is wrong with keys of items that are known all the same, by item.
    var keyProblems: [(item: String, words: String)] {
        keys.problems.filter { !keys.missing.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The items that are known by a key.
    var keyedItems: Set<String> { Set(registry.items.filter { $0.key != nil }.map(\.id)) }

    /// What is known of an item.
    func entry(_ item: String) -> ItemEntry? { follower.book.entry(item) }

    mutating func connected(at now: Timestamp) {
        follower.connected(at: now)
        isRenewing = true
    }

    /// Takes what a topic says of an item. After some of them, `settle` finds what is odd.
    mutating func receive(_ message: Message, at now: Timestamp) -> RegistryFollower.Effect {
        follower.receive(message, at: now)
    }

    /// Judges the whole registry after changes and refusals, and gives what it refuses now and didn't before of what each
    /// entry alone is right in. It costs the more, the more items there are.
    @discardableResult
    mutating func settle() -> [RegistryBook.Refusal] {
        for difference in follower.book.takeDifferences() { log.notice("\(difference)") }
        let (items, twins) = follower.book.judge()
        keys.load(items, renewing: isRenewing)
        isRenewing = false
        for (item, problem) in keys.problems { log.change("key file \(item)", .warning, problem) }
        for refusal in twins { log.change("item \(refusal.id)", .warning, "\(refusal)") }
        let malformed = follower.refusals.values
        for refusal in malformed { log.change("entry \(refusal.id)", .warning, "\(refusal)") }
        findings = RegistryFindings(
            missingKeys: keys.missing,
            refused: twins.map { RefusedEntry(item: $0.id, reason: "\($0)") }
                + malformed.map { RefusedEntry(item: KeyText.hidden(in: $0.id), reason: "\($0)") })
        defer { self.twins = Set(twins) }
        return twins.filter { !self.twins.contains($0) }
    }
}
