public import Bytes

/// A persistent state: events in a ledger, and the other state that a program needs again after a restart.
///
/// One SQLite database with a write-ahead log, one process, one thread at a time; every call may block for as long as
/// the disk does. A batch is one transaction. A batch with events, or with a change that must not be repeated, counts
/// as written when the medium has it (`synchronous=FULL`), so that neither `kill -9` nor, with an honest medium, a
/// power cut loses it. Any other batch is flushed with the next one of those, or at a checkpoint (`NORMAL`).
///
/// While the disk accepts nothing (full, read-only, failing) everything continues in memory, within `StoreLimits`, and
/// is written as soon as that works again. After a crash in between the assigned numbers would be unknown. The first
/// event that the disk rejects therefore begins a new epoch: no number is ever used twice.
///
/// A file that is removed during use is created anew, with its content except for the events of earlier epochs.
public final class StateStore {
    /// The kind of state. A file of one kind isn't opened for the other.
    public enum Contents: Sendable {
        /// An agent's.
        case node
        /// A fuser's.
        case house

        var schema: Schema { self == .node ? .node : .house }
    }

    /// The findings at the start.
    public let opening: StoreOpening
    /// The epoch in which events are numbered: eight hexadecimal digits. It changes when the disk stops accepting
    /// events.
    public private(set) var epoch: String
    /// The number of the last event in this epoch; 0 before the first.
    public private(set) var lastSeq: UInt64
    /// The reason why the state is in memory only; nil while the disk accepts it.
    public var problem: StoreError? { failure ?? unopened?.problem }

    private var path: String?
    private let limits: StoreLimits
    private let schema: Schema
    private var lock: StoreLock?
    var database: StoreDatabase? {
        didSet { database?.exported = exported }
    }
    private(set) var pending = StorePending()
    /// The reason why the last write failed; nil if it didn't.
    private var failure: StoreError?
    /// A file that couldn't be opened or created; a database in memory substitutes it.
    private var unopened: (path: String, problem: StoreError)?
    /// True if `epoch` has numbers that aren't on the disk.
    private var isEpochVolatile = false
    private var tried: Timestamp?
    /// The rows that another database has; nil if none is to get them.
    public var exported: ExportMarks? {
        didSet { database?.exported = exported }
    }
    private var counted = StoreStatistics()
    private var news: SetAside?

    /// Opens the database at `path`, or creates it (mode 600) in an existing folder.
    ///
    /// A corrupt database is set aside, with its log, for a new one: `opening` reports it. If the disk accepts nothing,
    /// the state begins in memory, `problem` has the reason, and the state moves to the file when that can be opened.
    /// Throws if the folder is missing or not writable, another process has the database, its schema is newer, or it
    /// belongs to another program; such a file is left unchanged, and `init(inMemoryAt:)` lets the program continue.
    public convenience init(
        path: String, holding contents: Contents = .node, at now: Timestamp, limits: StoreLimits = StoreLimits()
    ) throws(StoreError) {
        try self.init(path: path, at: now, limits: limits, schema: contents.schema)
    }

    /// A state that ends with the process, as does its epoch.
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
            opened = try StoreOpener(path: path, schema: schema).openDatabase(at: now)
            self.path = path
        } catch {
            guard let path, [.full, .readOnly, .inputOutput].contains(error.kind) else { throw error }
            opened = try StoreOpener(path: nil, schema: schema).openDatabase(at: now)
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
        // Closed before the lock is released: closing writes the log back.
        database = nil
    }

    /// The counts since the start.
    public var statistics: StoreStatistics {
        var statistics = counted
        statistics.pendingEvents = pending.events.count
        statistics.pendingChanges = pending.changeCount
        return statistics
    }

    /// The bytes of the database and its log on the disk; nil if it is in memory. Looks at the files; doesn't block.
    public var fileBytes: Int64? {
        guard let path, unopened == nil else { return nil }
        return StoreFile(path: path).bytes + StoreFile(path: path + "-wal").bytes
    }

    /// Numbers the batch's events and stores the whole batch, on the disk or else in memory. It never fails for the
    /// caller.
    ///
    /// It also records that the program is alive at `now`, and writes the changes that wait in memory when a retry is
    /// due. A batch at least every 10 s, even an empty one, lets the next start determine the beginning of an outage.
    /// Before the first batch, the end of the previous program stays on record: write after the missed time was
    /// handled.
    public func write(_ batch: StoreBatch, at now: Timestamp) -> StoreWritten {
        leaveRemovedFile(at: now)
        let hasMoved = unopened != nil && isTryDue(at: now) && moveToFile(at: now)
        if failure == nil {
            let numbered = numberEvents(batch.events)
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
        let numbered = numberEvents(batch.events)
        lastSeq += UInt64(numbered.count)
        pending.add(numbered, batch.changes, limits: limits, &counted)
        let hasRecovered = isTryDue(at: now) && retryWrite(at: now)
        return written(numbered, hasRecovered: hasRecovered)
    }

    /// Writes the batch that `body` fills: all of it is stored, or none. As `write(_:at:)`.
    public func transaction(at now: Timestamp, _ body: (inout StoreBatch) -> Void) -> StoreWritten {
        var batch = StoreBatch()
        body(&batch)
        return write(batch, at: now)
    }

    /// Records that the program is alive. As an empty batch.
    public func heartbeat(at now: Timestamp) -> StoreWritten { write(StoreBatch(), at: now) }

    /// Writes the waiting changes, records a clean end, and closes the database; nothing is stored afterwards.
    ///
    /// Throws if the disk rejects it: the waiting changes are lost then.
    public func close(at now: Timestamp) throws(StoreError) {
        defer {
            database = nil
            lock = nil
        }
        leaveRemovedFile(at: now)
        if failure != nil { _ = retryWrite(at: now) }
        if unopened != nil { _ = moveToFile(at: now) }
        if let problem { throw problem }
        try database?.close(at: now)
    }

    /// Simulates a write that fails with this error; for tests.
    func forceFailure(_ error: StoreError, at now: Timestamp) { failed(error, at: now) }

    // MARK: Pieces

    private func written(_ events: [StoredEvent], hasRecovered: Bool) -> StoreWritten {
        defer { news = nil }
        return StoreWritten(events: events, problem: problem, setAside: news, hasRecovered: hasRecovered)
    }

    private func numberEvents(_ events: [EventDraft]) -> [StoredEvent] {
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
        let lost = database.takeLost()
        counted.lostExports += lost.exports
        counted.lostAudit += lost.audit
        counted.transactions += 1
        let isBegun = isEpochVolatile
        isEpochVolatile = false
        if isBegun || !events.isEmpty { lock?.writeMark(StoreLock.Mark(epoch: epoch, seq: last)) }
    }

    /// Persists; on a full disk it truncates the log to free room, and tries once more.
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
                // The first error is more specific.
                throw error
            }
            try persist(events, changes, at: now, flushing: flushing)
        }
    }

    private func isTryDue(at now: Timestamp) -> Bool {
        guard let tried else { return true }
        // A wall clock that was set back makes a retry due.
        return now < tried || now.duration(since: tried) >= limits.retry
    }

    /// Tries to write all that waits; returns true if that ended a problem.
    private func retryWrite(at now: Timestamp) -> Bool {
        do throws(StoreError) {
            if database == nil { try renewDatabase(at: now) }
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

    /// Loads the content of a file that was removed into memory, since writes to that file would be lost. The next
    /// retry creates the file anew.
    private func leaveRemovedFile(at now: Timestamp) {
        guard failure == nil, let path, let database, StoreFile(path: path).isMissing else { return }
        counted.failures += 1
        do throws(StoreError) {
            let memory = try StoreOpener(path: nil, schema: schema).openDatabase(at: now).database
            try copyState(database, into: memory, at: now)
            let words = "somebody has removed it, and it is made anew"
            unopened = (path, StoreError(.other, purpose: "write the database", words: words, path: path))
            // Closed before another is opened there: closing removes the log at its path.
            self.database = memory
            (self.path, lock, tried) = (nil, nil, now)
        } catch {
            failed(error, at: now)
        }
    }

    /// Tries to move the content of a database in memory to its file; returns true on success.
    private func moveToFile(at now: Timestamp) -> Bool {
        guard let unopened, let database else { return false }
        do throws(StoreError) {
            let opened = try StoreOpener(path: unopened.path, schema: schema).openDatabase(at: now)
            try copyState(database, into: opened.database, at: now)
            lock = opened.lock
            lock?.writeMark(StoreLock.Mark(epoch: epoch, seq: lastSeq))
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

    /// Copies all records of a database, and its events of the current epoch, into another.
    private func copyState(_ database: StoreDatabase, into other: StoreDatabase, at now: Timestamp) throws(StoreError) {
        if schema.tables.contains(.visits) {
            // Numbers go on, so that no row has one that was exported for another.
            for (stream, last) in try database.connection.ends() {
                try other.connection.run(.setEnd, .text(stream), .count(last))
            }
        }
        var changes: [StoreChange] = []
        for table in schema.tables { changes += try database.connection.records(table) }
        let events = try database.events(epoch: epoch, from: 0, limit: .max)
        _ = try other.write(events, changes, epoch: epoch, lastSeq: lastSeq, at: now, flushing: true, limits: limits)
    }

    /// Creates a new database in place of one that was set aside.
    private func renewDatabase(at now: Timestamp) throws(StoreError) {
        let renewed = try StoreOpener(path: path, schema: schema).openFile(at: now)
        database = renewed.database
        if let setAside = renewed.setAside { news = setAside }
        guard !isEpochVolatile else { return }
        epoch = renewed.database.epoch
        lastSeq = renewed.database.lastSeq
        isEpochVolatile = true
    }
}
