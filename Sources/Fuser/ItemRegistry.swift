internal import Bytes
internal import Configuration
internal import Identity
internal import WireProtocol

/// The fleet's registry of items, as the broker retains it: followed, repaired, and seeded by the items file.
///
/// The retained messages of a removed item are cleared, and it is not published any more. Its history and its lessons
/// stay until they are purged.
final class ItemRegistry: FuserComponent, ItemDirectory {
    private var follower: RegistryFollower
    /// Items that were removed in this run.
    private var withdrawn: Set<String> = []
    /// True once all entries that the broker retains were read, on the present connection.
    private(set) var isRead = false

    init(topics: Topics, file items: [Item]) {
        follower = RegistryFollower(topics: topics)
        follower.book.apply(file: items)
    }

    /// The filter that it must be subscribed to.
    var filter: String { follower.filter }

    func connected(_ turn: Turn) {
        isRead = false
        follower.connected(at: turn.wall)
    }

    func subscriptionsGranted(_ turn: Turn) { follower.expectRetained(at: turn.wall) }

    func receive(_ message: HouseMessage, _ turn: Turn) {
        guard case .entry(let message) = message else { return }
        switch follower.receive(message, at: turn.wall) {
        case .changed(let item): applyChange(item, turn)
        case .refused(let refusal): turn.diagnostics.warn("item \(refusal.id)", "\(refusal)", about: refusal.names)
        case .nothing: break
        }
    }

    private func applyChange(_ item: String, _ turn: Turn) {
        let isRemoved = entry(item)?.isTombstone == true && !turn.persons.isPerson(item)
        if isRemoved { withdrawn.insert(item) } else { withdrawn.remove(item) }
        turn.emit { $0.entryChanged(of: item, turn) }
        if isRemoved { _ = turn.eraseData(Erasure(item: item, reason: .removal, isWhole: true)) }
    }

    func configurationChanged(from old: FuserConfiguration, to new: FuserConfiguration, _ turn: Turn) {
        if old.items != new.items { follower.use(file: new.items, at: turn.wall) }
    }

    func nextDeadline(_ house: FuserHouse) -> Timestamp? { house.publication.isAwaited ? nil : follower.nextDeadline }

    /// Restores what the broker lost, adds what the items file seeds, and warns of entries of the file without effect.
    func advance(_ turn: Turn) {
        guard !turn.publication.isAwaited, let repairs = follower.takeRepairs(at: turn.wall) else { return }
        isRead = true
        for message in repairs { turn.publication.sendMessage(message) }
        // The restored messages return.
        guard repairs.isEmpty else { return }
        for difference in follower.book.takeDifferences() {
            turn.diagnostics.warn("items file \(difference.id)", "\(difference)", about: [difference.id])
        }
    }

    // MARK: Answers

    var book: RegistryBook { follower.book }
    func entry(_ item: String) -> ItemEntry? { follower.book.entry(item) }
    func isRegistered(_ item: String) -> Bool { follower.book.isRegistered(item) }
    func isWithdrawn(_ item: String) -> Bool { withdrawn.contains(item) }
    func isRemoved(_ item: String) -> Bool { withdrawn.contains(item) || entry(item)?.isTombstone == true }

    /// The items that the registry and the items file give, by their ids.
    var itemIDs: [String] { follower.book.checkEntries().items.map(\.id) }

    /// The items that are published: those that the items file seeds, and all entries, also of items that have another's
    /// beacon.
    var publishedItems: Set<String> {
        let registered = follower.book.entries.values.lazy.filter { !$0.isTombstone }.map(\.id)
        return Set(itemIDs).union(registered).subtracting(withdrawn)
    }
}
