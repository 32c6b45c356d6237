public import Bytes
internal import RoomEstimation

/// The reception of a house in about the last hour: at which level each node receives the items that are in a room, and
/// how many of their packets no node received.
///
/// Levels are histograms of 2 dB, of which every ten minutes half is forgotten. Packets are counted in six pieces of ten
/// minutes. A silence counts once it has ended in the room, so that an item that leaves the house is none.
struct ReceptionTable: Sendable {
    /// Pairs of a node and a room of which levels are kept; others are left out.
    static let capacity = 4096
    /// The time after which a piece ends.
    static let piece: Duration = .seconds(600)
    static let pieces = 6
    /// Bins of 2 dB from -120 dBm on.
    private static let bins = 64
    private static let faintest = -120.0, width = 2.0

    private struct Key: Hashable {
        var node: Int32, room: Int32
    }

    private struct Levels {
        var counts = [UInt16](repeating: 0, count: ReceptionTable.bins)
        var total = 0

        mutating func add(_ level: Double) {
            let steps = ((level - ReceptionTable.faintest) / ReceptionTable.width).rounded(.down)
            let bin = Int(min(max(0, steps), Double(ReceptionTable.bins - 1)))
            guard counts[bin] < .max else { return }
            counts[bin] += 1
            total += 1
        }

        mutating func halve() {
            total = 0
            for bin in counts.indices {
                counts[bin] /= 2
                total += Int(counts[bin])
            }
        }

        /// The median, interpolated within its bin.
        var median: Double? {
            guard total > 0 else { return nil }
            var below = 0
            for (bin, count) in counts.enumerated() where count > 0 {
                guard Double(below + Int(count)) * 2 >= Double(total) else {
                    below += Int(count)
                    continue
                }
                let share = (Double(total) / 2 - Double(below)) / Double(count)
                return ReceptionTable.faintest + (Double(bin) + share) * ReceptionTable.width
            }
            return nil
        }
    }

    private struct Packets {
        var received = [Double](repeating: 0, count: ReceptionTable.pieces)
        var expected = [Double](repeating: 0, count: ReceptionTable.pieces)
    }

    private var levels: [Key: Levels] = [:]
    private var packets: [Int32: Packets] = [:]
    private var current = 0
    private var pieceEnd: Timestamp?
    private(set) var start: Timestamp?

    /// Records an interval in which packets of an item in a room were received.
    ///
    /// - Parameter expected: the packets that the item sent since the last interval with one; nil if its cadence is unknown.
    mutating func record(
        _ observations: [ObservationTable.Observation], inRoom room: Int, expected: Double?, at time: Timestamp
    ) {
        turn(to: time)
        var most = 0
        for observation in observations {
            most = max(most, observation.count)
            guard let level = observation.level else { continue }
            let key = Key(node: Int32(observation.node), room: Int32(room))
            guard levels[key] != nil || levels.count < Self.capacity else { continue }
            levels[key, default: Levels()].add(level)
        }
        guard let expected, expected > 0 else { return }
        packets[Int32(room), default: Packets()].expected[current] += expected
        packets[Int32(room), default: Packets()].received[current] += min(Double(most), expected)
    }

    private mutating func turn(to time: Timestamp) {
        start = start ?? time
        guard let end = pieceEnd, time.duration(since: end) < Self.piece * Self.pieces,
            end.duration(since: time) <= Self.piece
        else {
            if pieceEnd != nil { forgetAll() }
            (start, pieceEnd) = (time, time.advanced(by: Self.piece))
            return
        }
        var next = end
        while time >= next {
            next = next.advanced(by: Self.piece)
            current = (current + 1) % Self.pieces
            for key in levels.keys { levels[key]?.halve() }
            levels = levels.filter { $0.value.total > 0 }
            for key in packets.keys {
                packets[key]?.received[current] = 0
                packets[key]?.expected[current] = 0
            }
        }
        pieceEnd = next
    }

    /// Forgets the levels of a node, which counts otherwise from now on.
    mutating func forget(node: Int) { levels = levels.filter { $0.key.node != Int32(node) } }

    /// Forgets everything, as when an index comes to stand for another room or node.
    mutating func forgetAll() { self = ReceptionTable() }

    /// The median of the levels at each node by room, with the number of windows.
    func medians() -> [(node: Int, room: Int, level: Double, count: Int)] {
        levels.compactMap { key, levels in levels.median.map { (Int(key.node), Int(key.room), $0, levels.total) } }
    }

    /// The packets of each room.
    func counts() -> [(room: Int, received: Double, expected: Double)] {
        packets.map { room, packets in
            (Int(room), packets.received.reduce(0, +), packets.expected.reduce(0, +))
        }
    }
}

/// The reception of a house, by ids.
public struct ReceptionReport: Hashable, Sendable {
    /// The median level at a node of the items in a room.
    public struct Level: Hashable, Sendable {
        /// The node and the room.
        public var node: String, room: String
        /// The median, in dBm.
        public var dBm: Double
        /// The number of windows that it was made of, of which older ones count less.
        public var windows: Int
    }

    /// The packets of the items in a room, in the last hour.
    public struct Packets: Hashable, Sendable {
        /// The room.
        public var room: String
        /// Packets that the node with the best reception of each interval received, and those that were sent by their cadence.
        public var received: Double, expected: Double
    }

    /// The beginning of what is counted; nil before the first.
    public var since: Timestamp?
    /// Levels, by node and room.
    public var levels: [Level]
    /// Packets, by room.
    public var packets: [Packets]
}

extension Household {
    /// The reception of the house; empty unless the settings have it measured.
    public var receptionReport: ReceptionReport {
        let (nodes, rooms) = (house.nodes, house.rooms)
        let levels = reception.medians().compactMap { level -> ReceptionReport.Level? in
            guard nodes.indices.contains(level.node), rooms.indices.contains(level.room), !rooms[level.room].id.isEmpty
            else { return nil }
            return .init(
                node: nodes[level.node].id, room: rooms[level.room].id, dBm: level.level, windows: level.count)
        }
        let packets = reception.counts().compactMap { count -> ReceptionReport.Packets? in
            guard rooms.indices.contains(count.room), !rooms[count.room].id.isEmpty else { return nil }
            return .init(room: rooms[count.room].id, received: count.received, expected: count.expected)
        }
        return ReceptionReport(
            since: reception.start, levels: levels.sorted { ($0.node, $0.room) < ($1.node, $1.room) },
            packets: packets.sorted { $0.room < $1.room })
    }

    /// Records the reception of an item that is in a room, after an interval.
    ///
    /// - Parameter elapsed: the time without a packet before the interval, and that of the interval.
    mutating func recordReception(
        _ observations: [ObservationTable.Observation], of index: Int, after elapsed: Duration, at time: Timestamp
    ) {
        guard let room = trackers[index].presentRoom else { return }
        let expected = trackers[index].reception.interval.flatMap { interval in
            interval > 0 ? elapsed.seconds / interval : nil
        }
        reception.record(observations, inRoom: room, expected: expected, at: time)
    }
}
