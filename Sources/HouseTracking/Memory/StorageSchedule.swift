internal import Bytes
internal import RoomEstimation

/// The times at which the state of one item is stored.
struct StorageSchedule: Sendable {
    /// True if there is something to store that was not there the last time.
    private(set) var isNew = false
    /// The time at which it was last returned for storage.
    private var lastStored: Timestamp?

    /// A schedule of an item that is not stored yet, or was at a time.
    init(lastStored: Timestamp? = nil) { self.lastStored = lastStored }

    /// Records that there is something to store.
    mutating func markNew() { isNew = true }

    /// Records that its state was returned for storage.
    mutating func markStored(at time: Timestamp) { (isNew, lastStored) = (false, time) }

    /// True if its state should be stored again.
    ///
    /// - Parameters:
    ///   - since: the time since which its answer holds.
    ///   - isSilent: true if it is silent while nodes listen: the length of that must survive repeated restarts, since
    ///     otherwise it would never be away.
    func isDue(at time: Timestamp, since: Timestamp, isSilent: Bool) -> Bool {
        guard let lastStored, time >= lastStored else { return true }
        let age = time.duration(since: lastStored)
        guard age >= Parameters.Household.keptSoonest else { return false }
        let stands = isSilent ? .zero : time.duration(since: since) / Parameters.Household.keptShare
        return age >= min(Parameters.Household.keptLatest, stands)
    }
}
