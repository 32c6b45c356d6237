internal import Glibc

/// The code of the program and its libraries, as it is mapped from their files.
public enum ProgramText {
    /// The most that is read of /proc/self/maps; an agent's is 10 KB.
    private static let bound = 1 << 20

    /// Lets go of all resident pages of code (madvise(2), MADV_DONTNEED), so that what only a start or a handshake
    /// needed counts no more.
    ///
    /// Nothing is lost: they are the page cache's, nobody writes to them, and those that are called come back at the
    /// next call, from the cache. Does nothing where /proc isn't there.
    public static func release() {
        guard let maps = try? WholeFile.read("/proc/self/maps", bound: bound) else { return }
        for line in maps.split(separator: UInt8(ascii: "\n")) {
            guard let range = range(ofCode: String(decoding: line, as: UTF8.self)) else { continue }
            unsafe madvise(
                UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, Int32(MADV_DONTNEED))
        }
    }

    /// The addresses of a line of /proc/PID/maps (proc_pid_maps(5)) that is code of a file and can't be written to.
    static func range(ofCode line: String) -> Range<UInt>? {
        let fields = line.split(separator: " ", maxSplits: 5)
        guard fields.count == 6, fields[1] == "r-xp", fields[5].drop(while: { $0 == " " }).first == "/" else {
            return nil
        }
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1] else { return nil }
        return ends[0]..<ends[1]
    }
}
