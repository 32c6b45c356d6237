internal import Bytes
internal import Configuration
internal import RoomEstimation

/// A recording: `t_s,session,tag,receiver,rssi_dbm`, one received packet a row.
struct SightingsFile {
    /// One tag in one session.
    struct Key: Hashable {
        var session: String
        var tag: String
    }

    /// One packet at one receiver.
    struct Packet {
        var at: Timestamp
        var node: Int
        var level: Double
    }

    /// Tags in the order of their first packet in the file.
    private(set) var keys: [Key] = []
    /// The packets of each tag, in order of time.
    private(set) var packets: [Key: [Packet]] = [:]
    /// Rows of receivers that the house does not have.
    private(set) var strangers = 0

    /// A longer session is a fault: it has an answer for every second.
    static let longestSession = 100.0 * 86_400

    /// Reads all packets of a file, or throws the first fault.
    init(_ path: String, in house: House) throws(InputFault) {
        let bytes = try InputFault.text(of: path)
        var csv = try CSVReader(bytes.span, file: path, columns: ["t_s", "session", "tag", "receiver", "rssi_dbm"])
        while try csv.next() {
            guard let at = Timestamp(seconds: try csv.number(0)) else { throw csv.fault("t_s: out of range") }
            let level = try csv.number(4)
            // A radio without a level reports 127 (Core 5.4, Vol 4 Part E, 7.7.65.2).
            if level == 127 { continue }
            guard Hop.levels.contains(level) else { throw csv.fault("rssi_dbm: \(level) is not within -127 to 20") }
            guard let node = house.node(csv.fields[3]) else {
                strangers += 1
                continue
            }
            let key = Key(session: csv.fields[1], tag: csv.fields[2])
            if packets[key] == nil { keys.append(key) }
            packets[key, default: []].append(Packet(at: at, node: node, level: level))
        }
        for key in keys {
            packets[key]?.sort { $0.at < $1.at }
            guard let first = packets[key]?.first, let last = packets[key]?.last else { continue }
            guard last.at.seconds(since: first.at) <= Self.longestSession else {
                throw InputFault(
                    file: path, line: nil, message: "session '\(key.session)' is longer than 100 days")
            }
        }
    }

    /// The seconds from the first to the last packet of each tag, with those until belief settles: the answers that they give.
    var answers: Double {
        keys.reduce(0) { sum, key in
            guard let first = packets[key]?.first, let last = packets[key]?.last else { return sum }
            return sum + last.at.seconds(since: first.at) + 120
        }
    }

    /// A tag's packets as hops of one second, cut at whole seconds and stamped at their end, empty ones included.
    func hops(_ key: Key) -> [Hop] {
        var hops: [Hop] = []
        var sums: [Int: (level: Double, count: Int)] = [:]
        guard let packets = packets[key], var end = packets.first.map({ Self.intervalEnd($0.at) }) else { return [] }
        for packet in packets {
            while packet.at > end {
                hops.append(Self.hop(end, sums))
                sums.removeAll(keepingCapacity: true)
                end = end.advanced(by: .seconds(1))
            }
            let known = sums[packet.node, default: (0, 0)]
            sums[packet.node] = (known.level + packet.level, known.count + 1)
        }
        hops.append(Self.hop(end, sums))
        return hops
    }

    private static func hop(_ end: Timestamp, _ sums: [Int: (level: Double, count: Int)]) -> Hop {
        Hop(
            end: end,
            readings: sums.map { node, sum in
                Hop.Reading(node: node, level: sum.level / Double(sum.count), count: sum.count)
            })
    }

    /// The whole second at or after a moment: an answer may use the packet that arrived with it.
    private static func intervalEnd(_ at: Timestamp) -> Timestamp {
        at.advanced(by: .microseconds(999_999)).floor(toMultipleOf: .seconds(1))
    }
}
