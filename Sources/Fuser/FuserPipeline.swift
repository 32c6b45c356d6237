public import Bytes
public import Fusion
public import Identity
public import Sightings

/// The road of a message through a fuser: from what nodes say to what is said of items and rooms.
///
/// It does no I/O and reads no clock. Its times are the wall's; where the nodes replay or simulate it lives on theirs.
public struct FuserPipeline: Sendable {
    /// Topics whose kind is remembered, so that not every message is taken apart.
    static let topicCapacity = 65_536

    /// The topics it reads and publishes.
    public let topics: Topics
    private var household: Household
    private var registry: RegistryFollower
    private var clock = HouseClock()
    private var kinds: [String: TopicKind] = [:]
    private var retained: [String: Message] = [:]
    private var json = JSONWriter()
    /// Messages that were not what their topic promises, since the start.
    public private(set) var refused: UInt64 = 0
    /// The last such message in words, until it is asked for.
    private var lastFault: String?

    /// A pipeline that has heard nothing.
    ///
    /// - Parameter items: what the items file says, which seeds the registry on the broker.
    public init(settings: Household.Settings, items: [Item] = [], topicPrefix: String = "whereabouts") {
        topics = Topics(prefix: topicPrefix)
        household = Household(settings: settings)
        registry = RegistryFollower(topics: topics)
        registry.book.apply(file: items)
    }

    /// The filters it must be subscribed to.
    public var subscriptions: [(filter: String, qos: Message.QualityOfService)] {
        [
            (topics.allNodes("status"), .atLeastOnce), (topics.allNodes("info"), .atLeastOnce),
            (topics.allNodes("scan"), .atMostOnce), (topics.allWindows(), .atMostOnce),
            (registry.filter, .atMostOnce),
        ]
    }

    /// What was left out since the start, and why.
    public var counters: Household.Counters { household.counters }

    /// The wall time at which `advance` must be called at the latest; nil while only a message can change anything.
    public var nextDeadline: Timestamp? {
        let household = household.nextDeadline.flatMap { clock.wall(at: $0) }
        return [household, registry.nextDeadline].compactMap { $0 }.min()
    }

    /// Something that should be told to the operator: the last message that was refused. Asked once, gone.
    public var complaint: String? {
        mutating get {
            defer { lastFault = nil }
            return lastFault
        }
    }

    /// Takes a message that arrived at a wall time; what is to be published is appended to `outbox`.
    public mutating func receive(_ message: Message, at wall: Timestamp, _ outbox: inout [Message]) {
        guard let kind = kind(of: message.topic) else { return }
        // A broker keeps nothing of ours on these but status and info: what it kept is of another's making, or stale.
        do throws(PayloadFault) {
            switch kind {
            case .nodeStatus(let node): household.receive(isOnline: message.payload == Array("online".utf8), of: node)
            case .nodeInfo(let node):
                guard !message.payload.isEmpty else { return }
                let info = try NodeInfo(payload: message.payload.span)
                follow(info.clock, at: wall, &outbox)
                household.receive(info, of: node)
            case .scan(let node) where !message.retained:
                let scan = try Scan(payload: message.payload.span)
                follow(scan.clock, at: wall, &outbox)
                clock.reach(scan.to)
                household.receive(scan, of: node, at: clock.time(atWall: wall))
            case .window(_, let node) where !message.retained:
                let window = try Window(payload: message.payload.span)
                guard window.node == node else { throw .outOfRange("node") }
                clock.reach(window.to)
                household.receive(window, at: clock.time(atWall: wall))
            case .itemConfig:
                if case .refused(let refusal) = registry.receive(message, at: wall) { lastFault = "\(refusal)" }
            default: break
            }
        } catch {
            refused += 1
            lastFault = "refused a message on \(message.topic): \(error)"
        }
        advance(to: wall, &outbox)
    }

    /// Lets time pass.
    public mutating func advance(to wall: Timestamp, _ outbox: inout [Message]) {
        var outcomes: [Household.Outcome] = []
        household.advance(to: clock.time(atWall: wall)) { outcomes.append($0) }
        for outcome in outcomes { tell(outcome, &outbox) }
        // What the broker lost of the registry, and what the items file seeds.
        outbox += registry.takeRepairs(at: wall)
    }

    /// A connection was made at a wall time: everything that is to stand retained is published anew, since the broker may
    /// have lost it.
    public mutating func connected(at wall: Timestamp, _ outbox: inout [Message]) {
        registry.connected(at: wall)
        for topic in retained.keys.sorted() {
            if let message = retained[topic] { outbox.append(message) }
        }
    }

    // MARK: Pieces

    private mutating func follow(_ next: NodeClock?, at wall: Timestamp, _ outbox: inout [Message]) {
        guard clock.follow(next, atWall: wall) else { return }
        var outcomes: [Household.Outcome] = []
        household.startAnew(at: clock.time(atWall: wall)) { outcomes.append($0) }
        for outcome in outcomes { tell(outcome, &outbox) }
    }

    private mutating func tell(_ outcome: Household.Outcome, _ outbox: inout [Message]) {
        switch outcome {
        case .location(let item, let location):
            keep(topics.location(item), payload { location.write(to: &$0) }, &outbox)
            keep(topics.room(item), Array(location.word.utf8), &outbox)
        case .occupancy(let room, let occupancy):
            keep(topics.occupancy(room), payload { occupancy.write(to: &$0) }, &outbox)
        case .event(let item, let event):
            let payload = payload { event.write(to: &$0) }
            outbox.append(Message(topic: topics.itemEvents(item), payload: payload, qos: .atLeastOnce))
        }
    }

    /// A message that stays at the broker; one that says nothing new isn't sent again.
    private mutating func keep(_ topic: String, _ payload: [UInt8], _ outbox: inout [Message]) {
        guard retained[topic]?.payload != payload else { return }
        let message = Message(topic: topic, payload: payload, qos: .atLeastOnce, retained: true)
        retained[topic] = message
        outbox.append(message)
    }

    private mutating func payload(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        json.removeAll()
        write(&json)
        return json.bytes
    }

    private mutating func kind(of topic: String) -> TopicKind? {
        if let kind = kinds[topic] { return kind }
        guard let kind = topics.kind(of: topic) else { return nil }
        if kinds.count >= Self.topicCapacity { kinds.removeAll(keepingCapacity: true) }
        kinds[topic] = kind
        return kind
    }
}
