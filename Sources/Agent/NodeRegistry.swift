internal import Bytes
internal import Daemon
internal import Identity
internal import Sightings

/// The registry of a running node: what its file, its topics and its memory make together, and what is odd of that told.
struct NodeRegistry {
    private var follower: RegistryFollower
    private let regions: [Region]
    private let log: Log

    init(topics: Topics, entries: [ItemEntry], items: [Item], regions: [Region], log: Log) {
        follower = RegistryFollower(topics: topics, book: RegistryBook(entries: entries))
        follower.book.apply(file: items)
        self.regions = regions
        self.log = log
        tellFindings()
    }

    /// The filter to subscribe to, with QoS 0.
    var filter: String { follower.filter }
    /// The registry to be used.
    var registry: Registry { follower.book.registry(regions: regions) }

    /// All that is known, removals too.
    var entries: some Collection<ItemEntry> { follower.book.entries.values }

    /// What is known of an item.
    func entry(_ item: String) -> ItemEntry? { follower.book.entry(item) }

    mutating func connected(at now: Timestamp) {
        follower.connected(at: now)
    }

    /// Takes what a topic says of an item.
    mutating func receive(_ message: Message, at now: Timestamp) -> RegistryFollower.Effect {
        let effect = follower.receive(message, at: now)
        switch effect {
        case .changed: tellFindings()
        case .refused(let refusal): log.change("item \(refusal.id)", .warning, "\(refusal)")
        case .nothing: break
        }
        return effect
    }

    private mutating func tellFindings() {
        for difference in follower.book.takeDifferences() { log.notice("\(difference)") }
        for refusal in follower.book.judge().refusals { log.change("item \(refusal.id)", .warning, "\(refusal)") }
    }
}
