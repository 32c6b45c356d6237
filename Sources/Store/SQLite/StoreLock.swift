internal import Glibc

/// The file beside a database that restricts it to one process at a time (flock(2)), and records the last event.
///
/// The kernel releases the lock when the process ends, however it ends. The last event is written after each commit and
/// never flushed. It distinguishes a database that lost its last commits (a damaged or removed log, a restored copy)
/// from a complete one, so that no number is used twice.
final class StoreLock {
    /// An epoch and its last event.
    struct Mark: Equatable {
        var epoch: String
        var seq: UInt64
    }

    private let descriptor: Int32
    /// The mark of the previous process.
    let found: Mark?

    init(path: String, of database: String) throws(StoreError) {
        let purpose = "lock the database"
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreError(system: errno, purpose: purpose, path: database) }
        let words = Self.read(descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            Glibc.close(descriptor)
            guard code == EWOULDBLOCK else { throw StoreError(system: code, purpose: purpose, path: database) }
            let holder = words.first.flatMap { Int32($0) }
            throw StoreError(
                .otherWriter(processID: holder), purpose: purpose,
                words: "another process\(holder.map { " (\($0))" } ?? "") has it", path: database)
        }
        found = words.count == 3 ? UInt64(words[2]).map { Mark(epoch: words[1], seq: $0) } : nil
        if let found { writeMark(found) } else { writeMark(Mark(epoch: "-", seq: 0)) }
    }

    deinit {
        // An explicit release, in addition to closing: a child on its way to exec(2) may have a copy.
        _ = flock(descriptor, LOCK_UN)
        Glibc.close(descriptor)
    }

    /// True if a process holds the lock at a path; a missing file is held by none.
    static func isHeld(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Records the last event. A failure is harmless: the mark is only additional evidence.
    func writeMark(_ mark: Mark) {
        let seq = String(mark.seq)
        // A fixed length, so that the new text replaces the whole previous one.
        let line = "\(getpid()) \(mark.epoch) \(String(repeating: "0", count: max(0, 20 - seq.utf8.count)))\(seq)\n"
        let bytes = Array(line.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    private static func read(_ descriptor: Int32) -> [String] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        let line = bytes.prefix(max(0, count)).prefix { $0 != 0x0A }
        return line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    }
}
