internal import Bytes
internal import Glibc

/// The restoration of a state database, all of it or nothing.
///
/// It has the lock of the database as long as it lives, so that no program begins to use it. `stage` prepares the new
/// file beside it, and `commit` renames it. Without a commit the prepared file is removed. A kill in between leaves the
/// former state; the file beside it is removed at the next start of a program or of a restoration.
public final class StateRestore {
    /// The path of the database.
    public let path: String
    private let contents: StateStore.Contents
    private let lock: StoreLock
    private let staged: StoreFile
    private var epoch: String?
    /// True once the database was replaced.
    public private(set) var isCommitted = false
    /// The subjects of purges that the present database knows and the prepared one does not: their data is back.
    public private(set) var purgedSince: [String] = []

    /// The end of the name of the file that is prepared, and of the one that is kept.
    static let stagedEnd = ".restoring", keptEnd = ".before-restore"

    /// The path at which a restoration keeps what it replaces, a database or another file: a free one, so that nothing that an
    /// earlier restoration kept is lost.
    public static func keptPath(of path: String) -> String { StoreFile(path: path).freePath(keptEnd) }

    /// True if a program has the database at a path open. Looks only.
    public static func isInUse(_ path: String) -> Bool { StoreLock.isHeld(path + ".lock") }

    /// Locks the database at `path`, which may be missing; its folder must exist. Throws if a program has it.
    public init(at path: String, holding contents: StateStore.Contents) throws(StoreError) {
        self.path = path
        self.contents = contents
        try StoreFile(path: path).checkFolder()
        lock = try StoreLock(path: path + ".lock", of: path)
        staged = StoreFile(path: path + Self.stagedEnd)
        staged.remove()
        StoreFile(path: path + ".lock").giveToOwner(of: path)
    }

    deinit {
        // The lock is held still.
        if !isCommitted { staged.remove() }
    }

    /// Prepares a database: checks it, brings its schema forward, and begins a new epoch, since the numbers after the
    /// copy's last event were used.
    ///
    /// - Parameters:
    ///   - settings: the keys of settings that are left out.
    ///   - record: the row of this restoration in the audit of a house, which also gets the rows of the present database.
    public func stage(
        _ bytes: [UInt8], leavingOut settings: [String] = [], recording record: AuditRecord? = nil
    ) throws(StoreError) {
        let now = Timestamp(microseconds: 0)
        try staged.write(bytes)
        let epoch = StoreDatabase.newEpoch()
        do throws(StoreError) {
            let database = try StoreDatabase(path: staged.path, schema: contents.schema, at: now)
            let alive = database.previous?.lastAlive ?? database.created
            let connection = database.connection
            let number = try connection.integer("SELECT max(number) FROM epochs", "read the epochs") + 1
            let rows = contents == .house ? try laterChanges(than: connection) + (record.map { [$0] } ?? []) : []
            purgedSince = Set(rows.filter { $0.action == "purge" && $0.status == 200 }.compactMap(\.subject)).sorted()
            try connection.transaction(flushing: true) { () throws(StoreError) in
                try connection.run(.addEpoch, .integer(number), .text(epoch), .time(alive))
                try connection.run(.setEpoch, .integer(number), .count(0))
                var last = contents == .house ? try connection.ends()["audit"] ?? 0 : 0
                for var row in rows {
                    last += 1
                    row.number = last
                    try connection.apply(.audit(row))
                }
                for key in settings where key.utf8.allSatisfy({ $0 != 0x27 }) {
                    try connection.execute("DELETE FROM settings WHERE key = '\(key)'", "leave a setting out")
                }
            }
            // One file without a log, so that one rename replaces all of it.
            guard try connection.values("PRAGMA journal_mode=DELETE", "end the log") == ["delete"] else {
                throw StoreError(.other, purpose: "end the log", words: "it can't be ended", path: staged.path)
            }
        } catch {
            staged.remove()
            throw error
        }
        try staged.flush()
        staged.giveToOwner(of: path)
        self.epoch = epoch
    }

    /// The rows of the present database's audit that another one lacks: a restoration must not lose who changed what. None of
    /// a database that is absent, damaged or of another kind.
    private func laterChanges(than connection: SQLiteConnection) throws(StoreError) -> [AuditRecord] {
        func keys(_ rows: [AuditRecord]) -> [AuditRecord] {
            rows.map { row in
                var row = row
                (row.number, row.before, row.after, row.erased) = (0, nil, nil, nil)
                return row
            }
        }
        guard !StoreFile(path: path).isMissing, let present = try? SQLiteConnection(path: path) else { return [] }
        let rows = (try? present.rows(.readAudit, [], SQLiteConnection.audit)) ?? Self.olderRows(present)
        let there = Set(keys(try connection.rows(.readAudit, [], SQLiteConnection.audit)))
        return zip(rows, keys(rows)).filter { !there.contains($0.1) }.map(\.0).sorted { $0.number < $1.number }
    }

    /// The rows of a database from before rows counted changes, or from before there were values in the audit.
    private static func olderRows(_ present: SQLiteConnection) -> [AuditRecord] {
        (try? present.rows(.readEarlierAudit, [], SQLiteConnection.audit))
            ?? (try? present.rows(.readOlderAudit, [], SQLiteConnection.audit)) ?? []
    }

    /// Replaces the database by the prepared one. The former stays at `keptPath`, and no kept one is replaced.
    public func commit() throws(StoreError) {
        guard let epoch else { return }
        let file = StoreFile(path: path)
        if !file.isMissing {
            let kept = StoreFile(path: Self.keptPath(of: path))
            do throws(StoreError) {
                try foldLog()
            } catch {
                // A damaged one is kept with its log, which would be replayed into the new database.
                guard error.kind == .corrupt || error.kind == .notOurs else { throw error }
            }
            for end in ["-wal", "-shm", "-journal"] where !StoreFile(path: path + end).isMissing {
                try StoreFile(path: path + end).move(to: kept.path + end)
            }
            try file.link(to: kept.path)
        }
        try staged.move(to: path)
        isCommitted = true
        try file.flushFolder()
        lock.writeMark(StoreLock.Mark(epoch: epoch, seq: 0))
    }

    /// Writes the log of the present database back into it.
    private func foldLog() throws(StoreError) {
        let connection = try SQLiteConnection(path: path)
        for setting in ["locking_mode=EXCLUSIVE", "wal_checkpoint(TRUNCATE)", "journal_mode=DELETE"] {
            _ = try connection.values("PRAGMA \(setting)", "end the log")
        }
    }
}
