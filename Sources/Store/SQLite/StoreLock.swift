internal import Glibc

/// The file beside a database that lets one process at a time have it (flock(2)), and remembers the last event.
///
/// The kernel lets go of the lock when the process ends, however it ends. The remembered event is written after each
/// commit and never flushed: it is there to tell a database whose last commits were lost (a damaged or removed log, a
/// restored copy) from a whole one, so that no number is used twice.
final class StoreLock {
    /// An epoch and its last event.
    struct Mark: Equatable {
        var epoch: String
        var seq: UInt64
    }

    private let descriptor: Int32
    /// What the process before had noted.
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
        if let found { note(found) } else { note(Mark(epoch: "-", seq: 0)) }
    }

    deinit {
        // By name, and not by closing alone: a child on its way to exec(2) may hold a copy.
        _ = flock(descriptor, LOCK_UN)
        Glibc.close(descriptor)
    }

    /// Notes the last event. A failure is harmless: the mark is a second witness only.
    func note(_ mark: Mark) {
        let seq = String(mark.seq)
        // Of one length always, so that what is written replaces what was.
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
