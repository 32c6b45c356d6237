internal import Glibc

/// Files and folders that are private to this user: keys, passwords, and files that belong to them.
public enum PrivateFiles {
    /// Replaces a file as a whole (rename(2)): mode 600, or 644 if it is public. Blocks until the disk has it.
    public static func write(_ bytes: [UInt8], to path: String, isPublic: Bool = false) throws(SystemError) {
        let draft = Self.draft(of: path)
        do throws(SystemError) {
            try writeDraft(bytes, to: draft, isPublic: isPublic)
            guard unsafe rename(draft, path) == 0 else { throw SystemError.last("rename") }
        } catch {
            _ = unsafe unlink(draft)
            throw SystemError(code: error.code, context: "write \(path)")
        }
    }

    /// The end of a name that only an unfinished file has.
    public static let draftEnd = "whereabouts-draft"

    /// A new name beside a file, for one that is to take its place: eight hexadecimal digits and `draftEnd` behind the file's.
    private static func draft(of path: String) -> String { "\(path).\(SystemRandom.epoch()).\(draftEnd)" }

    /// Creates a file as a whole (link(2)), of mode 600; throws where the name is taken. Blocks until the disk has it.
    ///
    /// Renames it (rename(2)) on a file system without second names, such as FAT.
    public static func create(_ bytes: [UInt8], at path: String) throws(SystemError) {
        let draft = Self.draft(of: path)
        defer { _ = unsafe unlink(draft) }
        try writeDraft(bytes, to: draft, isPublic: false)
        if unsafe link(draft, path) == 0 { return }
        let error = SystemError.last("create \(path)")
        let hasNoLinks = [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.code)
        guard hasNoLinks, !isTaken(path), unsafe rename(draft, path) == 0 else { throw error }
    }

    /// Replaces a file as a whole, with the owner, group and mode of another one, as far as this user may give them. Without
    /// that one it has mode 640 and this group, or mode 600 where the group is unknown, not given or may not be given.
    /// Blocks until the disk has it.
    public static func replace(
        _ bytes: [UInt8], at path: String, like other: String, sharedWith group: String? = nil
    ) throws(SystemError) {
        let draft = Self.draft(of: path)
        do throws(SystemError) {
            try writeDraft(bytes, to: draft, isPublic: false)
            var status = stat()
            if unsafe stat(other, &status) == 0 {
                _ = unsafe chown(draft, status.st_uid, status.st_gid)
                _ = unsafe chmod(draft, status.st_mode & 0o7777)
            } else if let group, let entry = unsafe getgrnam(group),
                unsafe chown(draft, geteuid(), entry.pointee.gr_gid) == 0
            {
                _ = unsafe chmod(draft, 0o640)
            }
            guard unsafe rename(draft, path) == 0 else { throw SystemError.last("rename") }
        } catch {
            _ = unsafe unlink(draft)
            throw SystemError(code: error.code, context: "write \(path)")
        }
        flushFolder(of: path)
    }

    /// The path of a file without links on the way (realpath(3)); the same path if there is no such file.
    public static func resolved(_ path: String) -> String {
        guard let found = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }

    /// The kind of what is at a path.
    public enum Kind: Sendable {
        /// Nothing, or a symbolic link to nothing.
        case missing, brokenLink
        /// A regular file, a folder, or something else, such as a device.
        case file, folder, other
    }

    /// The kind of what is at a path, behind symbolic links. (stat(2), lstat(2))
    public static func kind(of path: String) -> Kind {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return isTaken(path) ? .brokenLink : .missing }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// True if a name is taken, by a link to nothing too. (lstat(2))
    public static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    /// The one path of a file that may be missing still: the links of the file, or else those of its folder, are followed.
    public static func location(of path: String) -> String {
        guard !exists(path) else { return resolved(path) }
        let folder = resolved(folder(of: path))
        return "\(folder == "/" ? "" : folder)/\(path.split(separator: "/").last ?? "")"
    }

    private static func writeDraft(_ bytes: [UInt8], to path: String, isPublic: Bool) throws(SystemError) {
        let descriptor = try Descriptor(
            unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, isPublic ? 0o644 : 0o600), "create")
        try Descriptors.write(bytes.span, to: descriptor.number)
        guard fsync(descriptor.number) == 0 else { throw SystemError.last("write") }
    }

    /// Waits until the disk has the names of the folder in which a file is. A failure is not reported: some file systems
    /// don't have the call for folders.
    public static func flushFolder(of path: String) {
        guard let descriptor = try? Descriptor(unsafe open(folder(of: path), O_RDONLY | O_CLOEXEC), "open") else {
            return
        }
        fsync(descriptor.number)
    }

    /// The folder in which a file is, such as `.`.
    public static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The names of the regular files in a folder, in order. (readdir(3))
    public static func names(in folder: String) throws(SystemError) -> [String] {
        guard let directory = unsafe opendir(folder) else { throw SystemError.last("open \(folder)") }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            var status = stat()
            guard unsafe stat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            names.append(name)
        }
        return names.sorted()
    }

    /// True if a path names a folder. (stat(2))
    public static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The seconds since the last change of a file; nil if there is none.
    public static func age(of path: String) -> Int? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return time(nil) - status.st_mtim.tv_sec
    }

    /// Removes a file; one that is missing is no error.
    public static func remove(_ path: String) throws(SystemError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw SystemError.last("remove \(path)") }
    }

    /// Gives a file to the user that has another file or folder; only the administrator may, and others keep theirs.
    public static func give(_ path: String, toOwnerOf other: String) {
        var status = stat()
        guard geteuid() == 0, unsafe stat(other, &status) == 0 else { return }
        _ = unsafe chown(path, status.st_uid, status.st_gid)
    }

    /// Creates a folder of mode 700 if it doesn't exist; its parent must exist.
    public static func makeFolder(_ path: String) throws(SystemError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw SystemError.last("make the folder \(path)")
        }
    }

    /// Creates a folder of a mode and those above it that are missing, with the owner of the nearest one that exists, as far
    /// as this user may give them.
    public static func makeFolders(_ path: String, mode: UInt32) throws(SystemError) {
        guard !isFolder(path) else { return }
        let above = folder(of: path)
        try makeFolders(above, mode: mode)
        guard unsafe mkdir(path, mode) == 0 || errno == EEXIST else {
            throw SystemError.last("make the folder \(path)")
        }
        _ = unsafe chmod(path, mode)
        give(path, toOwnerOf: above)
    }

    /// True if this user may create and replace files in a folder. (access(2))
    public static func isWritable(folder: String) -> Bool { unsafe access(folder, W_OK | X_OK) == 0 }

    /// True if something exists at the path.
    public static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// True unless it is known that nothing exists at a path: also where this user may not look. (access(2))
    public static func mayExist(_ path: String) -> Bool {
        exists(path) || SystemError.last("access \(path)").kind != .missing
    }

    /// Renames a file or folder; nothing may exist at the new path.
    public static func move(_ path: String, to other: String) throws(SystemError) {
        guard !exists(other) else { throw SystemError(code: EEXIST, context: "move \(path) to \(other)") }
        guard unsafe rename(path, other) == 0 else { throw SystemError.last("move \(path) to \(other)") }
    }
}
