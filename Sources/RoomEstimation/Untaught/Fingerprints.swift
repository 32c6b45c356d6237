internal import Bytes

/// The reception of an item in each room that it has been in: a house without lessons learns it from the item's own
/// way.
///
/// The nearest node's room is right most of the time, and the levels of all nodes meanwhile are that room's fingerprint
/// (Bahl and Padmanabhan 2000, who took theirs by hand). Later it counts in places where the nearest node errs: near a
/// wall, or beside a node of poor reception. Belief is the teacher, so that only near certainty teaches, and the result
/// is weighed as no more than it is: means of levels, without more of a shape.
struct Fingerprints: Sendable {
    /// A node's reception over some hops; silence counts as a level.
    struct Level: Hashable, Sendable {
        /// The mean, in dBm.
        var mean: Float = 0
        /// The hops, at most as many as are remembered; 0 if nothing is known.
        var hops: Float = 0
    }

    private let parameters: Parameters.Fingerprints
    private static var precision: Double { 1 / (2 * Parameters.deviation * Parameters.deviation) }
    /// The rooms that are known, by index, in the order of the rows.
    private var rooms: [Int] = []
    /// A row of one level a track for all hops together, then one for each known room; empty until something is learned.
    private var levels: [Level] = []

    init(parameters: Parameters.Fingerprints) {
        self.parameters = parameters
    }

    private var columns: Int { levels.count / (1 + rooms.count) }

    /// Makes room for one more track.
    mutating func insert(at column: Int) {
        guard !levels.isEmpty else { return }
        let columns = columns
        for row in (0...rooms.count).reversed() { levels.insert(Level(), at: row * columns + column) }
    }

    /// Drops a track.
    mutating func remove(at column: Int) {
        guard !levels.isEmpty else { return }
        let columns = columns
        for row in (0...rooms.count).reversed() { levels.remove(at: row * columns + column) }
        if levels.isEmpty { rooms = [] }
    }

    /// Clears the levels of a track whose node is in another room now.
    mutating func forget(column: Int) {
        let columns = columns
        guard column < columns else { return }
        for row in 0...rooms.count { levels[row * columns + column] = Level() }
    }

    /// Clears a room, by its index.
    mutating func forget(room: Int) {
        guard let row = rooms.firstIndex(of: room) else { return }
        let columns = columns
        levels.removeSubrange((row + 1) * columns..<(row + 2) * columns)
        rooms.remove(at: row)
    }

    /// Clears all: lessons are better evidence.
    mutating func forget() { (rooms, levels) = ([], []) }

    /// Consumes a hop for a share, by the room that the item is believed to be in: the likeliest, if it is likely
    /// enough.
    mutating func learn(
        _ tracks: [ProximityModel.Track], _ belief: [Double], among open: [Bool], hops: Int, share: Double = 1
    ) {
        guard share > 0, let room = belief.indices.max(by: { belief[$0] < belief[$1] }), room < open.count else {
            return
        }
        if levels.isEmpty { levels = [Level](repeating: Level(), count: tracks.count) }
        var row: Int?
        if open[room], belief[room] >= parameters.sure { row = self.row(of: room, tracks.count) }
        // A node that has received nothing for long may be deaf, and is skipped.
        for (column, track) in tracks.enumerated() where speaks(track, hops) {
            note(track.now, at: column, share)
            if let row { note(track.now, at: row * tracks.count + column, share) }
        }
    }

    /// Adds to the evidence of each room the fit of its fingerprint to this hop, beside that of all rooms, in nats.
    func add(to evidence: inout [Double], _ tracks: [ProximityModel.Track], hops: Int) {
        guard !rooms.isEmpty else { return }
        for (column, track) in tracks.enumerated() where speaks(track, hops) {
            for (row, room) in rooms.enumerated() where room < evidence.count {
                evidence[room] += parameters.share * nats(track.now, row + 1, column)
            }
        }
    }

    /// The nats that a move requires above the usual odds: more to leave a room whose fingerprint is known, and to
    /// enter one that this hop does not match.
    func doubt(of room: Int, leaving current: Int?, _ tracks: [ProximityModel.Track], hops: Int) -> Double {
        let leaving = current.flatMap(knownRow) == nil ? 0 : parameters.leaving
        guard let row = knownRow(of: room), isComparable else { return leaving }
        var sum = 0.0
        for (column, track) in tracks.enumerated() where speaks(track, hops) { sum += fit(track.now, row, column) }
        return leaving + max(0, parameters.doubt - max(0, sum))
    }

    /// The log ratio of a level's probability in a room to that in a place that might be like any of the known rooms,
    /// in nats. However long the item stayed in one of them, it counts as one: its usual room must not match
    /// everywhere.
    private func fit(_ level: Double, _ row: Int, _ column: Int) -> Double {
        let columns = columns
        var (rows, mean, squares) = (0.0, 0.0, 0.0)
        for other in 1...rooms.count {
            let level = levels[other * columns + column]
            guard isKnown(level) else { continue }
            rows += 1
            let difference = Double(level.mean) - mean
            mean += difference / rows
            squares += difference * (Double(level.mean) - mean)
        }
        let known = levels[row * columns + column]
        guard rows > 1, known.hops > 0 else { return 0 }
        let variance = Parameters.deviation * Parameters.deviation
        let wide = variance + squares / rows
        let (own, any) = (level - Double(known.mean), level - mean)
        return clipped(0.5 * (Mathematics.log(wide / variance) - own * own / variance + any * any / wide))
    }

    /// True if the fingerprints of several rooms are known.
    private var isComparable: Bool { rooms.indices.count { isKnown(row: $0 + 1) } > 1 }

    /// The row of a room whose fingerprint is known.
    private func knownRow(of room: Int) -> Int? {
        rooms.firstIndex(of: room).map { $0 + 1 }.flatMap { isKnown(row: $0) ? $0 : nil }
    }

    private func isKnown(row: Int) -> Bool {
        let columns = columns
        return levels[row * columns..<(row + 1) * columns].contains(where: isKnown)
    }

    /// True if a level has enough hops to be known.
    private func isKnown(_ level: Level) -> Bool { Double(level.hops) >= parameters.prior }

    /// The evidence of a track in the last hop for one room against another, in nats.
    func vote(of column: Int, _ track: ProximityModel.Track, hops: Int, for one: Int, against other: Int) -> Double {
        guard speaks(track, hops) else { return 0 }
        func nats(_ room: Int) -> Double {
            rooms.firstIndex(of: room).map { self.nats(track.now, $0 + 1, column) } ?? 0
        }
        return parameters.share * (nats(one) - nats(other))
    }

    /// Its reception in all rooms together, in the order of the tracks; none if nothing was learned.
    var anywhere: ArraySlice<Level> { levels.prefix(columns) }

    /// Its reception in a room, in the order of the tracks; none if nothing was learned of it.
    func levels(in room: Int) -> ArraySlice<Level> {
        guard let row = rooms.firstIndex(of: room) else { return [] }
        return levels[(row + 1) * columns..<(row + 2) * columns]
    }

    /// Continues with the stored level of a track: nil for all rooms together. Impossible numbers are left out.
    mutating func resume(_ level: Level, of column: Int, in room: Int?, tracks: Int) {
        guard Hop.levels.contains(Double(level.mean)), level.hops > 0, level.hops.isFinite else { return }
        if levels.isEmpty { levels = [Level](repeating: Level(), count: tracks) }
        let row = room.map { self.row(of: $0, tracks) } ?? 0
        levels[row * tracks + column] = Level(mean: level.mean, hops: min(level.hops, Float(Parameters.longest)))
    }

    /// The row of a room; adds it if missing.
    private mutating func row(of room: Int, _ columns: Int) -> Int {
        if let known = rooms.firstIndex(of: room) { return known + 1 }
        rooms.append(room)
        for _ in 0..<columns { levels.append(Level()) }
        return rooms.count
    }

    private mutating func note(_ level: Double, at index: Int, _ share: Double) {
        let hops = min(Double(levels[index].hops) + share, Parameters.longest)
        let mean = Double(levels[index].mean)
        levels[index] = Level(mean: Float(mean + share / hops * (level - mean)), hops: Float(hops))
    }

    /// True if a track's reception, or silence, can be distinguished from a fault.
    private func speaks(_ track: ProximityModel.Track, _ hops: Int) -> Bool {
        track.listens && Double(hops - track.last) <= Parameters.gaps * track.gap
    }

    /// The logarithm of the ratio of a level's probability in a room to that in all rooms together, of normal
    /// densities.
    private func nats(_ level: Double, _ row: Int, _ column: Int) -> Double {
        let columns = columns
        let known = levels[row * columns + column]
        guard known.hops > 0 else { return 0 }
        let usual = Double(levels[column].mean)
        let hops = Double(known.hops)
        let mean = (parameters.prior * usual + hops * Double(known.mean)) / (parameters.prior + hops)
        return clipped(Self.precision * ((level - usual) * (level - usual) - (level - mean) * (level - mean)))
    }

    private func clipped(_ nats: Double) -> Double { min(parameters.cut, max(-parameters.cut, nats)) }
}
