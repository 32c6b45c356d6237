internal import Bytes
internal import CLinux
internal import Glibc

/// The code and constants of the program and its libraries, as mapped from their files.
public enum ProgramText {
    /// The most bytes read of /proc/self/smaps; an agent's has 70 KB.
    private static let bound = 1 << 20

    /// Releases all resident pages of code and constants (madvise(2), MADV_DONTNEED), so that those needed only at the
    /// start or in a handshake, such as tables of symbols, count no more; and the free memory of the heap
    /// (malloc_trim(3)).
    ///
    /// Nothing is lost: the pages belong to the page cache and are never written to; a page that is used again is
    /// mapped from the cache. Does nothing to them if /proc isn't mounted.
    public static func release() {
        for range in unmodifiedRanges() {
            unsafe madvise(
                UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, Int32(MADV_DONTNEED))
        }
        malloc_trim(0)
    }

    /// The read-only mappings of files without a page that differs from its file.
    private static func unmodifiedRanges() -> [Range<UInt>] {
        guard let maps = try? WholeFile.read("/proc/self/smaps", bound: bound) else { return [] }
        return unmodifiedRanges(inMaps: maps.span)
    }

    /// The mappings in a text of /proc/PID/smaps (proc_pid_smaps(5)).
    ///
    /// Pages that the dynamic linker relocated are read-only too, and exist nowhere else: they are anonymous, and left
    /// out.
    static func unmodifiedRanges(inMaps maps: Span<UInt8>) -> [Range<UInt>] {
        var ranges: [Range<UInt>] = []
        var range: Range<UInt>?
        var start = 0
        for end in maps.indices where maps[end] == UInt8(ascii: "\n") {
            let line = maps.extracting(start..<end)
            start = end + 1
            guard let first = line.isEmpty ? nil : line[0] else { continue }
            // A mapping's first line begins with its address, in lower case; all others with a capital letter.
            if !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) {
                range = self.range(ofFile: text(line))
            } else if first == UInt8(ascii: "A"), let found = range {
                let fields = text(line).split(separator: " ")
                guard fields.first == "Anonymous:" else { continue }
                if fields.count > 1, fields[1] == "0" { ranges.append(found) }
                range = nil
            }
        }
        return ranges
    }

    private static func text(_ line: Span<UInt8>) -> String {
        var bytes: [UInt8] = []
        bytes.append(contentsOf: line)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The addresses in a mapping's first line (proc_pid_maps(5)), if it is of a file and read-only.
    static func range(ofFile line: String) -> Range<UInt>? {
        let fields = line.split(separator: " ", maxSplits: 5)
        guard fields.count == 6, ["r-xp", "r--p"].contains(fields[1]),
            fields[5].drop(while: { $0 == " " }).first == "/"
        else { return nil }
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1] else { return nil }
        return ends[0]..<ends[1]
    }
}
