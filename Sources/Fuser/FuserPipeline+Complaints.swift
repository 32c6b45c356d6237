internal import Bytes
internal import HouseTracking
internal import Identity
internal import Integrations
internal import WireProtocol

/// What is odd about what comes: it is counted, left out, and told to the operator.
extension FuserPipeline {
    /// Messages that come late or twice now and then are a network's; so many are told.
    static let tolerated: UInt64 = 100
    /// Nodes named in one complaint.
    private static let named = 5

    /// The warnings to log since the last call: a key that stays the same, and a text.
    public mutating func takeComplaints() -> [(key: String, words: String)] {
        if let words = leftOut, words != leftOutTold {
            diagnostics.warn("left out", words)
            leftOutTold = words
        }
        if let words = lessonsLeftOut { diagnostics.warn("lessons", words) }
        return diagnostics.takeWarnings()
    }

    /// Messages that were not what their topic promises, or of another clock, since the start.
    public var refused: UInt64 { diagnostics.rejected }

    /// A node whose clock is wrong is told so, also to the operator, and what it tells is taken for told when it comes.
    mutating func judgeClock(of node: String, _ scan: Scan, at wall: Timestamp, _ outbox: inout [Message]) {
        // Where time runs faster, a network's delay is longer.
        guard clock.clock.map({ $0.speed == 1 }) ?? true,
            let lag = offsets.judge(
                node, end: scan.to, length: scan.to.microseconds(since: scan.from),
                cameAt: clock.time(atWall: wall), wall: wall)
        else { return }
        let word = NodeCommand(id: nil, action: .clock(offset: lag))
        outbox.append(Message(topic: topics.nodeCommand(node), payload: word.payload, qos: .atLeastOnce))
        guard lag != 0 else { return }
        let seconds = (lag.magnitude + 500_000) / 1_000_000
        diagnostics.warn(
            node,
            """
            node \(node) is \(seconds) s \(lag > 0 ? "behind" : "ahead"): what it tells is taken for told when it comes; is \
            its clock set (NTP)?
            """)
    }

    /// Names a node that publishes and has no `info`: its room is unknown.
    mutating func judgePlace(of node: String, at wall: Timestamp) {
        if !household.knows(node) { diagnostics.noteUnknownNode(node, at: wall) }
    }

    /// How much was left out since the start, to a power of ten: words that don't change with every message.
    private var leftOut: String? {
        let counters = household.counters
        let parts = [
            (counters.late, Self.tolerated, "after their interval was weighed"),
            (counters.doubled, Self.tolerated, "twice"), (counters.offClock, 1, "of clocks that are wrong"),
            (counters.overfull, 1, "of more nodes, rooms or items than there is room for"),
        ].filter { $0.0 >= $0.1 }.map { count, _, words in "\(Self.power(of: count)) or more \(words)" }
        return parts.isEmpty ? nil : "windows and scans left out so far: \(parts.joined(separator: ", "))"
    }

    /// Lessons that there are and that aren't used, by name.
    private var lessonsLeftOut: String? {
        let lessons = household.leftOutLessons
        guard !lessons.isEmpty else { return nil }
        let names = lessons.prefix(Self.named).map { "\($0.item) in \($0.room) (\($0.key): \($0.reason.rawValue))" }
        let more = lessons.count > Self.named ? " …: whereabouts learn --list" : ""
        return "lessons are left out: \(lessons.count), \(names.joined(separator: ", "))\(more)"
    }

    /// The greatest power of ten that is not greater than a count.
    static func power(of count: UInt64) -> UInt64 {
        var power: UInt64 = 1
        while count / 10 >= power { power *= 10 }
        return power
    }
}
