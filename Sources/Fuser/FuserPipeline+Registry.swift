internal import Bytes
internal import HouseTracking
internal import Identity
internal import WireProtocol

/// What the fleet's registry says, and what it should say.
extension FuserPipeline {
    /// Whether an item is registered.
    func hasEntry(_ id: String) -> Bool { registry.book.entry(id).map { !$0.isTombstone } ?? false }

    /// Whether an item is neither registered nor heard of.
    func isNowhere(_ item: String) -> Bool { !hasEntry(item) && household.lastHeard(of: item) == nil }

    /// Notes that a registered item is to be somewhere: one that no node hears is away.
    mutating func expect(_ entry: ItemEntry?, at wall: Timestamp) {
        guard let item = entry?.item, shards.contains(Topics.shardNumber(of: item.id)) else { return }
        household.expect(item.id, interval: item.expectedInterval, at: clock.time(atWall: wall))
    }

    /// Puts back what the broker lost of the registry, and what the items file seeds; names what the file says in vain.
    mutating func repairRegistry(at wall: Timestamp, _ outbox: inout [Message]) {
        guard let repairs = registry.takeRepairs(at: wall) else { return }
        outbox += repairs
        // What was put back comes back.
        guard repairs.isEmpty else { return }
        for difference in registry.book.takeDifferences() {
            diagnostics.warn("items file \(difference.id)", "\(difference)")
        }
    }
}
