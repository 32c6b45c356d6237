package import Bytes

/// The belief of a locator, as plain values with which a later one in the same house, or in a changed one, can
/// continue.
///
/// Rooms and nodes go by their ids, since their indices are of one run. Numbers are as fine as they need to be.
package struct LocatorRecord: Hashable, Sendable {
    /// The belief in one room.
    struct Room: Hashable, Sendable {
        var id: String
        /// Its probability by nearness, and by the lessons.
        var nearness: Float
        var taught: Float
        /// The deviation of each taught node from the lessons there; none if it was never taught.
        var deviations: [ReceiverDrift.Deviation] = []
        /// The usual level at each node of `nodes` there; none if the item was never surely there.
        var fingerprint: [Fingerprints.Level] = []

        /// True if anything was learned in it.
        var isLearned: Bool { !deviations.isEmpty || !fingerprint.isEmpty }
    }

    /// The state of one node's reception of the item, as in `ProximityModel`.
    struct Node: Hashable, Sendable {
        var id: String
        var heard: Float
        var mean: Float
        var level: Float
        var gap: Float
        /// The hops in which it listened, and its mean level over them.
        var listened: Float
        var usual: Float
        /// Number of hops since its last reception.
        var age: UInt32
        /// The mean level over the run, and the hops in it with a packet and without.
        var settled: Float
        var settledHeard: Float
        var settledMissed: Float
        /// Its usual reception in all rooms together.
        var anywhere = Fingerprints.Level()
    }

    /// The end of the last hop.
    package var at: Timestamp
    /// The room that is answered.
    var room: String?
    /// The likeliest run of hops without a change of place: its probability, and its hops.
    var share: Float = 0
    var hops: Float = 0
    /// The trust in lessons: sum, weight and mean level; a weight of 0 if there were none.
    var trustSum: Float = 0
    var trustWeight: Float = 0
    var trustMean: Float = 0
    /// The difference in level from the tag that was taught, in dB, and its variance, in dB².
    var loudness: Float = 0
    var loudnessVariance: Float = 0
    /// Rooms with any probability, or with one by the lessons.
    var rooms: [Room] = []
    /// The nodes that the lessons cover, if any deviation of theirs is known.
    package var taughtNodes: [String] = []
    /// Nodes that ever received the item, by their order in the house.
    var nodes: [Node] = []

    init(at end: Timestamp) { at = end }
}

extension LocatorRecord {
    /// The form's version; any other is not read.
    private static let version: UInt8 = 6

    /// Appends all values to a row.
    package func write(to row: inout RowWriter) {
        row.append(Self.version)
        row.append(at.microseconds)
        row.append(room ?? "")
        for number in [share, hops, trustSum, trustWeight, trustMean] { row.append(number) }
        for number in [loudness, loudnessVariance] { row.append(number) }
        row.append(UInt16(clamping: taughtNodes.count))
        for node in taughtNodes.prefix(Int(UInt16.max)) { row.append(node) }
        row.append(UInt16(clamping: rooms.count))
        for room in rooms.prefix(Int(UInt16.max)) {
            row.append(room.id)
            row.append(room.nearness)
            row.append(room.taught)
            row.append(UInt16(clamping: room.deviations.count))
            for deviation in room.deviations.prefix(Int(UInt16.max)) {
                row.append(deviation.mean)
                row.append(deviation.weight)
            }
            row.append(UInt16(clamping: room.fingerprint.count))
            for level in room.fingerprint.prefix(Int(UInt16.max)) { level.write(to: &row) }
        }
        row.append(UInt16(clamping: nodes.count))
        for node in nodes.prefix(Int(UInt16.max)) {
            row.append(node.id)
            row.append(node.age)
            for number in [node.heard, node.mean, node.level, node.gap] { row.append(number) }
            for number in [node.listened, node.usual, node.settled, node.settledHeard, node.settledMissed] {
                row.append(number)
            }
            node.anywhere.write(to: &row)
        }
    }

    /// Reads a written row; nil if it is incomplete.
    package init?(_ row: inout RowReader, _ bytes: Span<UInt8>) {
        guard row.next(UInt8.self, bytes) == Self.version,
            let at = row.next(Int64.self, bytes), let room = row.nextText(bytes),
            let share = row.nextNumber(bytes),
            let hops = row.nextNumber(bytes), let sum = row.nextNumber(bytes),
            let weight = row.nextNumber(bytes), let mean = row.nextNumber(bytes),
            let loudness = row.nextNumber(bytes), let loudnessVariance = row.nextNumber(bytes),
            let taughtNodes = Self.texts(&row, bytes), let roomCount = row.next(UInt16.self, bytes)
        else { return nil }
        self.init(at: Timestamp(microseconds: at))
        self.room = room.isEmpty ? nil : room
        (self.share, self.hops) = (share, hops)
        (trustSum, trustWeight, trustMean) = (sum, weight, mean)
        (self.loudness, self.loudnessVariance, self.taughtNodes) = (loudness, loudnessVariance, taughtNodes)
        for _ in 0..<roomCount {
            guard let room = Room(&row, bytes) else { return nil }
            rooms.append(room)
        }
        guard let nodeCount = row.next(UInt16.self, bytes) else { return nil }
        for _ in 0..<nodeCount {
            guard let node = Node(&row, bytes) else { return nil }
            nodes.append(node)
        }
    }

    private static func texts(_ row: inout RowReader, _ bytes: Span<UInt8>) -> [String]? {
        guard let count = row.next(UInt16.self, bytes) else { return nil }
        var texts: [String] = []
        for _ in 0..<count {
            guard let text = row.nextText(bytes) else { return nil }
            texts.append(text)
        }
        return texts
    }
}

extension LocatorRecord.Room {
    fileprivate init?(_ row: inout RowReader, _ bytes: Span<UInt8>) {
        guard let id = row.nextText(bytes), let nearness = row.nextNumber(bytes), let taught = row.nextNumber(bytes),
            let deviated = row.next(UInt16.self, bytes)
        else { return nil }
        self.init(id: id, nearness: nearness, taught: taught)
        for _ in 0..<deviated {
            guard let mean = row.nextNumber(bytes), let weight = row.nextNumber(bytes) else { return nil }
            deviations.append(.init(mean: mean, weight: weight))
        }
        guard let count = row.next(UInt16.self, bytes) else { return nil }
        for _ in 0..<count {
            guard let level = Fingerprints.Level(&row, bytes) else { return nil }
            fingerprint.append(level)
        }
    }
}

extension LocatorRecord.Node {
    fileprivate init?(_ row: inout RowReader, _ bytes: Span<UInt8>) {
        guard let id = row.nextText(bytes), let age = row.next(UInt32.self, bytes),
            let heard = row.nextNumber(bytes), let mean = row.nextNumber(bytes),
            let level = row.nextNumber(bytes), let gap = row.nextNumber(bytes),
            let listened = row.nextNumber(bytes), let usual = row.nextNumber(bytes),
            let settled = row.nextNumber(bytes), let settledHeard = row.nextNumber(bytes),
            let settledMissed = row.nextNumber(bytes),
            let anywhere = Fingerprints.Level(&row, bytes)
        else { return nil }
        self.init(
            id: id, heard: heard, mean: mean, level: level, gap: gap, listened: listened, usual: usual, age: age,
            settled: settled, settledHeard: settledHeard, settledMissed: settledMissed, anywhere: anywhere)
    }
}

extension Fingerprints.Level {
    fileprivate func write(to row: inout RowWriter) {
        row.append(mean)
        row.append(hops)
    }

    fileprivate init?(_ row: inout RowReader, _ bytes: Span<UInt8>) {
        guard let mean = row.nextNumber(bytes), let hops = row.nextNumber(bytes) else { return nil }
        self.init(mean: mean, hops: hops)
    }
}
