/// The bound of the write-ahead log (sqlite.org/wal.html, sections 4 and 6).
///
/// The log grows until a checkpoint writes it back. On a large disk 4 MB between two checkpoints save writes: a page
/// that changes often is written back once. A small disk must not be filled by the log alone.
enum StoreLog {
    /// The bytes of a page, SQLite's default.
    static let pageSize: Int64 = 4096
    /// The bytes of the header of a log, which changes when the log begins anew.
    static let headerSize = 32
    /// The most pages between two checkpoints: 4 MB.
    static let mostPages: Int64 = 1000
    /// The fewest pages between two checkpoints: 64 KB.
    static let fewestPages: Int64 = 16
    /// The share of the free space for the log, as a divisor.
    private static let share: Int64 = 16

    /// The pages between two checkpoints on a disk with `free` bytes; nil if that number is unknown.
    static func pages(free: Int64?) -> Int64 {
        guard let free else { return mostPages }
        return min(mostPages, max(fewestPages, free / share / pageSize))
    }

    /// Sets the pages between two checkpoints, and truncates the file to their size after one.
    static func bound(_ connection: SQLiteConnection, pages: Int64) throws(StoreError) {
        let purpose = "bound the write-ahead log"
        _ = try connection.values("PRAGMA wal_autocheckpoint=\(pages)", purpose)
        _ = try connection.values("PRAGMA journal_size_limit=\(pages * pageSize)", purpose)
    }

    /// Writes the log back and empties its file.
    static func truncate(_ connection: SQLiteConnection) throws(StoreError) {
        _ = try connection.values("PRAGMA wal_checkpoint(TRUNCATE)", "empty the write-ahead log")
    }
}
