public import Alerts
internal import System

/// The machine's time zone database (tzfile(5)).
public enum ZoneFile {
    /// The folder of its files.
    static let folder = "/usr/share/zoneinfo"
    /// The machine's own zone (localtime(5)).
    static let machine = "/etc/localtime"
    /// The Unix times between which changes of the clocks are read: 1970 to 2100.
    private static let range: Range<Int64> = 0..<4_102_444_800
    /// The seconds in which clocks are changed at most once: a week.
    private static let step: Int64 = 604_800

    /// The rules of a zone by its name, such as `Europe/Vienna`; nil if there is none. See `read` for its effects.
    public static func rules(of name: String) -> TimeZoneRules? {
        // A name stays inside the folder: none of its levels is empty or begins with a dot. The zones of right/ count
        // other seconds than Unix time does.
        let levels = name.split(separator: "/", omittingEmptySubsequences: false)
        let isName = levels.allSatisfy { level in
            !level.isEmpty
                && level.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F || byte == 0x2D
                        || byte == 0x2B
                }
        }
        return isName && levels.first != "right" && name.utf8.count <= 128 ? read("\(folder)/\(name)") : nil
    }

    /// The rules of the machine's own zone; UTC where it has none.
    public static func machineRules() -> TimeZoneRules { read(machine) ?? .utc }

    /// The rules in a file; nil if it isn't a zone's, for which the C library would use UTC.
    ///
    /// The library has one zone a process, and alerts may have several. The changes of each zone are therefore read into
    /// a table while the configuration is, before the program starts its threads. Blocks for milliseconds.
    private static func read(_ path: String) -> TimeZoneRules? {
        guard let bytes = try? Files.read(path, bound: 1 << 20), bytes.starts(with: "TZif".utf8) else { return nil }
        return LocalTime.withZone(file: path) { offset in changes(offset) }
    }

    /// The changes of a zone, by its offset at any Unix time.
    private static func changes(_ offset: (Int64) -> Int) -> TimeZoneRules {
        let first = offset(range.lowerBound)
        var changes: [TimeZoneRules.Change] = []
        var (second, current) = (range.lowerBound, first)
        while second < range.upperBound {
            var (low, high) = (second, second + step)
            second = high
            guard offset(high) != current else { continue }
            while high - low > 1 {
                let middle = (low + high) / 2
                if offset(middle) == current { low = middle } else { high = middle }
            }
            (second, current) = (high, offset(high))
            changes.append(.init(at: second, to: current))
        }
        return TimeZoneRules(offset: first, changes: changes)
    }
}
