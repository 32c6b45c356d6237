public import Bytes
public import WireProtocol

/// The fuser's side of a board: puts the messages that it receives there, and pictures of floors on the shelf of plans.
///
/// A page sees what any subscriber sees: what the fuser publishes comes back to it from the broker.
public struct BoardFeed {
    private let board: Board
    private let plans: PlanShelf
    private let topics: Topics
    /// The time in which a broker sends what it retains.
    private static let confirmation: Duration = .seconds(10)

    /// The topic of the silenced items.
    private static let silences = "silences"
    private let cut: Int
    private let ownStatus: String
    private var levels = LevelTable()
    /// True if something has changed since `takeChanged`.
    private var hasChanged = false
    /// The topics that came since the connection was made, until those that did not come are removed.
    private var confirmed: Set<String>?
    private var confirmationEnd: MonotonicTime?
    /// The number of payloads that are not what their topic promises.
    public private(set) var rejected: UInt64 = 0

    /// A feed of a fuser for messages under a prefix.
    public init(_ board: Board, _ plans: PlanShelf, topics: Topics, fuser: String) {
        self.board = board
        self.plans = plans
        self.topics = topics
        cut = topics.prefix.utf8.count + 1
        ownStatus = "fuser/\(fuser)/status"
    }

    /// True if the board has changed since the last call.
    public mutating func takeChanged() -> Bool {
        defer { hasChanged = false }
        return hasChanged
    }

    /// Puts what the configuration says of the house.
    public mutating func set(house: PageHouse) {
        var json = JSONWriter()
        house.write(to: &json)
        put("house", json.bytes)
    }

    /// Puts the items whose alerts are silenced, with the ends of that.
    public mutating func set(silences: [(item: String, end: Timestamp)]) {
        var json = JSONWriter()
        json.beginObject()
        json.beginObject("items")
        for (item, end) in silences.sorted(by: { $0.item < $1.item }) { json.field(item, end) }
        json.endObject()
        json.endObject()
        put(Self.silences, json.bytes)
    }

    /// Puts what a node tells of the tags near it; nil where it is not asked any more.
    public mutating func set(enrolment value: [UInt8]?, of node: String) { put(TopicSelection.enrolment + node, value) }

    /// Puts the reception of the house, as JSON, while somebody follows it.
    public mutating func set(reception: [UInt8]) {
        if board.isReceptionFollowed { put(TopicSelection.reception, reception) }
    }

    /// Records that a connection to the broker was made: what it does not send again is no more.
    public mutating func connected() {
        (confirmed, confirmationEnd) = ([], nil)
        set(hasBroker: true)
    }

    /// Records that the connection to the broker was lost. The board keeps what was published last.
    public mutating func disconnected() {
        (confirmed, confirmationEnd) = (nil, nil)
        set(hasBroker: false)
    }

    /// Records that all subscriptions are granted, after which the broker sends what it retains.
    public mutating func subscribed(at now: MonotonicTime) {
        if confirmed != nil { confirmationEnd = now + Self.confirmation }
    }

    /// Removes what the broker has not sent again since the connection was made, when its time is over.
    public mutating func advance(to now: MonotonicTime) {
        guard let confirmed, let confirmationEnd, now >= confirmationEnd else { return }
        (self.confirmed, self.confirmationEnd) = (nil, nil)
        for topic in board.topics where !confirmed.contains(topic) && !isOwn(topic) { put(topic, nil) }
    }

    /// True for a topic that is made here, and not retained by the broker.
    private func isOwn(_ topic: String) -> Bool {
        topic == "house" || topic == Self.silences || topic == TopicSelection.reception || topic == ownStatus
            || topic.hasPrefix("events/") || topic.hasPrefix(TopicSelection.levels)
            || topic.hasPrefix(TopicSelection.enrolment)
    }

    /// Its own status does not come back to a program.
    private mutating func set(hasBroker: Bool) {
        board.hasBroker = hasBroker
        put(ownStatus, Array((hasBroker ? "\"online\"" : "\"offline\"").utf8))
    }

    /// Receives a message of the broker.
    public mutating func receive(_ message: Message) {
        // Most messages are windows, which nobody follows.
        if topics.isWindow(message.topic) { return receiveWindow(message) }
        guard let kind = topics.kind(of: message.topic) else { return }
        switch kind {
        case .nodeStatus, .fuserStatus: put(message, BoardValue.text)
        case .nodeInfo, .nodeHealth, .scan, .location, .itemAlert, .itemTelemetry, .itemBattery, .itemConfig,
            .occupancy, .fuserClaim:
            put(message, BoardValue.json)
        case .itemEvents(let item):
            guard let value = BoardValue.json(message.payload) else { return rejected += 1 }
            if !isPast(message, of: item) { put("events/\(item)", value) }
        case .floorPicture(let floor): plans.set(picture: message.payload, of: floor)
        case .room, .region, .nodeEvents, .proximity, .window, .lesson, .housePlan, .rollout, .nodeCommand,
            .commandResult, .fuserCommand, .fuserCommandResult, .replies:
            break
        }
    }

    /// True for an event that is published again, and that a later one of the item has followed.
    private func isPast(_ message: Message, of item: String) -> Bool {
        guard let event = try? ItemEvent(payload: message.payload.span), event.isReplayed,
            let last = board.value("events/\(item)").flatMap({ try? ItemEvent(payload: $0.span) })
        else { return false }
        return event.itemSeq < last.itemSeq
    }

    private mutating func put(_ message: Message, _ value: ([UInt8]) -> [UInt8]?) {
        let topic = String(message.topic.utf8.dropFirst(cut)) ?? ""
        guard !message.payload.isEmpty else { return put(topic, nil) }
        guard let value = value(message.payload) else { return rejected += 1 }
        confirmed?.insert(topic)
        put(topic, value)
    }

    private mutating func put(_ topic: String, _ value: [UInt8]?) {
        if board.set(topic, value) { hasChanged = true }
    }

    private mutating func receiveWindow(_ message: Message) {
        guard board.areLevelsFollowed, case .window(let beacon, let node)? = topics.kind(of: message.topic),
            board.isFollowed(levelsOf: beacon), let window = try? Window(payload: message.payload.span),
            let rssi = window.rssi
        else { return }
        put(TopicSelection.levels + beacon, levels.record(rssi.mean, of: beacon, at: node, window.to))
    }
}
