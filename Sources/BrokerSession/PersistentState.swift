public import Bytes
public import WireProtocol
public import Store
public import System

/// A program's state: opened, or in memory if it can't be opened, with a log line for each fault.
public final class PersistentState {
    /// The state.
    public let store: StateStore
    /// True if it is to survive the program, if the disk permits.
    public let isLasting: Bool
    private let log: Log
    /// True if a new, empty database has replaced one that was found corrupt.
    private var isNew = false
    /// The time that batches took.
    private(set) var writing = Duration.zero

    /// Opens the database at `path`; without a path or after a failure the state is in memory. Throws if the database is
    /// that of a newer version: what would happen from now on would be missing there.
    public init(
        path: String?, holding contents: StateStore.Contents, at now: Timestamp, limits: StoreLimits = StoreLimits(),
        log: Log
    ) throws(StoreError) {
        self.log = log
        isLasting = path != nil
        guard let path else {
            store = try StateStore(inMemoryAt: now, holding: contents, limits: limits)
            return
        }
        do throws(StoreError) {
            store = try StateStore(path: path, holding: contents, at: now, limits: limits)
        } catch {
            if case .newerSchema = error.kind { throw error }
            log.error("\(error); going on without a state that survives")
            store = try StateStore(inMemoryAt: now, holding: contents, limits: limits)
        }
        if let aside = store.opening.setAside {
            log.error("the state was corrupt and is set aside as \(aside.path): \(aside.reason)")
        }
        if let version = store.opening.migratedFrom, let copy = store.opening.keptCopy {
            log.notice("the state is brought forward from version \(version); as it was, it is kept as \(copy)")
        }
        if let reason = store.opening.epochReason { log.warning("a new epoch begins: \(reason)") }
        if let problem = store.problem { log.error("\(problem); going on in memory") }
    }

    /// Stores the batch that `body` fills, all of it or nothing, and returns its events with their numbers.
    @discardableResult
    public func commitBatch(at now: Timestamp, _ body: (inout StoreBatch) -> Void) -> [StoredEvent] {
        let begin = MonotonicClock.now()
        let result = store.transaction(at: now, body)
        writing += MonotonicClock.now() - begin
        if let problem = result.problem { log.logChange("state", .error, "\(problem); going on in memory") }
        if result.hasRecovered { log.logChange("state", .notice, "the state is written to the disk again") }
        if let aside = result.setAside {
            isNew = true
            log.error("the state was corrupt and is set aside as \(aside.path): \(aside.reason)")
        }
        return result.events
    }

    /// The result of `read`; nil after a disk error, with the consequence in the log.
    public func read<Value>(
        _ consequence: String, _ read: (StateStore) throws(StoreError) -> Value
    ) -> Value? {
        do throws(StoreError) {
            return try read(store)
        } catch {
            log.error("\(error); \(consequence)")
            return nil
        }
    }

    /// The most events of one `replay` answer; a subscriber continues from `next_seq`.
    public static let replayLimit = 1000

    /// Events of an epoch from a number on, as many as fit one answer, and the extent of those retained.
    public func replayEvents(
        epoch: String, from seq: UInt64
    ) throws(StoreError) -> (events: [StoredEvent], report: ReplayReport) {
        let extents = try store.extents()
        guard let extent = extents.last(where: { $0.epoch == epoch }) else {
            return ([], ReplayReport(unknown: epoch, kept: extents.map(\.epoch)))
        }
        let events = try store.events(epoch: epoch, from: seq, limit: Self.replayLimit)
        let next = events.last.flatMap { $0.seq < extent.lastSeq ? $0.seq + 1 : nil }
        return (events, ReplayReport(epoch: epoch, first: extent.firstSeq, last: extent.lastSeq, next: next))
    }

    /// Logs a fault of stored state that can't be used.
    public func logFault(_ words: String) { log.error(words) }

    /// Returns true once if all remembered state must be stored again.
    public func takeLoss() -> Bool {
        defer { isNew = false }
        return isNew
    }

    /// Closes the store with a clean end.
    public func close(at now: Timestamp) {
        do throws(StoreError) {
            try store.close(at: now)
        } catch {
            log.error("\(error)")
        }
    }
}
