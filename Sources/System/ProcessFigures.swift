public import Bytes
internal import Glibc

/// The figures of this process, as the kernel counts them (proc(5)).
public struct ProcessFigures: Hashable, Sendable {
    /// Seconds of a processor, of the user's and of the system's kind together.
    public var processorSeconds: Double
    /// Bytes of memory that are resident.
    public var residentBytes: Int
    /// Bytes of memory that are mapped.
    public var virtualBytes: Int
    /// Threads.
    public var threads: Int
    /// Open descriptors.
    public var descriptors: Int
    /// The most descriptors that may be open.
    public var descriptorLimit: Int
    /// The start of the process, by the wall clock.
    public var started: Timestamp

    /// The present figures; nil if the kernel shows none. Reads three files; doesn't block.
    public static func read() -> ProcessFigures? {
        guard let stat = try? WholeFile.read("/proc/self/stat", bound: 4096),
            let uptime = try? WholeFile.read("/proc/uptime", bound: 256)
        else { return nil }
        return ProcessFigures(
            stat: String(decoding: stat, as: UTF8.self), uptime: String(decoding: uptime, as: UTF8.self),
            at: WallClock.now())
    }

    /// The figures of the texts of /proc/self/stat and /proc/uptime; nil where they are none.
    init?(stat: String, uptime: String, at now: Timestamp) {
        // The name of the program stands in parentheses and may hold blanks.
        guard let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ").map { Double($0) }
        // From the third field on: utime and stime are 14 and 15, threads 20, the start 22, then the two sizes.
        guard fields.count > 21, let user = fields[11], let system = fields[12], let threads = fields[17],
            let start = fields[19], let virtual = fields[20], let resident = fields[21],
            let up = uptime.split(separator: " ").first.flatMap({ Double($0) })
        else { return nil }
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        processorSeconds = (user + system) / ticks
        self.threads = Int(threads)
        virtualBytes = Int(virtual)
        residentBytes = Int(resident) * sysconf(Int32(_SC_PAGESIZE))
        started = now.advanced(bySeconds: start / ticks - up)
        var limit = rlimit()
        descriptorLimit =
            unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
            ? Int(clamping: limit.rlim_cur) : 0
        descriptors = Self.openDescriptors
    }

    private static var openDescriptors: Int {
        guard let folder = unsafe opendir("/proc/self/fd") else { return 0 }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // Two are the folder and the one above; one is this listing's own.
        return max(0, count - 3)
    }
}
