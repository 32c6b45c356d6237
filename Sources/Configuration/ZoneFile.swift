public import Alerts
internal import System

/// The machine's time zone database (tzfile(5)).
public enum ZoneFile {
    /// The folder of its files.
    static let folder = "/usr/share/zoneinfo"
    /// The machine's own zone (localtime(5)).
    static let machine = "/etc/localtime"

    /// The rules of a zone by its name, such as `Europe/Vienna`; nil if there is none.
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

    /// The rules in a file; nil if it isn't a zone's, for which the C library would use UTC. Blocks for milliseconds.
    private static func read(_ path: String) -> TimeZoneRules? {
        (try? Files.read(path, bound: 1 << 20)).flatMap { TimeZoneRules(file: $0) }
    }
}
