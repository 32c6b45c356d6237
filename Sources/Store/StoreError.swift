/// The reason why the state could not be stored or read: the operation, SQLite's or the system's code, and the remedy.
public struct StoreError: Error, Hashable, Sendable {
    /// The kind of failure, for a caller that acts on it.
    public enum Kind: Hashable, Sendable {
        /// The folder of the database doesn't exist.
        case folderMissing
        /// This user may not open or create the database.
        case notPermitted
        /// Another process has the database open; its id, if known.
        case otherWriter(processID: Int32?)
        /// The database was written by a newer version, with a schema of this number.
        case newerSchema(Int)
        /// It is a database of another program.
        case notOurs
        /// The disk, or this user's quota, is full (SQLITE_FULL, ENOSPC, EDQUOT).
        case full
        /// The file system or the file is read-only (SQLITE_READONLY, EROFS).
        case readOnly
        /// The file is no complete database (SQLITE_CORRUPT, SQLITE_NOTADB, or contradictory contents).
        case corrupt
        /// Reading or writing failed for another reason, such as a dying card (SQLITE_IOERR).
        case inputOutput
        /// Any other error of SQLite or the system.
        case other
    }

    /// The kind of failure.
    public var kind: Kind
    /// SQLite's extended result code (sqlite.org/rescode.html), or an errno if `isSystem`; 0 if there is neither.
    public var code: Int32
    /// True if `code` is an errno.
    public var isSystem: Bool
    /// The operation, such as `append an event`.
    public var purpose: String
    /// The text of the reason.
    public var words: String
    /// The database's path; nil for one in memory.
    public var path: String?

    /// An error by all its values.
    public init(
        _ kind: Kind, code: Int32 = 0, isSystem: Bool = false, purpose: String, words: String, path: String? = nil
    ) {
        self.kind = kind
        self.code = code
        self.isSystem = isSystem
        self.purpose = purpose
        self.words = words
        self.path = path
    }

    /// The remedy, in a sentence for the operator.
    public var mend: String {
        let file = path ?? "the database"
        return switch kind {
        case .folderMissing: "make the folder, owned by the user that runs this program, or set `state` to another"
        case .notPermitted: "give \(file) and its folder to the user that runs this program, or set `state` to another"
        case .otherWriter(let processID?): "end process \(processID), or set `state` to another file for one of the two"
        case .otherWriter(nil): "end the other process, or set `state` to another file for one of the two"
        case .newerSchema:
            "install the newer version again, or put the copy from before its upgrade, \(file).schema-…, in its place"
        case .notOurs: "set `state` to another file"
        case .full: "make room on the disk of \(file)"
        case .readOnly:
            "make the disk of \(file) writable (a failing card turns read-only)"
        case .corrupt: "none is needed if it was set aside; a second time, check the disk or card"
        case .inputOutput: "check the disk or card that holds \(file) (the kernel's log says more)"
        case .other: "look at \(file)"
        }
    }
}

extension StoreError: CustomStringConvertible {
    /// A text such as `append an event: database or disk is full (13) [/var/lib/whereabouts/agent.sqlite]: make room
    /// …`.
    public var description: String { "\(reason): \(mend)" }

    /// The text without the remedy, where another one fits.
    public var reason: String {
        let number = code == 0 ? "" : isSystem ? " (errno \(code))" : " (\(code))"
        return "\(purpose): \(words)\(number)\(path.map { " [\($0)]" } ?? "")"
    }
}
