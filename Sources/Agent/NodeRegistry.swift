internal import Bytes
internal import Identity
internal import System
internal import WireProtocol

/// The registry of a running node, from its file, its topics and its stored state, with the problems found.
struct NodeRegistry {
    private var follower: RegistryFollower
    private var regions: [Region]
    /// The findings for `info`.
    private(set) var findings = RegistryFindings()
    /// Items that aren't used because of another with their identity.
    private var twins: Set<RegistryBook.Refusal> = []
    private var keys: NodeKeys
    /// True if the files of all keys are to be read again.
    private var isRenewing = true
    private let log: Log

    init(topics: Topics, entries: [ItemEntry], items: [Item], regions: [Region], keys: NodeKeys = NodeKeys(), log: Log)
    {
        follower = RegistryFollower(topics: topics, book: RegistryBook(entries: entries))
        follower.book.apply(file: items)
        self.regions = regions
        self.keys = keys
        self.log = log
        checkEntries()
    }

    /// The filter to subscribe to, with QoS 0.
    var filter: String { follower.filter }
    /// The current registry.
    var registry: Registry { follower.book.registry(regions: regions, keys: keys.known) }

    /// All known entries, removals too.
    var entries: some Collection<ItemEntry> { follower.book.entries.values }

    /// The problems with keys of items that are identified nevertheless, by item.
    var keyProblems: [(item: String, words: String)] {
        keys.problems.filter { !keys.missing.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The items that are identified by a key.
    var keyedItems: Set<String> { Set(registry.items.filter { $0.key != nil }.map(\.id)) }

    /// Replaces what the configuration gives; `checkEntries` then finds the problems, and reads the files of keys.
    mutating func use(items: [Item], regions: [Region], keyFolders: [String]) {
        follower.book.apply(file: items)
        self.regions = regions
        keys = NodeKeys(folders: keyFolders)
        isRenewing = true
    }

    /// The entry of an item.
    func entry(_ item: String) -> ItemEntry? { follower.book.entry(item) }

    mutating func connected(at now: Timestamp) {
        follower.connected(at: now)
        isRenewing = true
    }

    /// Processes a message of an item's topic. After some of them, `settle` finds the problems.
    mutating func receive(_ message: Message, at now: Timestamp) -> RegistryFollower.Effect {
        follower.receive(message, at: now)
    }

    /// Checks the whole registry after changes and rejections, and returns the newly rejected entries that are valid by
    /// themselves. The cost increases with the number of items.
    @discardableResult
    mutating func checkEntries() -> [RegistryBook.Refusal] {
        for difference in follower.book.takeDifferences() {
            log.write(.notice, "\(difference)", about: [difference.id])
        }
        let (items, twins) = follower.book.checkEntries()
        keys.loadKeys(items, renewing: isRenewing)
        isRenewing = false
        for (item, problem) in keys.problems {
            log.logChange("key file \(item)", .warning, problem, about: [item] + keys.known.keys)
        }
        for refusal in twins {
            log.logChange(
                "item \(refusal.id)", .warning, "\(refusal)",
                about: [refusal.id, refusal.owner, refusal.identity.text])
        }
        let malformed = follower.refusals.values
        for refusal in malformed {
            log.logChange("entry \(refusal.id)", .warning, "\(refusal)", about: refusal.names)
        }
        findings = RegistryFindings(
            missingKeys: keys.missing,
            refused: twins.map { RefusedEntry(item: $0.id, reason: "\($0)") }
                + malformed.map { RefusedEntry(item: KeyText.hidden(in: $0.id), reason: "\($0)") })
        defer { self.twins = Set(twins) }
        return twins.filter { !self.twins.contains($0) }
    }
}
