internal import Bytes
internal import RoomEstimation
internal import WireProtocol

/// A running lesson: the packets of one item from a moment on.
struct RunningLesson: Sendable {
    let item: String
    let room: String
    let walk: String?
    /// Its begin, on the clock of the house.
    private(set) var began: Timestamp
    /// The time after which it ends by itself.
    let limit: Duration
    /// Intervals after which it ends as well: the bound of its memory.
    let hopLimit: Int
    private(set) var hops: [Hop] = []
    private var end: Timestamp

    init(item: String, room: String, walk: String?, began: Timestamp, limit: Duration, hopLimit: Int) {
        self.item = item
        self.room = room
        self.walk = walk
        self.began = began
        self.limit = limit
        self.hopLimit = hopLimit
        end = began.advanced(by: Parameters.Household.settling)
    }

    /// Moves the lesson with the house's clock, set forward by `delta`, or back if negative: it lasts as long as
    /// before.
    mutating func clockStepped(by delta: Duration) {
        began = began.advanced(by: delta)
        end = end.advanced(by: delta)
        hops = hops.map {
            Hop(end: $0.end.advanced(by: delta), readings: $0.readings, listening: $0.listening)
        }
    }

    /// The time at which it ends by itself.
    var due: Timestamp { began.advanced(by: limit) }

    /// True if it has lasted for long enough at a moment.
    func isOver(at time: Timestamp) -> Bool { time >= due || hops.count >= hopLimit }

    /// Consumes an interval of the given length; one that began before the item was settled is left out.
    mutating func append(_ hop: Hop, length: Duration) {
        guard hops.count < hopLimit, hop.end.duration(since: began) >= Parameters.Household.settling + length,
            hop.end > end
        else {
            return
        }
        end = hop.end
        hops.append(hop)
    }

    /// The time from which its packets count.
    var from: Timestamp { began.advanced(by: Parameters.Household.settling) }

    /// True if it has enough packets to be stored.
    var isWorthKeeping: Bool { hops.count { !$0.readings.isEmpty } >= Parameters.Household.leastHeard }

    /// Its progress so far.
    func report(house: House, isRunning: Bool) -> LessonReport {
        var levels: [Int: [Double]] = [:]
        var packets: [Int: Int] = [:]
        for hop in hops {
            for reading in hop.readings {
                levels[reading.node, default: []].append(reading.level)
                packets[reading.node, default: 0] += reading.count
            }
        }
        var report = LessonReport(
            item: item, room: room, isRunning: isRunning, seconds: end.seconds(since: from),
            packets: packets.values.reduce(0, +))
        report.limit = (limit - Parameters.Household.settling).seconds
        report.nodes = levels.map { node, levels in
            LessonReport.Node(
                node: house.nodes[node].id, packets: packets[node] ?? 0, level: levels.sorted()[levels.count / 2])
        }
        .sorted { ($1.level, $0.node) < ($0.level, $1.node) }
        return report
    }

    /// The lesson to store, with the nodes of the house as they are now, by index.
    func lesson(id: String, at wall: Timestamp, nodes: [Lesson.Node]) -> Lesson {
        var parts = NodeSet()
        for hop in hops { for reading in hop.readings { parts.insert(reading.node) } }
        let known = nodes.indices.filter { node in
            parts.contains(node) || hops.contains { $0.listening?.contains(node) ?? false }
        }
        let places = Dictionary(uniqueKeysWithValues: zip(known, known.indices))
        return Lesson(
            id: id, item: item, room: room, walk: walk, taughtAt: wall, from: from, to: end,
            nodes: known.map { nodes[$0] },
            hops: hops.map { hop in
                Lesson.Second(
                    end: UInt32(clamping: hop.end.duration(since: from).milliseconds),
                    listening: NodeSet(known.filter { hop.listening?.contains($0) ?? true }.compactMap { places[$0] }),
                    readings: hop.readings.compactMap { reading in
                        guard let place = places[reading.node] else { return nil }
                        return Lesson.Reading(
                            node: UInt16(clamping: place), level: Int16(clamping: Int((reading.level * 100).rounded())),
                            count: UInt16(clamping: reading.count))
                    })
            })
    }
}
