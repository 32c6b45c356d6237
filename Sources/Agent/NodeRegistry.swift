internal import Bytes
internal import Daemon
internal import Identity
internal import Sightings

/// The registry of a running node: what its file, its topics and its memory make together.
struct NodeRegistry {
    private var book: RegistryBook
    private let regions: [Region]
    private let log: Log
    private let clock: () -> Timestamp

    init(entries: [ItemEntry], items: [Item], regions: [Region], log: Log, clock: @escaping () -> Timestamp) {
        book = RegistryBook(entries: entries)
        book.apply(file: items)
        self.regions = regions
        self.log = log
        self.clock = clock
        tellFindings()
    }

    /// The registry to be used.
    var registry: Registry { book.registry(regions: regions) }

    /// Takes what a topic says of an item. The entry to be kept where it is news; nil where nothing changes.
    mutating func take(_ message: Message, item: String) throws(ItemRefusal) -> ItemEntry? {
        guard let change = try ItemChange.read(message.payload.span, item: item) else { return nil }
        switch book.apply(change, retained: message.retained, at: clock()) {
        case .taken:
            tellFindings()
            return book.entry(item)
        case .known, .superseded: return nil
        case .full:
            log.change(
                "registry", .error, "more than \(RegistryBook.entryBound) registry entries: '\(item)' is left out")
            return nil
        }
    }

    private mutating func tellFindings() {
        for difference in book.takeDifferences() { log.notice("\(difference)") }
        for refusal in book.judge().refusals { log.change("item \(refusal.id)", .warning, "\(refusal)") }
    }
}
