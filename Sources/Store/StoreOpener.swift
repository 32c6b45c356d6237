internal import Bytes

/// Opens a database: finds the existing file, rejects one that isn't ours, and sets aside a corrupt one.
struct StoreOpener {
    var path: String?
    var schema: Schema

    /// Acquires the lock and opens the database, and compares its end with the lock's mark.
    func openDatabase(at now: Timestamp) throws(StoreError) -> (
        lock: StoreLock?, database: StoreDatabase, opening: StoreOpening
    ) {
        var lock: StoreLock?
        if let path {
            try StoreFile(path: path).checkFolder()
            lock = try StoreLock(path: path + ".lock", of: path)
            // The remains of a restoration that was killed.
            StoreFile(path: path + StateRestore.stagedEnd).remove()
        }
        let (database, setAside) = try openFile(at: now)
        let reason = database.isNew ? nil : lostEnd(of: database, lock?.found)
        let opening = StoreOpening(
            created: database.created, isNew: database.isNew, previous: database.previous, setAside: setAside,
            epochReason: reason, migratedFrom: database.migratedFrom,
            keptCopy: database.migratedFrom.flatMap { version in
                path.map { StoreDatabase.copyPath($0, of: Int64(version)) }
            })
        return (lock, database, opening)
    }

    /// The reason why the database lacks its last events, and its epoch must not continue; nil if there is no sign of
    /// that.
    private func lostEnd(of database: StoreDatabase, _ mark: StoreLock.Mark?) -> String? {
        if !database.isEndWhole { return "the count of events is not at the last that is there" }
        guard let mark, StoreDatabase.isEpoch(mark.epoch) else { return nil }
        if mark.epoch == database.epoch {
            guard mark.seq > database.lastSeq else { return nil }
            return "event \(mark.seq) was written, and \(database.lastSeq) is the last that is there"
        }
        return database.epochs.contains(mark.epoch) ? nil : "epoch \(mark.epoch) was written, and is not there"
    }

    /// Opens the database; a corrupt one is set aside for a new one.
    func openFile(at now: Timestamp) throws(StoreError) -> (database: StoreDatabase, setAside: SetAside?) {
        guard let path else { return (try StoreDatabase(path: nil, schema: schema, at: now), nil) }
        let file = StoreFile(path: path)
        do throws(StoreError) {
            try checkHeader(file.header())
            try file.prepare()
            return (try StoreDatabase(path: path, schema: schema, at: now), nil)
        } catch {
            guard error.kind == .corrupt else { throw error }
            let moved = try file.setAside(at: now.microseconds / 1_000_000)
            try file.prepare()
            let database = try StoreDatabase(path: path, schema: schema, at: now)
            return (database, SetAside(path: moved, reason: error))
        }
    }

    /// Checks a file by its header alone (sqlite.org/fileformat.html section 1.3), before anything changes it.
    private func checkHeader(_ header: [UInt8]) throws(StoreError) {
        guard !header.isEmpty else { return }
        guard header.count == 100, header.starts(with: "SQLite format 3\0".utf8) else {
            throw StoreDatabase.damage("it is not a database", path)
        }
        let application = readNumber(header, Schema.applicationOffset)
        guard application == 0 || application == schema.applicationID else { throw StoreDatabase.notOurs(path) }
        let version = readNumber(header, Schema.versionOffset)
        guard version <= Schema.highestVersion else { throw StoreDatabase.damage("its version is \(version)", path) }
        guard version <= schema.version else { throw StoreDatabase.newer(version, schema, path) }
    }

    private func readNumber(_ header: [UInt8], _ offset: Int) -> Int64 {
        header[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) }
    }
}
