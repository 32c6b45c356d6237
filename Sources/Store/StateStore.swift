public import Bytes

/// A state that survives: events in a ledger, and beside them what a program must know again after a restart.
///
/// One SQLite database with a write-ahead log, one process, one thread at a time; every call may block for as long as the
/// disk takes. A batch is one transaction. One with events, or with something that must not be done twice, counts as
/// written when the medium has it (`synchronous=FULL`), so that neither `kill -9` nor, as far as the medium is honest, a
/// power cut loses it. Any other is flushed with the next of those, or at a checkpoint (`NORMAL`).
///
/// When the disk takes nothing (full, read-only, failing) all goes on in memory, within `StoreLimits`, and is written as
/// soon as that works again. Nobody could tell after a crash in between which numbers had been given, and so the first
/// event that the disk doesn't take begins a new epoch: no number is ever used twice.
///
/// A file that somebody removes while it is used is made anew, with what it held but the events of earlier epochs.
public final class StateStore {
    /// Whose state it is. One's file is not opened for the other.
    public enum Contents: Sendable {
        /// An agent's.
        case node
        /// A fuser's.
        case house

        var schema: Schema { self == .node ? .node : .house }
    }

    /// What was found at the start.
    public let opening: StoreOpening
    /// The epoch in which events are numbered: eight hexadecimal digits. It changes when the disk stops taking events.
    public private(set) var epoch: String
    /// The number of the last event in this epoch; 0 before the first.
    public private(set) var lastSeq: UInt64
    /// Why the state lives in memory only; nil while the disk takes it.
    public var problem: StoreError? { failure ?? unopened?.problem }

    private var path: String?
    private let limits: StoreLimits
    private let schema: Schema
    private var lock: StoreLock?
    var database: StoreDatabase?
    private(set) var pending = StorePending()
    /// Why the last write failed; nil where it didn't.
    private var failure: StoreError?
    /// A file that the disk didn't let us open or make; a database in memory stands in for it.
    private var unopened: (path: String, problem: StoreError)?
    /// Whether `epoch` has numbers that the disk doesn't know.
    private var isEpochVolatile = false
    private var tried: Timestamp?
    private var counted = StoreStatistics()
    private var news: SetAside?

    /// Opens the database at `path`, or makes it (mode 600) in a folder that exists.
    ///
    /// A corrupt one is set aside, with its log, for a new one: `opening` says so. Where the disk takes nothing, the state
    /// begins in memory, `problem` says why, and it moves to the file when that can be opened. Throws where the folder is
    /// missing or not writable, another process has the database, its schema is newer, or it belongs to another program;
    /// such a file is left as it is, and `init(inMemoryAt:)` lets the program go on.
    public convenience init(
        path: String, holding contents: Contents = .node, at now: Timestamp, limits: StoreLimits = StoreLimits()
    ) throws(StoreError) {
        try self.init(path: path, at: now, limits: limits, schema: contents.schema)
    }

    /// A state that ends with the process; its epoch too.
    public convenience init(
        inMemoryAt now: Timestamp, holding contents: Contents = .node, limits: StoreLimits = StoreLimits()
    ) throws(StoreError) {
        try self.init(path: nil, at: now, limits: limits, schema: contents.schema)
    }

    init(path: String?, at now: Timestamp, limits: StoreLimits, schema: Schema) throws(StoreError) {
        self.limits = limits
        self.schema = schema
        let opened: (lock: StoreLock?, database: StoreDatabase, opening: StoreOpening)
        do throws(StoreError) {
            opened = try StoreOpener(path: path, schema: schema).open(at: now)
            self.path = path
        } catch {
            guard let path, [.full, .readOnly, .inputOutput].contains(error.kind) else { throw error }
            opened = try StoreOpener(path: nil, schema: schema).open(at: now)
            unopened = (path, error)
            tried = now
        }
        lock = opened.lock
        database = opened.database
        opening = opened.opening
        epoch = opened.database.epoch
        lastSeq = opened.database.lastSeq
        if opening.epochReason != nil {
            epoch = StoreDatabase.newEpoch()
            lastSeq = 0
            isEpochVolatile = true
        }
    }

    deinit {
        // Before the lock goes: closing writes the log back.
        database = nil
    }

    /// What was counted since the start.
    public var statistics: StoreStatistics {
        var statistics = counted
        statistics.pendingEvents = pending.events.count
        statistics.pendingChanges = pending.changeCount
        return statistics
    }

    /// Numbers the batch's events and keeps all of the batch, on the disk or else in memory. It never fails for the caller.
    ///
    /// It also notes that the program is alive at `now`, and writes what waits in memory when a try is due. A batch at
    /// least every 10 s, be it empty, tells the next start when an outage began. Before the first, the end of the program
    /// before stays on record: write when what was missed has been dealt with.
    public func write(_ batch: StoreBatch, at now: Timestamp) -> StoreWritten {
        leaveRemovedFile(at: now)
        let hasMoved = unopened != nil && isTryDue(at: now) && move(at: now)
        if failure == nil {
            let numbered = number(batch.events)
            do throws(StoreError) {
                try persistMakingRoom(numbered, batch.changes, at: now, flushing: batch.isUrgent)
                lastSeq += UInt64(numbered.count)
                return written(numbered, hasRecovered: hasMoved)
            } catch {
                failed(error, at: now)
            }
        }
        if !batch.events.isEmpty, !isEpochVolatile {
            epoch = StoreDatabase.newEpoch()
            lastSeq = 0
            isEpochVolatile = true
        }
        let numbered = number(batch.events)
        lastSeq += UInt64(numbered.count)
        pending.add(numbered, batch.changes, limits: limits, &counted)
        let hasRecovered = isTryDue(at: now) && retry(at: now)
        return written(numbered, hasRecovered: hasRecovered)
    }

    /// Writes what `body` puts into a batch: all of it is kept together, or none. As `write(_:at:)`.
    public func transaction(at now: Timestamp, _ body: (inout StoreBatch) -> Void) -> StoreWritten {
        var batch = StoreBatch()
        body(&batch)
        return write(batch, at: now)
    }

    /// Notes that the program is alive. As an empty batch.
    public func heartbeat(at now: Timestamp) -> StoreWritten { write(StoreBatch(), at: now) }

    /// Writes what waits, notes a clean end, and lets go of the database; nothing is kept after it.
    ///
    /// Throws where the disk doesn't take it: what waited is lost then.
    public func close(at now: Timestamp) throws(StoreError) {
        defer {
            database = nil
            lock = nil
        }
        leaveRemovedFile(at: now)
        if failure != nil { _ = retry(at: now) }
        if unopened != nil { _ = move(at: now) }
        if let problem { throw problem }
        try database?.close(at: now)
    }

    /// What a write does when it fails so; for tests.
    func forceFailure(_ error: StoreError, at now: Timestamp) { failed(error, at: now) }

    // MARK: Pieces

    private func written(_ events: [StoredEvent], hasRecovered: Bool) -> StoreWritten {
        defer { news = nil }
        return StoreWritten(events: events, problem: problem, setAside: news, hasRecovered: hasRecovered)
    }

    private func number(_ events: [EventDraft]) -> [StoredEvent] {
        events.enumerated().map { offset, event in
            StoredEvent(epoch: epoch, seq: lastSeq + UInt64(offset) + 1, event: event)
        }
    }

    private func persist(
        _ events: [StoredEvent], _ changes: some Sequence<StoreChange>, at now: Timestamp, flushing: Bool
    ) throws(StoreError) {
        guard let database else { throw StoreDatabase.closed(path) }
        let last = events.last?.seq ?? lastSeq
        let pruned = try database.write(
            events, changes, epoch: epoch, lastSeq: last, at: now, flushing: flushing, limits: limits)
        counted.prunedEvents += UInt64(clamping: pruned)
        counted.transactions += 1
        let isBegun = isEpochVolatile
        isEpochVolatile = false
        if isBegun || !events.isEmpty { lock?.note(StoreLock.Mark(epoch: epoch, seq: last)) }
    }

    /// Persists; where the disk is full the log's own room is given back first, and it is tried once more.
    private func persistMakingRoom(
        _ events: [StoredEvent], _ changes: some Sequence<StoreChange>, at now: Timestamp, flushing: Bool
    ) throws(StoreError) {
        do throws(StoreError) {
            try persist(events, changes, at: now, flushing: flushing)
        } catch {
            guard error.kind == .full, let database, path != nil else { throw error }
            do throws(StoreError) {
                try database.shortenLog()
            } catch _ {
                // The first fault tells more.
                throw error
            }
            try persist(events, changes, at: now, flushing: flushing)
        }
    }

    private func isTryDue(at now: Timestamp) -> Bool {
        guard let tried else { return true }
        // A wall clock that was set back makes a try due.
        return now < tried || now.microseconds(since: tried) >= limits.retry
    }

    /// Tries to write all that waits; whether that ended a problem.
    private func retry(at now: Timestamp) -> Bool {
        do throws(StoreError) {
            if database == nil { try renew(at: now) }
            try persistMakingRoom(pending.events, pending.changes, at: now, flushing: true)
            pending = StorePending()
            failure = nil
            tried = nil
            return true
        } catch {
            failed(error, at: now)
            return false
        }
    }

    private func failed(_ error: StoreError, at now: Timestamp) {
        counted.failures += 1
        failure = error
        tried = now
        guard error.kind == .corrupt, let path else { return }
        // The database is closed first, since closing writes the log back into it.
        database = nil
        guard let moved = try? StoreFile(path: path).setAside(at: now.microseconds / 1_000_000) else { return }
        news = SetAside(path: moved, reason: error)
        tried = nil
    }

    /// Takes what it holds along into memory from a file that somebody has removed, since nobody would find what is written
    /// there. The next try makes the file anew.
    private func leaveRemovedFile(at now: Timestamp) {
        guard failure == nil, let path, let database, StoreFile(path: path).isMissing else { return }
        counted.failures += 1
        do throws(StoreError) {
            let memory = try StoreOpener(path: nil, schema: schema).open(at: now).database
            try copy(database, into: memory, at: now)
            let words = "somebody has removed it, and it is made anew"
            unopened = (path, StoreError(.other, purpose: "write the database", words: words, path: path))
            // Closed before another is opened there: closing removes the log at its path.
            self.database = memory
            (self.path, lock, tried) = (nil, nil, now)
        } catch {
            failed(error, at: now)
        }
    }

    /// Tries to move all that a database in memory holds to the file for which it stands; whether that went well.
    private func move(at now: Timestamp) -> Bool {
        guard let unopened, let database else { return false }
        do throws(StoreError) {
            let opened = try StoreOpener(path: unopened.path, schema: schema).open(at: now)
            try copy(database, into: opened.database, at: now)
            lock = opened.lock
            lock?.note(StoreLock.Mark(epoch: epoch, seq: lastSeq))
            self.database = opened.database
            path = unopened.path
            news = opened.opening.setAside
            self.unopened = nil
            tried = nil
            return true
        } catch {
            counted.failures += 1
            self.unopened?.problem = error
            tried = now
            return false
        }
    }

    /// Writes all records of a database, and its events of the current epoch, into another.
    private func copy(_ database: StoreDatabase, into other: StoreDatabase, at now: Timestamp) throws(StoreError) {
        var changes: [StoreChange] = []
        for table in schema.tables { changes += try database.connection.records(table) }
        let events = try database.events(epoch: epoch, from: 0, limit: .max)
        _ = try other.write(events, changes, epoch: epoch, lastSeq: lastSeq, at: now, flushing: true, limits: limits)
    }

    /// Makes a new database where the old one was set aside.
    private func renew(at now: Timestamp) throws(StoreError) {
        let renewed = try StoreOpener(path: path, schema: schema).openFile(at: now)
        database = renewed.database
        if let setAside = renewed.setAside { news = setAside }
        guard !isEpochVolatile else { return }
        epoch = renewed.database.epoch
        lastSeq = renewed.database.lastSeq
        isEpochVolatile = true
    }
}
