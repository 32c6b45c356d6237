internal import Glibc

/// Files and folders that are private to this user: keys, passwords, and files that belong to them.
public enum PrivateFiles {
    /// Replaces a file as a whole (rename(2)): mode 600, or 644 if it is public. Blocks until the disk has it.
    public static func write(_ bytes: [UInt8], to path: String, isPublic: Bool = false) throws(SystemError) {
        let draft = "\(path).\(SystemRandom.epoch())"
        do throws(SystemError) {
            try writeDraft(bytes, to: draft, isPublic: isPublic)
            guard unsafe rename(draft, path) == 0 else { throw SystemError.last("rename") }
        } catch {
            _ = unsafe unlink(draft)
            throw SystemError(code: error.code, context: "write \(path)")
        }
    }

    private static func writeDraft(_ bytes: [UInt8], to path: String, isPublic: Bool) throws(SystemError) {
        let descriptor = try Descriptor(
            unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, isPublic ? 0o644 : 0o600), "create")
        try Descriptors.write(bytes.span, to: descriptor.number)
        guard fsync(descriptor.number) == 0 else { throw SystemError.last("write") }
    }

    /// Creates a folder of mode 700 if it doesn't exist; its parent must exist.
    public static func makeFolder(_ path: String) throws(SystemError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw SystemError.last("make the folder \(path)")
        }
    }

    /// True if something exists at the path.
    public static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Renames a file or folder; nothing may exist at the new path.
    public static func move(_ path: String, to other: String) throws(SystemError) {
        guard !exists(other) else { throw SystemError(code: EEXIST, context: "move \(path) to \(other)") }
        guard unsafe rename(path, other) == 0 else { throw SystemError.last("move \(path) to \(other)") }
    }
}
