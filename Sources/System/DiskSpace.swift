internal import Glibc

/// The space for files.
public enum DiskSpace {
    /// The bytes that this user may still write in a folder (statvfs(3)).
    public static func available(in folder: String) throws(SystemError) -> UInt64 {
        var space = statvfs()
        guard unsafe statvfs(folder, &space) == 0 else { throw SystemError.last("statvfs \(folder)") }
        return UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize)).partialValue
    }

    /// Writes a file of 4 KiB to the disk and removes it again: the failing step identifies folders that accept no
    /// file, and disks that are full in spite of their reported space. Blocks until the disk has it (fsync(2)).
    public static func probe(_ folder: String) throws(SystemError) {
        let path = "\(folder)/.whereabouts-\(SystemRandom.epoch())"
        let descriptor = try Descriptor(
            unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600), "create a file in \(folder)")
        defer { _ = unsafe unlink(path) }
        let page = [UInt8](repeating: 0, count: 4096)
        do throws(SystemError) {
            try Descriptors.write(page.span, to: descriptor.number)
        } catch {
            throw SystemError(code: error.code, context: "write in \(folder)")
        }
        guard fsync(descriptor.number) == 0 else { throw SystemError.last("write in \(folder)") }
    }
}
