internal import CSQLite
internal import Glibc

/// The conversion of SQLite's result codes and the system's errno into errors, all in this extension.
extension StoreError {
    /// The error that SQLite reports (sqlite3_extended_errcode, sqlite3_errmsg, sqlite3_system_errno).
    init(sqlite code: Int32, _ handle: OpaquePointer?, purpose: String, path: String?) {
        var words = unsafe String(cString: sqlite3_errstr(code))
        var systemCode: Int32 = 0
        if let handle = unsafe handle {
            words = unsafe String(cString: sqlite3_errmsg(handle))
            systemCode = unsafe sqlite3_system_errno(handle)
        }
        let kind: Kind =
            switch code & 0xFF {
            case SQLITE_FULL: .full
            case SQLITE_READONLY: .readOnly
            case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
            case SQLITE_PERM, SQLITE_AUTH: .notPermitted
            case SQLITE_BUSY, SQLITE_LOCKED: .otherWriter(processID: nil)
            case SQLITE_IOERR, SQLITE_CANTOPEN: Self.kind(of: systemCode)
            default: .other
            }
        if code & 0xFF == SQLITE_IOERR || code & 0xFF == SQLITE_CANTOPEN, systemCode != 0 {
            words += ": \(Self.errorText(of: systemCode))"
        }
        self.init(kind, code: code, purpose: purpose, words: words, path: path)
    }

    /// The error that the system reports.
    init(system code: Int32, purpose: String, path: String?) {
        self.init(
            Self.kind(of: code), code: code, isSystem: true, purpose: purpose, words: Self.errorText(of: code),
            path: path)
    }

    private static func kind(of code: Int32) -> Kind {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: .full
        case EROFS: .readOnly
        case EACCES, EPERM: .notPermitted
        case ENOENT, ENOTDIR: .folderMissing
        case EISDIR, ELOOP: .notOurs
        default: .inputOutput
        }
    }

    private static func errorText(of code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        let count = buffer.count
        guard unsafe strerror_r(code, &buffer, count) == 0 else { return "error \(code)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
