internal import Glibc

/// The files of a database, with the system calls on them.
struct StoreFile {
    let path: String

    private var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Throws an exact reason in place of SQLite's "unable to open database file".
    func checkFolder() throws(StoreError) {
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else { throw systemError("look at the folder \(folder)") }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw StoreError(system: ENOTDIR, purpose: "look at the folder \(folder)", path: path)
        }
        // SQLite creates and removes files beside its own.
        guard unsafe access(folder, W_OK | X_OK) == 0 else { throw systemError("write in the folder \(folder)") }
    }

    /// Creates the file if it is missing, for this user alone; SQLite gives its other files the same mode.
    func prepare() throws(StoreError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw systemError("open the database") }
        defer { Glibc.close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw systemError("look at the database") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(.notOurs, purpose: "open the database", words: "it is not a plain file", path: path)
        }
        if status.st_mode & 0o777 != 0o600, fchmod(descriptor, 0o600) != 0 {
            throw systemError("make the database readable for its owner alone")
        }
    }

    /// The size of the file in bytes; 0 if there is none.
    var bytes: Int64 {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// The bytes that this user may still write on the disk; nil if unknown. (statvfs(3))
    var freeSpace: Int64? {
        var status = statvfs()
        guard unsafe statvfs(folder, &status) == 0 else { return nil }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

    /// True if nothing exists at the path, as after the removal of the database or its folder.
    var isMissing: Bool {
        unsafe access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }

    /// The first 100 bytes; fewer for a shorter file, none for a missing one.
    func header() -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { Glibc.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        return Array(bytes.prefix(max(0, count)))
    }

    /// Renames the database and its `-wal` and `-shm`. Returns the new path.
    func setAside(at seconds: Int64) throws(StoreError) -> String {
        let target = freePath("\(Self.corruptEnd)\(seconds)")
        for suffix in Self.ends where !suffix.isEmpty {
            guard unsafe rename(path + suffix, target + suffix) == 0 || errno == ENOENT else {
                throw systemError("set the corrupt database aside")
            }
        }
        guard unsafe rename(path, target) == 0 else { throw systemError("set the corrupt database aside") }
        return target
    }

    /// The number of the file, and the time of its last change.
    struct Stamp: Equatable {
        var number: UInt64
        var seconds: Int
        var nanoseconds: Int

        /// True if another change would have another time: the kernel's clock for files has steps of some milliseconds.
        var isSettled: Bool {
            var now = timespec()
            _ = unsafe clock_gettime(CLOCK_REALTIME, &now)
            let age = (now.tv_sec - seconds) * 1_000_000_000 + (now.tv_nsec - nanoseconds)
            return age < 0 || age > 100_000_000
        }
    }

    /// The stamp of the file; nil if there is none.
    var stamp: Stamp? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return Stamp(
            number: UInt64(status.st_ino), seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    }

    /// All bytes; `progress` receives the count of those that were read.
    func content(_ progress: (Int) -> Void = { _ in }) throws(StoreError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("read the database") }
        defer { Glibc.close(descriptor) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(self.bytes))
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw systemError("read the database") }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            progress(bytes.count)
        }
    }

    /// Creates the file, of mode 600, with these bytes; one that is there is replaced. After a failure there is none.
    func write(_ bytes: [UInt8]) throws(StoreError) {
        remove()
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw systemError("create the file") }
        defer { Glibc.close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                let error = systemError("write the file")
                remove()
                throw error
            }
            written += count
        }
    }

    /// Waits until the medium has the file.
    func flush() throws(StoreError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("write the file") }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw systemError("write the file") }
    }

    /// Waits until the medium has the names of the folder.
    func flushFolder() throws(StoreError) { try StoreFile(path: folder).flush() }

    /// A path from this one by an ending, and a number from 2 on where another file has it.
    func freePath(_ end: String) -> String {
        var path = self.path + end
        var number = 1
        while StoreFile(path: path).isTaken {
            number += 1
            path = "\(self.path)\(end)-\(number)"
        }
        return path
    }

    /// True if the name is taken, by a link to nothing too, or that of a file that SQLite has beside it.
    private var isTaken: Bool {
        var status = stat()
        return Self.ends.contains { unsafe lstat(path + $0, &status) == 0 }
    }

    /// True if the file is a regular one, behind symbolic links.
    var isRegular: Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The endings of the names of a database and of what SQLite has beside it; the log is renamed and removed first,
    /// since one that is left would be replayed into the next database.
    private static let ends = ["-wal", "-shm", "-journal", ""]

    /// The files beside this one that hold an earlier state of it: from before a migration or a restoration, or damaged. Each
    /// that SQLite had beside them is one of its own.
    func copies() throws(StoreError) -> [StoreFile] {
        let folder = self.folder
        let own = path.split(separator: "/").last.map { String($0) } ?? path
        guard let directory = unsafe opendir(folder) else { throw systemError("look for copies in \(folder)") }
        defer { unsafe closedir(directory) }
        var copies: [StoreFile] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard name.hasPrefix(own), Self.isCopy(name.dropFirst(own.count)) else { continue }
            let copy = StoreFile(path: "\(folder)/\(name)")
            if !copy.isFolder { copies.append(copy) }
        }
        return copies
    }

    /// True if the rest of a name behind that of a database makes it one of a copy.
    private static func isCopy(_ rest: Substring) -> Bool {
        let end = ends.first { rest.hasSuffix($0) } ?? ""
        let rest = rest.dropLast(end.count)
        guard let start = copyEnds.first(where: { rest.hasPrefix($0) }) else { return false }
        let number = rest.dropFirst(start.count)
        return number == draftNumber || number.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    /// The ends of the names of copies. A number follows, and perhaps a hyphen and another one.
    static let schemaEnd = ".schema-", corruptEnd = ".corrupt-"
    /// The number of the copy from before a migration while it is written.
    static let draftNumber = "new"
    private static let copyEnds = [schemaEnd, corruptEnd, StateRestore.keptEnd]

    /// True if the path is that of a folder itself.
    private var isFolder: Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Removes this file alone. Throws if it stays.
    func delete() throws(StoreError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw systemError("remove a copy of the database") }
    }

    /// Removes the file and those that SQLite has beside it, as far as they exist.
    func remove() {
        for end in Self.ends { _ = unsafe unlink(path + end) }
    }

    /// Renames the file; another of that name is replaced.
    func move(to other: String) throws(StoreError) {
        guard unsafe rename(path, other) == 0 else { throw systemError("rename the file to \(other)") }
    }

    /// Gives the file a second name.
    func link(to other: String) throws(StoreError) {
        guard unsafe Glibc.link(path, other) == 0 else { throw systemError("keep the file as \(other)") }
    }

    /// Gives the file to the user that has another one, or its folder; only the administrator may.
    func giveToOwner(of other: String) {
        guard geteuid() == 0 else { return }
        var status = stat()
        guard unsafe stat(other, &status) == 0 || stat(StoreFile(path: other).folder, &status) == 0 else { return }
        _ = unsafe chown(path, status.st_uid, status.st_gid)
    }

    private func systemError(_ purpose: String) -> StoreError {
        StoreError(system: errno, purpose: purpose, path: path)
    }
}
