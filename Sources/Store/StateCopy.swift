internal import Glibc

/// A copy of a state database as one file, as of one moment.
///
/// The program that has the database may run and write. It locks the database for itself alone, so that no other
/// process can read it through SQLite. Therefore the two files are read as bytes, the database before its log. A
/// checkpoint in between only moves pages that the log contains still, and SQLite replays the log over them. That holds
/// until the log begins anew, which changes its header: then all is read again.
public struct StateCopy: Sendable {
    /// The kind of state.
    public let contents: StateStore.Contents
    /// The version of its schema.
    public let schema: Int
    /// The epoch in which its events are numbered, and the number of the last one.
    public let epoch: String, lastSeq: UInt64
    /// The database.
    public let bytes: [UInt8]
    /// The most readings, and the microseconds between two.
    private static let mostReadings = 3000, pause: UInt32 = 20_000

    /// The number of times that the files were read until nothing had begun anew meanwhile.
    public let readings: Int

    /// Copies the database at `path`; blocks until that succeeded, a minute and as many readings at most.
    ///
    /// Throws if there is none, if it is damaged, not ours or of a newer version, or if it changed too fast.
    ///
    /// - Parameters:
    ///   - draft: the path of a file that is created and removed, with others of that name and an ending.
    ///   - progress: receives the share that was read, from 0 to 1.
    public init(
        of path: String, draft: String, progress: (Double) -> Void = { _ in }
    ) throws(StoreError) {
        guard StoreFile(path: path).isMissing || StoreFile(path: path).isRegular else {
            // A pipe would never answer, and a device never end.
            throw StoreError(.notOurs, purpose: "copy the database", words: "it is not a plain file", path: path)
        }
        var readings = 1
        var files = try Self.read(path, progress)
        while files == nil {
            guard readings < Self.mostReadings else {
                throw StoreError(
                    .other, purpose: "copy the database", words: "its log began anew at each reading", path: path)
            }
            usleep(Self.pause)
            readings += 1
            files = try Self.read(path, progress)
        }
        let (database, log) = files ?? ([], [])
        let copy = StoreFile(path: draft)
        defer { copy.remove() }
        try copy.write(database)
        if !log.isEmpty { try StoreFile(path: draft + "-wal").write(log) }
        let connection = try SQLiteConnection(path: draft)
        // No shared memory file, and no log afterwards.
        for setting in ["locking_mode=EXCLUSIVE", "journal_mode=DELETE"] {
            _ = try connection.values("PRAGMA \(setting)", "copy the database")
        }
        let check = try connection.values("PRAGMA quick_check(1)", "check the copy")
        guard check == ["ok"] else { throw StoreDatabase.damage(check.first ?? "it can't be checked", path) }
        let application = try connection.integer("PRAGMA application_id", "read whose database it is")
        let version = try connection.integer("PRAGMA user_version", "read the schema's version")
        guard let contents = StateStore.Contents(application: application) else { throw StoreDatabase.notOurs(path) }
        guard version <= contents.schema.version else {
            throw StoreDatabase.newer(version, contents.schema, path)
        }
        epoch =
            try connection.values("SELECT name FROM epochs ORDER BY number DESC LIMIT 1", "read the epoch").first ?? ""
        lastSeq = UInt64(clamping: try connection.integer("SELECT last_seq FROM state", "read the last event"))
        self.contents = contents
        schema = Int(version)
        self.readings = readings
        bytes = try copy.content()
    }

    /// The bytes of the database and of its log; nil if they may not belong together.
    private static func read(
        _ path: String, _ progress: (Double) -> Void
    ) throws(StoreError) -> (database: [UInt8], log: [UInt8])? {
        let file = StoreFile(path: path)
        let log = StoreFile(path: path + "-wal")
        let before = log.header().prefix(StoreLog.headerSize)
        guard let stampBefore = file.stamp else {
            throw StoreError(system: errno, purpose: "read the database", path: path)
        }
        let total = Double(max(1, file.bytes + log.bytes))
        let database = try file.content { progress(Double($0) / total) }
        let pages = log.isMissing ? [] : try log.content { progress(Double(database.count + $0) / total) }
        guard log.header().prefix(StoreLog.headerSize) == before else { return nil }
        // Without a log nothing tells of a write and a checkpoint but the time of the file.
        let isStill = file.stamp.map { $0 == stampBefore && $0.isSettled } ?? false
        guard !before.isEmpty || isStill else { return nil }
        guard file.stamp?.number == stampBefore.number else { return nil }
        return (database, pages)
    }
}

extension StateStore.Contents {
    /// The kind by the number in a file's header; nil if it isn't ours.
    init?(application: Int64) {
        switch application {
        case Schema.node.applicationID: self = .node
        case Schema.house.applicationID: self = .house
        default: return nil
        }
    }

    /// The newest version of its schema that this program knows.
    public var newestSchema: Int { Int(schema.version) }
}
