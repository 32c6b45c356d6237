internal import Bytes

/// An open database with a checked content and the newest schema.
final class StoreDatabase {
    let connection: SQLiteConnection
    let created: Timestamp
    let previous: StoreOpening.Previous?
    let isNew: Bool
    let migratedFrom: Int?
    private(set) var epoch: String
    private(set) var lastSeq: UInt64
    /// True if the ledger's end is complete: its last event is the last one counted.
    let isEndWhole: Bool
    /// The epochs that it contained at its opening.
    let epochs: Set<String>
    private var epochNumber: Int64
    private var kept: Int
    private var agePruned: Timestamp?
    /// The number of rows added to the journal since it was last pruned.
    private var journalGrowth = 0
    private let isHouse: Bool
    /// The rows that another database has; nil if none is to get them.
    var exported: ExportMarks? {
        didSet { isHolding = false }
    }
    /// True if the ledger has more events than its bound, since those wait for their export.
    private var isHolding = false
    /// The rows that were deleted before their time since the last `takeLost`.
    private var lost = StoreLosses()
    private let path: String?

    /// Opens the file at `path`, which must exist and may be empty; for nil, a database in memory.
    init(path: String?, schema: Schema, at now: Timestamp) throws(StoreError) {
        self.path = path
        isHouse = schema.tables.contains(.telemetry)
        connection = try SQLiteConnection(path: path)
        let version = try Self.configureConnection(connection, schema, path)
        isNew = version == 0
        migratedFrom = isNew || version == schema.version ? nil : Int(version)
        try Self.migrateSchema(connection, schema, path, from: version, at: now)

        let states = try connection.rows(.readState) { row in
            (
                created: row.time(0), epoch: row.integer(1), lastSeq: row.count(2), alive: row.optionalTime(3),
                closed: row.optionalTime(4)
            )
        }
        let epochs = try connection.rows(.readEpochs) { (number: $0.integer(0), name: $0.text(1)) }
        let extents = try connection.rows(.readExtents) {
            (epoch: $0.integer(0), first: $0.count(1), last: $0.count(2), count: Int($0.integer(3)))
        }
        guard let state = states.first, let epoch = epochs.last, epoch.number == state.epoch,
            Self.isEpoch(epoch.name), epoch.number < 1 << 40
        else { throw Self.damage("the current epoch is missing", path) }
        for extent in extents {
            guard epochs.contains(where: { $0.number == extent.epoch }), extent.first > 0, extent.count > 0,
                extent.last - extent.first == UInt64(extent.count - 1)
            else { throw Self.damage("events are missing in the middle", path) }
        }
        created = state.created
        previous = state.alive.map { StoreOpening.Previous(lastAlive: $0, wasClean: state.closed != nil) }
        self.epoch = epoch.name
        self.epochs = Set(epochs.map(\.name))
        epochNumber = epoch.number
        kept = extents.reduce(0) { $0 + $1.count }
        let last = extents.last.flatMap { $0.epoch == epoch.number ? $0.last : nil }
        isEndWhole = last == nil || last == state.lastSeq
        lastSeq = max(state.lastSeq, last ?? 0)
    }

    /// Writes all of it in one transaction, or nothing. `events` belong to `epoch`, which begins here if it is a new
    /// one. After the removal of an item the log is emptied, in which the entry stands.
    func write(
        _ events: [StoredEvent], _ changes: some Sequence<StoreChange>, epoch: String, lastSeq: UInt64,
        at now: Timestamp, flushing: Bool, limits: StoreLimits
    ) throws(StoreError) -> Int {
        let isOther = epoch != self.epoch
        let number = isOther ? epochNumber + 1 : epochNumber
        var count = kept
        var agePruned = agePruned
        var journalGrowth = journalGrowth
        var lost = lost
        try connection.transaction(flushing: flushing || isOther) { () throws(StoreError) in
            if isOther {
                try connection.run(.addEpoch, .integer(number), .text(epoch), .time(now))
                try connection.run(.setEpoch, .integer(number), .count(lastSeq))
            }
            for stored in events {
                let event = stored.event
                try connection.run(
                    .addEvent, .integer(number), .count(stored.seq), .time(event.at), .text(event.kind),
                    .bytes(event.payload))
            }
            for change in changes {
                try connection.apply(change)
                if case .journal = change { journalGrowth += 1 }
            }
            if events.isEmpty {
                try connection.run(.setAlive, .time(now))
            } else {
                try connection.run(.setSeq, .time(now), .count(lastSeq))
                count += events.count
            }
            try pruneRows(&count, &agePruned, &lost, at: now, limits)
            if journalGrowth > max(1, limits.journal / 8) {
                lost.exports += try connection.pruneJournal(limits, exported)
                journalGrowth = 0
            }
        }
        // All is written: a log that can't be emptied now is written back later.
        if changes.contains(where: \.removesItem) { try? StoreLog.truncate(connection) }
        self.journalGrowth = journalGrowth
        self.lost = lost
        let pruned = kept + events.count - count
        kept = count
        self.agePruned = agePruned
        self.epoch = epoch
        self.lastSeq = lastSeq
        epochNumber = number
        return pruned
    }

    /// Writes the log back into the database and returns its room to the disk; from then on the log stays short.
    func shortenLog() throws(StoreError) {
        try StoreLog.bound(connection, pages: StoreLog.fewestPages)
        try StoreLog.truncate(connection)
    }

    /// Records a clean end.
    func close(at now: Timestamp) throws(StoreError) {
        try connection.transaction(flushing: true) { () throws(StoreError) in
            try connection.run(.close, .time(now))
        }
    }

    /// The content of the ledger, epoch by epoch, the oldest first; always the current one as the last.
    func extents() throws(StoreError) -> [LedgerExtent] {
        let epochs = try connection.rows(.readEpochs) { (number: $0.integer(0), name: $0.text(1)) }
        let kept = try connection.rows(.readExtents) { (epoch: $0.integer(0), first: $0.count(1), last: $0.count(2)) }
        return epochs.compactMap { number, name in
            let extent = kept.first { $0.epoch == number }
            if number == epochNumber { return LedgerExtent(epoch: name, firstSeq: extent?.first, lastSeq: lastSeq) }
            return extent.map { LedgerExtent(epoch: name, firstSeq: $0.first, lastSeq: $0.last) }
        }
    }

    func events(epoch: String, from seq: UInt64, limit: Int) throws(StoreError) -> [StoredEvent] {
        let epochs = try connection.rows(.readEpochs) { (number: $0.integer(0), name: $0.text(1)) }
        guard let number = epochs.first(where: { $0.name == epoch })?.number else { return [] }
        return try connection.rows(.readEvents, [.integer(number), .count(seq), .integer(Int64(limit))]) { row in
            StoredEvent(
                epoch: epoch, seq: row.count(0),
                event: EventDraft(at: row.time(1), kind: row.text(2), payload: row.bytes(3)))
        }
    }

    /// The numbers of rows that were deleted before their time, once.
    func takeLost() -> StoreLosses {
        defer { lost = StoreLosses() }
        return lost
    }

    /// The last event that may be deleted: all before it are exported as well.
    private func exportEdge() throws(StoreError) -> (epoch: Int64, seq: UInt64) {
        guard let exported else { return (.max, 0) }
        let epoch = try connection.rows(.readEdge, [.text(exported.epoch)]) { $0.integer(0) }.first
        return (epoch ?? 0, exported.events)
    }

    /// Deletes the ledger's oldest events by count and, once an hour, by age, and other rows.
    private func pruneRows(
        _ count: inout Int, _ agePruned: inout Timestamp?, _ lost: inout StoreLosses, at now: Timestamp,
        _ limits: StoreLimits
    ) throws(StoreError) {
        let before = count
        if count > max(1, limits.events), !isHolding {
            try pruneEvents(&count, to: limits.events, upTo: exportEdge())
            isHolding = count > max(1, limits.events)
        }
        if exported != nil, count > max(1, limits.events, limits.heldRows) {
            let held = count
            try pruneEvents(&count, to: max(limits.events, limits.heldRows), upTo: (.max, 0))
            lost.exports += UInt64(held - count)
        }
        if agePruned.map({ now < $0 || now.duration(since: $0) >= .hours(1) }) ?? true {
            let edge = try exportEdge()
            let young = try firstEvent(from: now.advanced(by: -limits.age))
            try pruneEvents(&count, before: young < (edge.epoch, edge.seq + 1) ? young : (edge.epoch, edge.seq + 1))
            if exported != nil {
                let held = count
                try pruneEvents(
                    &count, before: firstEvent(from: now.advanced(by: -max(limits.age, limits.heldAge))))
                lost.exports += UInt64(held - count)
            }
            if isHouse { lost += try connection.pruneHouse(at: now, limits, exported) }
            agePruned = now
        }
        if count < before { try connection.run(.forgetEpochs) }
    }

    /// Deletes the oldest events down to a bound, and more than necessary, so that not every further event causes a
    /// deletion.
    private func pruneEvents(
        _ count: inout Int, to bound: Int, upTo edge: (epoch: Int64, seq: UInt64)
    ) throws(StoreError) {
        let bound = max(1, bound)
        try connection.run(
            .pruneEvents, .integer(Int64(count - (bound - bound / 64))), .integer(edge.epoch), .count(edge.seq))
        count -= Int(clamping: connection.changes)
    }

    private func pruneEvents(
        _ count: inout Int, before first: (epoch: Int64, seq: UInt64)
    ) throws(StoreError) {
        try connection.run(.pruneBefore, .integer(first.epoch), .count(first.seq))
        count -= Int(clamping: connection.changes)
    }

    /// The first event at a time or later: the ledger loses its oldest events, never any in the middle.
    private func firstEvent(from time: Timestamp) throws(StoreError) -> (epoch: Int64, seq: UInt64) {
        let found = try connection.rows(.firstYoungEvent, [.time(time)]) { (epoch: $0.integer(0), seq: $0.count(1)) }
        return found.first ?? (epoch: .max, seq: 0)
    }

    // MARK: Opening

    private static func configureConnection(
        _ connection: SQLiteConnection, _ schema: Schema, _ path: String?
    ) throws(StoreError) -> Int64 {
        let purpose = "set the database up"
        // Exclusive locking: no shared memory file, which a full disk would turn into a bus error. The cache of 256 KB
        // is set before the check reads all pages.
        for setting in ["locking_mode=EXCLUSIVE", "busy_timeout=2000", "cache_size=-256"] {
            _ = try connection.values("PRAGMA \(setting)", purpose)
        }
        let version = try connection.integer("PRAGMA user_version", "read the schema's version")
        let application = try connection.integer("PRAGMA application_id", "read whose database it is")
        let tables = try connection.integer("SELECT count(*) FROM sqlite_schema", "read the schema")
        guard application == schema.applicationID || (application == 0 && version == 0 && tables == 0) else {
            throw notOurs(path)
        }
        guard (0...Schema.highestVersion).contains(version) else { throw damage("its version is \(version)", path) }
        guard version <= schema.version else { throw newer(version, schema, path) }
        if version > 0 {
            let words = try connection.values("PRAGMA quick_check(1)", "check the database")
            guard words == ["ok"] else { throw damage(words.first ?? "it can't be checked", path) }
        }
        let mode = try connection.values("PRAGMA journal_mode=WAL", purpose)
        guard mode == [path == nil ? "memory" : "wal"] else {
            throw StoreError(.other, purpose: purpose, words: "no write-ahead log is possible there", path: path)
        }
        // Deleted and replaced data is overwritten with zeros in the file, as Debian's SQLite does by itself; in the log it
        // stays until that is emptied.
        for setting in ["synchronous=FULL", "temp_store=MEMORY", "secure_delete=ON"] {
            _ = try connection.values("PRAGMA \(setting)", purpose)
        }
        let pages = path.map { StoreLog.pages(free: StoreFile(path: $0).freeSpace) } ?? StoreLog.mostPages
        try StoreLog.bound(connection, pages: pages)
        return version
    }

    private static func migrateSchema(
        _ connection: SQLiteConnection, _ schema: Schema, _ path: String?, from version: Int64, at now: Timestamp
    ) throws(StoreError) {
        guard version < schema.version else { return }
        if version > 0, let path { try keepCopy(connection, schema, path, version) }
        try connection.transaction(flushing: true) { () throws(StoreError) in
            for step in schema.steps[Int(version)...] { try connection.execute(step, "bring the schema forward") }
            try connection.execute("PRAGMA user_version=\(schema.version)", "bring the schema forward")
            guard version == 0 else { return }
            try connection.execute("PRAGMA application_id=\(schema.applicationID)", "make the database")
            try connection.run(.addEpoch, .integer(1), .text(newEpoch()), .time(now))
            try connection.run(.addState, .time(now))
        }
    }

    /// Keeps the database beside itself as it was before a migration, in place of a copy of an earlier one. Blocks until the
    /// disk has it.
    private static func keepCopy(
        _ connection: SQLiteConnection, _ schema: Schema, _ path: String, _ version: Int64
    ) throws(StoreError) {
        let draft = StoreFile(path: path + StoreFile.schemaEnd + StoreFile.draftNumber)
        // Empty, and of mode 600, as SQLite accepts it.
        try draft.write([])
        let name = draft.path.map { $0 == "'" ? "''" : String($0) }.joined()
        _ = try connection.values("VACUUM INTO '\(name)'", "keep a copy of the database before its migration")
        try draft.flush()
        try draft.move(to: copyPath(path, of: version))
        try draft.flushFolder()
        for other in 1..<version { StoreFile(path: copyPath(path, of: other)).remove() }
    }

    /// The path at which a database of this version is kept when it is brought forward.
    static func copyPath(_ path: String, of version: Int64) -> String { "\(path)\(StoreFile.schemaEnd)\(version)" }

    /// Removes the copies that are beside the file, in which is what was to be forgotten. Throws if one stays.
    func removeCopies() throws(StoreError) {
        guard let path else { return }
        for copy in try StoreFile(path: path).copies() { try copy.delete() }
    }

    /// Eight random hexadecimal digits, unpredictable.
    static func newEpoch() -> String { Hex.text(UInt32.random(in: .min ... .max), digits: 8) }

    static func isEpoch(_ text: String) -> Bool {
        text.utf8.count == 8 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    static func damage(_ words: String, _ path: String?) -> StoreError {
        StoreError(.corrupt, purpose: "check the database", words: words, path: path)
    }

    static func closed(_ path: String?) -> StoreError {
        StoreError(.other, purpose: "use the database", words: "it is closed", path: path)
    }

    static func notOurs(_ path: String?) -> StoreError {
        StoreError(.notOurs, purpose: "open the database", words: "it belongs to another program", path: path)
    }

    static func newer(_ version: Int64, _ schema: Schema, _ path: String?) -> StoreError {
        StoreError(
            .newerSchema(Int(version)), purpose: "open the database",
            words: "its schema has version \(version), and this program knows \(schema.version)", path: path)
    }
}
