internal import Glibc

/// Files and folders that nobody else may read: keys, passwords, and what belongs to them.
public enum PrivateFiles {
    /// Puts a whole file in the place of what was there (rename(2)): mode 600, or 644 where everybody may read it. Blocks
    /// until the disk has it.
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

    /// Makes a folder of mode 700 where there is none; the folder that holds it must be there.
    public static func makeFolder(_ path: String) throws(SystemError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw SystemError.last("make the folder \(path)")
        }
    }

    /// Whether something lies there.
    public static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Gives something another path; nothing may lie there.
    public static func move(_ path: String, to other: String) throws(SystemError) {
        guard !exists(other) else { throw SystemError(code: EEXIST, context: "move \(path) to \(other)") }
        guard unsafe rename(path, other) == 0 else { throw SystemError.last("move \(path) to \(other)") }
    }
}
