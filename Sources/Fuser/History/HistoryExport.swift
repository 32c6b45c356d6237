internal import BrokerSession
internal import Bytes
internal import LongHistory
internal import Store
internal import System

/// The copy of a fuser's rows in PostgreSQL, as the fuser's thread sees it.
///
/// The store is the outbox. After each connection PostgreSQL says how far it has got, and batches follow from there on,
/// one at a time. The store deletes nothing by its usual bounds that is not there yet.
final class HistoryExport {
    private let history: LongHistory
    private let memory: FuserMemory
    private let log: Log
    /// The number of the connection; nil without one.
    private var connection: UInt64?
    private var cursors: [HistoryStream: [String: UInt64]] = [:]
    /// Epochs that may have events to export, the oldest first, and the store's present one; nil until they are read for a
    /// connection.
    private var epochs: [String]?
    /// True while a batch is being written.
    private var isWriting = false
    /// The stream whose turn it is.
    private var turn = 0
    private var nextLook = MonotonicTime.start
    /// Deletions that PostgreSQL has to make, in the order of their requests.
    private(set) var purges = PendingPurges()
    /// True until deletions that an earlier version has stored are stored anew.
    private var hasOlderPurges = false
    /// The numbers of deletions that PostgreSQL has made, to be removed from the store.
    private var made: [UInt64] = []
    /// The last moment at which nothing was left to be written.
    private var caughtUp: MonotonicTime
    /// The reason why nothing is written, and the time since when.
    private var failure: (error: HistoryError, since: MonotonicTime)?
    private(set) var figures = HistoryFigures()

    /// The most rows of a batch, and the bytes after which it has no further row.
    static let batchRows = 1000, batchBytes = 1 << 20
    /// The most deletions that wait.
    private static let purgeBound = 10_000
    /// The pause between two looks for new rows.
    private static let pause: Duration = .milliseconds(500)
    /// The time for which a connection may be away before that is a problem.
    private static let patience: Duration = .seconds(60)

    /// Begins to connect.
    init(
        _ settings: HistorySettings, memory: FuserMemory, log: Log, at now: MonotonicTime,
        wakeUp: @escaping @Sendable () -> Void
    ) throws(HistoryError) {
        self.memory = memory
        self.log = log
        caughtUp = now
        (purges, hasOlderPurges) = memory.pendingPurges()
        history = try LongHistory(settings, wake: wakeUp)
    }

    /// The time at which rows are looked for again; nil while a report is awaited.
    var nextDeadline: MonotonicTime? { isWriting ? nil : nextLook }

    /// Takes reports, and gives the next batch.
    func advance(to now: MonotonicTime, at time: Timestamp) {
        history.set(time: time)
        if hasOlderPurges { rememberAll(at: time) }
        for report in history.takeReports() { receive(report, at: now) }
        if !made.isEmpty {
            memory.storePurges([], removing: made, at: time)
            made = []
        }
        figures.lost = memory.store.statistics.lostExports
        guard !isWriting, now >= nextLook else { return }
        nextLook = now + Self.pause
        do throws(StoreError) {
            figures.waiting = try countWaiting()
            if connection != nil { try readEpochs() }
            if connection != nil, let batch = try nextBatch() {
                (isWriting, nextLook) = (true, now)
                history.write(batch)
            } else if connection != nil {
                caughtUp = now
            }
        } catch {
            log.logChange("long history", .error, "\(error); the long history waits for it")
            nextLook = now + .seconds(10)
        }
        figures.lag = now - caughtUp
    }

    /// Has an item's rows deleted. The request outlasts a restart, and is made before later rows are written.
    ///
    /// - Parameter before: the end of what is deleted; nil for all until now.
    /// - Returns: false if too many deletions wait already.
    func purge(_ item: String, before: Timestamp?, isGone: Bool, at now: Timestamp) -> Bool {
        let purge = HistoryPurge(item: item, before: before ?? now, isWhole: before == nil || isGone)
        // A later deletion of all includes the earlier ones.
        let included = purge.isWhole ? purges.removeIncluded(in: purge) : []
        guard purges.count < Self.purgeBound else { return false }
        if let number = purges.add(purge) {
            memory.storePurges([(number: number, purge: purge)], removing: included, at: now)
        }
        if connection != nil { history.purge(purge) }
        return true
    }

    /// Stores what waits again, since the stored state is lost.
    func rememberAll(at now: Timestamp) {
        memory.storeAllPurges(purges, at: now)
        hasOlderPurges = false
    }

    /// The reasons why rows do not reach PostgreSQL, a sentence each.
    func problems(at now: MonotonicTime) -> [String] {
        var problems: [String] = []
        if let failure, now - failure.since >= Self.patience || failure.error.kind != .unreachable {
            let purge = purges.isEmpty ? "" : ", and \(purges.count) purges wait"
            problems.append(
                "\(Self.prefix)\(failure.error.purpose): \(failure.error.words)\(purge); \(failure.error.mend)")
        }
        if figures.lost > 0 {
            problems.append(
                "\(Self.prefix)\(figures.lost) rows were deleted before PostgreSQL had them; they waited for longer than "
                    + "docs/history.md says")
        }
        return problems
    }

    /// The beginning of these sentences.
    private static let prefix = ProgramChecks.historyPrefix

    /// True while connected.
    var isConnected: Bool { connection != nil }

    /// Ends the thread.
    func stop() { history.stop() }

    // MARK: Reports

    private func receive(_ report: HistoryReport, at now: MonotonicTime) {
        switch report {
        case .connected(let number, let cursors):
            (connection, self.cursors, isWriting, nextLook) = (number, cursors, false, now)
            if failure?.error.kind != .otherWriter { failure = nil }
            epochs = nil
            for entry in purges.inOrder { history.purge(entry.purge) }
            log.logChange("long history", .notice, "PostgreSQL takes the long history")
        case .written(let stream, let epoch, let position, let count):
            isWriting = false
            failure = nil
            cursors[stream, default: [:]][epoch] = position
            figures.rows[stream, default: 0] += UInt64(count)
            updateMarks()
        case .purged(let purge, let rows):
            if let number = purges.remove(purge) { made.append(number) }
            log.write(
                .notice, "the purge of '\(purge.item)' is done in PostgreSQL too: \(rows) rows", about: [purge.item])
        case .maintained:
            log.logChange(
                "long history's partitions", .info, "the long history: partitions are made, and old rows are deleted")
        case .warning(let error):
            figures.errors += 1
            log.logChange("long history's partitions", .warning, "the long history: \(error)")
        case .failed(let error):
            figures.errors += 1
            (connection, isWriting) = (nil, false)
            failure = (error, failure?.since ?? now)
            figures.lag = now - caughtUp
            log.logChange("long history", .warning, "the long history waits: \(error)")
        }
    }

    /// Reads the epochs once for a connection. Where that fails the marks stay: nothing is deleted as exported that is not.
    private func readEpochs() throws(StoreError) {
        guard epochs == nil else { return }
        epochs = try memory.store.extents().map(\.epoch)
        updateMarks()
    }

    /// Tells the store what PostgreSQL has, once the epochs are read.
    private func updateMarks() {
        guard let epochs else { return }
        var marks = ExportMarks()
        let epoch = memory.epoch
        for epoch in epochs + (epochs.last == epoch ? [] : [epoch]) {
            (marks.epoch, marks.events) = (epoch, cursor(.events, epoch))
            // Until an epoch is done, nothing of those behind it counts.
            guard let waiting = try? memory.store.events(epoch: epoch, from: marks.events + 1, limit: 1),
                waiting.isEmpty
            else { break }
        }
        marks.visits = cursor(.visits, epoch)
        marks.journal = cursor(.nodeEvents, epoch)
        marks.audit = cursor(.audit, epoch)
        marks.telemetry = cursor(.telemetry, epoch)
        memory.store.exported = marks
    }

    private func cursor(_ stream: HistoryStream, _ epoch: String) -> UInt64 { cursors[stream]?[epoch] ?? 0 }

    // MARK: Batches

    /// The rows that wait, by their numbers. None waits where all behind the cursor were purged.
    private func countWaiting() throws(StoreError) -> [HistoryStream: UInt64] {
        let ends = try memory.store.exportEnds()
        var waiting: [HistoryStream: UInt64] = [:]
        for stream in HistoryStream.allCases {
            let end =
                switch stream {
                case .events: memory.lastEvent
                case .visits: ends.visits
                case .nodeEvents: ends.journal
                case .audit: ends.audit
                case .telemetry: ends.telemetry
                }
            let cursor = cursor(stream, memory.epoch)
            if end > cursor, try hasRows(of: stream, after: cursor) { waiting[stream] = end - cursor }
        }
        return waiting
    }

    private func hasRows(of stream: HistoryStream, after cursor: UInt64) throws(StoreError) -> Bool {
        let store = memory.store
        return switch stream {
        // A purged event leaves its number.
        case .events: true
        case .visits: try !store.visits(changedAfter: cursor, limit: 1).isEmpty
        case .nodeEvents: try !store.journal(after: cursor, limit: 1).isEmpty
        case .audit: try !store.audit(after: cursor, limit: 1).isEmpty
        case .telemetry: try !store.telemetry(after: cursor, limit: 1).isEmpty
        }
    }

    /// The next rows of the stream whose turn it is, or of the next that has some; nil if none has.
    private func nextBatch() throws(StoreError) -> HistoryBatch? {
        let streams = HistoryStream.allCases
        for offset in 0..<streams.count {
            let index = (turn + offset) % streams.count
            if let batch = try batch(of: streams[index]) {
                turn = index + 1
                return batch
            }
        }
        return nil
    }

    private func batch(of stream: HistoryStream) throws(StoreError) -> HistoryBatch? {
        let epoch = memory.epoch
        let from = cursor(stream, epoch)
        guard stream == .events || figures.waiting[stream] ?? 0 > 0 else { return nil }
        var rows = HistoryRows(stream, epoch: epoch, from: from, connection: connection ?? 0)
        let (store, limit) = (memory.store, Self.batchRows)
        switch stream {
        case .events: return try eventBatch()
        case .visits: for row in try store.visits(changedAfter: from, limit: limit) { rows.add(row.visit, row.change) }
        case .nodeEvents: for row in try store.journal(after: from, limit: limit) { rows.add(row) }
        case .audit: for row in try store.audit(after: from, limit: limit) { rows.add(row) }
        case .telemetry: for row in try store.telemetry(after: from, limit: limit) { rows.add(row) }
        }
        return rows.batch
    }

    /// Events of the oldest epoch that has some.
    private func eventBatch() throws(StoreError) -> HistoryBatch? {
        guard var left = epochs else { return nil }
        defer { epochs = left }
        if left.last != memory.epoch { left.append(memory.epoch) }
        while let epoch = left.first {
            let from = cursor(.events, epoch)
            if epoch != memory.epoch || memory.lastEvent > from {
                var rows = HistoryRows(.events, epoch: epoch, from: from, connection: connection ?? 0)
                for event in try memory.store.events(epoch: epoch, from: from + 1, limit: Self.batchRows) {
                    rows.add(event)
                }
                if let batch = rows.batch { return batch }
            }
            guard epoch != memory.epoch else { return nil }
            left.removeFirst()
        }
        return nil
    }
}

/// The counts of a long history.
struct HistoryFigures {
    /// Rows that were written since the start, by stream.
    var rows: [HistoryStream: UInt64] = [:]
    /// Rows that wait, by stream.
    var waiting: [HistoryStream: UInt64] = [:]
    /// The time since nothing waited.
    var lag = Duration.zero
    /// Failures of the connection or of a statement.
    var errors: UInt64 = 0
    /// Rows that were deleted before they were written.
    var lost: UInt64 = 0
}
