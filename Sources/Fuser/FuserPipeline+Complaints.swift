internal import Bytes
internal import HouseTracking
internal import Identity
internal import Integrations
internal import WireProtocol

/// What is odd about what comes: it is counted, left out, and told to the operator.
extension FuserPipeline {
    /// Nodes whose oddities wait to be told.
    static let complaintCapacity = 64
    /// Notes that wait to be told; more are dropped.
    static let noteCapacity = 1024
    /// Seconds for which a node must be odd before that is told.
    static let placePatience = 3.0
    /// Messages that come late or twice now and then are a network's; so many are told.
    static let tolerated: UInt64 = 100
    /// Characters of a topic in a complaint.
    private static let shownLength = 200
    /// Nodes named in one complaint.
    private static let named = 5

    /// What should be told to the operator since it was asked last: a key that stays the same, and words.
    public mutating func takeComplaints() -> [(key: String, words: String)] {
        defer { complaints.removeAll() }
        if let words = leftOut, words != leftOutTold {
            complaints["left out"] = words
            leftOutTold = words
        }
        if let words = lessonsLeftOut { complaints["lessons"] = words }
        return complaints.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    }

    mutating func refuse(_ message: Message, _ fault: PayloadFault) { refuse(message, "\(fault)") }

    mutating func refuse(_ message: Message, _ reason: String) {
        refused += 1
        complain("messages", "\(refused) messages refused; the last on \(shown(message.topic)): \(reason)")
    }

    /// A topic, which may be anybody's and of any length, without the keys that ESPresense puts into it.
    func shown(_ topic: String) -> String {
        let text = KeyText.hidden(in: ForeignName.withoutKeys(topic))
        return text.count <= Self.shownLength ? text : "\(text.prefix(Self.shownLength))…"
    }

    mutating func complain(_ key: String, _ words: String) {
        guard complaints.count < Self.complaintCapacity || complaints[key] != nil else { return }
        complaints[key] = words
    }

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
        complain(
            node,
            """
            node \(node) is \(seconds) s \(lag > 0 ? "behind" : "ahead"): what it tells is taken for told when it comes; is \
            its clock set (NTP)?
            """)
    }

    /// A node that speaks and has told nothing of itself is told by name: nobody knows where it stands.
    mutating func judgePlace(of node: String, at wall: Timestamp) {
        guard !household.knows(node) else { return }
        let since = strangers[node] ?? wall
        if strangers.count < Self.complaintCapacity { strangers[node] = since }
        // Its info may be on its way.
        guard wall.seconds(since: since) >= Self.placePatience else { return }
        let names = strangers.keys.sorted()
        let more = names.count > Self.named ? " …" : ""
        complain(
            "strangers",
            "left out, since no info tells where it stands: node "
                + names.prefix(Self.named).joined(separator: ", ") + more)
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
