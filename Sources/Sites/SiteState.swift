public import Bytes
internal import Identity
public import WireProtocol

/// All that is kept of a site: messages in, figures and found items out. No I/O and no clock.
///
/// Bounded by the limits of the site; what is beyond is left out and counted.
public struct SiteState: Sendable {
    private enum Link {
        case connecting
        case connected(MonotonicTime)
        case unreachable(String)
    }

    private struct Item {
        var name: String?
        var tags: [String] = []
        var isRegistered = false
        var isPerson = false
        var state = Location.State.unknown
        var room: String?
        var since: Timestamp?
        var confidence: Double?
        var alerts = 0
        /// The text that a search compares: id, name and tags.
        var folded: [UInt8] = []

        /// True if nothing is published of it any more.
        var isBlank: Bool { !isRegistered && since == nil && alerts == 0 }
    }

    /// The most nodes and fusers of a site.
    static let nodeBound = 5000, fuserBound = 100
    /// The longest name of a person, in bytes: as of an item, whose entry is refused with a longer one.
    static let nameBound = ItemReader.nameLimit
    /// The time without a message after which a site is silent. A fuser publishes its claim every three seconds.
    public static let silence: Duration = .seconds(30)
    /// The most ids that are remembered as left out; more are not counted.
    private static let missingBound = 10_000

    private let topics: Topics
    private let limit: Site.Limit
    private var bucket: TokenBucket<MonotonicTime>
    private var link = Link.connecting
    private var since: Timestamp
    private var silentSince: Timestamp?
    private var lastLive: MonotonicTime?
    private var last: Timestamp?
    private var items: [String: Item] = [:]
    private var nodes: [String: Bool] = [:]
    private var fusers: [String: Bool] = [:]
    private var missing: Set<String> = []
    private var unnamed: Set<String> = []
    private var dropped = 0
    private var leftOut = SiteFigures.LeftOut()
    /// The messages that were lost before this connection: what the broker retains has come anew since.
    private var lostBefore = 0

    /// The state of a site of which nothing is known.
    public init(_ site: Site, at now: Timestamp) {
        topics = Topics(prefix: site.topicPrefix)
        limit = site.limit
        since = now
        // All that the broker retains comes at once: three messages an item, and those of nodes and fusers.
        bucket = TokenBucket(
            burst: 3 * site.limit.items + 1000 + site.limit.messagesPerSecond,
            interval: .seconds(1) / site.limit.messagesPerSecond)
    }

    /// The topics that are read: a viewer may read all of them.
    public var filters: [String] {
        [
            topics.allItems("config"), topics.allItems("location"), topics.allItems("alert"),
            topics.allNodes("status"), topics.allFusers("status"), topics.allFusers("claim"),
        ]
    }

    /// True if a fuser of the site says that it is online: then its claim comes within some seconds.
    public var expectsMessages: Bool { fusers.values.contains(true) }
    /// True if a message has come that the broker had not retained.
    public var hasLiveMessage: Bool { lastLive != nil }

    /// True without a connection, or without the right to read.
    public var isUnreachable: Bool {
        if case .unreachable = link { true } else { false }
    }

    /// True if a search finds all that the site publishes: it is online, a message has come that the broker had not
    /// retained, and nothing of this connection was left out, dropped or unreadable.
    public var isWhole: Bool {
        guard case .connected = link, silentSince == nil, hasLiveMessage else { return false }
        return missing.isEmpty && unnamed.isEmpty && lostMessages == lostBefore
    }

    private var lostMessages: Int { leftOut.messages + leftOut.unreadable + dropped }

    // MARK: What happens

    /// The broker accepted the connection: all that it retains comes anew.
    public mutating func connected(at now: MonotonicTime, _ time: Timestamp) {
        link = .connected(now)
        (since, silentSince, lastLive) = (time, nil, nil)
        items = [:]
        nodes = [:]
        fusers = [:]
        missing = []
        unnamed = []
        lostBefore = lostMessages
    }

    /// The broker has granted all subscriptions, after it had denied one.
    public mutating func granted(at now: MonotonicTime, _ time: Timestamp) {
        guard case .unreachable = link else { return }
        (link, since) = (.connected(now), time)
    }

    /// There is no connection, or no right to read. What was known stays.
    public mutating func lost(_ reason: String, at time: Timestamp) {
        if case .unreachable = link {} else { since = time }
        link = .unreachable(String(reason.prefix(300)))
    }

    /// Sets the count of messages that the connection has dropped since its start.
    public mutating func set(dropped: Int) { self.dropped = dropped }

    /// Receives a message. One that is beyond the rate is left out.
    public mutating func receive(_ message: Message, at now: MonotonicTime, _ time: Timestamp) {
        guard bucket.take(at: now) else {
            leftOut.messages += 1
            return
        }
        guard let kind = topics.kind(of: message.topic) else { return }
        if !message.retained {
            lastLive = now
            last = time
            if silentSince != nil { (silentSince, since) = (nil, time) }
        }
        let isEmpty = message.payload.isEmpty
        switch kind {
        case .nodeStatus(let node): set(message, of: node, in: \.nodes, Self.nodeBound)
        case .fuserStatus(let fuser): set(message, of: fuser, in: \.fusers, Self.fuserBound)
        case .itemConfig(let id): register(id, message)
        case .location(let id):
            guard !isEmpty else {
                return change(id) { ($0.since, $0.room, $0.confidence, $0.state) = (nil, nil, nil, .unknown) }
            }
            guard let location = try? Location(payload: message.payload.span) else { return leftOut.unreadable += 1 }
            if message.retained {
                let at = min(location.at, time)
                last = last.map { max($0, at) } ?? at
            }
            receive(location, of: id)
        case .itemAlert(let id):
            guard !isEmpty else { return change(id) { $0.alerts = 0 } }
            guard let alerts = try? ItemAlerts(payload: message.payload.span) else { return leftOut.unreadable += 1 }
            change(id) { $0.alerts = alerts.alerts.count }
        default: break
        }
    }

    private mutating func set(
        _ message: Message, of name: String, in table: WritableKeyPath<SiteState, [String: Bool]>, _ bound: Int
    ) {
        guard !message.payload.isEmpty else { return self[keyPath: table][name] = nil }
        guard self[keyPath: table][name] != nil || self[keyPath: table].count < bound else {
            return leave(out: message.topic)
        }
        self[keyPath: table][name] = message.payload == Array("online".utf8)
    }

    private mutating func register(_ id: String, _ message: Message) {
        guard !message.payload.isEmpty else { return change(id) { $0.isRegistered = false } }
        guard let entry = try? ItemChange.read(message.payload.span, item: id) else { return leftOut.unreadable += 1 }
        switch entry.content {
        case .removed: change(id) { ($0.isRegistered, $0.name, $0.tags) = (false, nil, []) }
        case .item(let item):
            let name = shown(item.name, of: id)
            change(id) { ($0.isRegistered, $0.name, $0.tags) = (true, name, item.tags) }
        }
    }

    private mutating func receive(_ location: Location, of id: String) {
        let name = location.isPerson ? shown(location.name, of: id) : nil
        change(id) { item in
            item.isPerson = location.isPerson
            if location.isPerson { item.name = name }
            item.state = location.state
            item.room = location.state == .present || location.state == .quiet ? location.room : nil
            (item.since, item.confidence) = (location.since, location.confidence)
        }
    }

    /// A name, unless it is too long or would control a terminal.
    private mutating func shown(_ name: String?, of id: String) -> String? {
        guard let name, !name.isEmpty else { return nil }
        guard name.utf8.count <= Self.nameBound, !name.unicodeScalars.contains(where: Self.isControl) else {
            if unnamed.count < Self.missingBound { unnamed.insert(id) }
            return nil
        }
        unnamed.remove(id)
        return name
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Beside the controls: line ends, and marks that turn the direction of what follows.
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private mutating func change(_ id: String, _ body: (inout Item) -> Void) {
        guard items[id] != nil || items.count < limit.items else {
            var item = Item()
            body(&item)
            unnamed.remove(id)
            return item.isBlank ? () : leave(out: id)
        }
        var item = items[id] ?? Item()
        let (name, tags) = (item.name, item.tags)
        body(&item)
        guard !item.isBlank else {
            items[id] = nil
            unnamed.remove(id)
            return
        }
        if item.folded.isEmpty || item.name != name || item.tags != tags {
            item.folded = SearchWords.folded(([id, item.name ?? ""] + item.tags).joined(separator: "\n"))
        }
        items[id] = item
        missing.remove(id)
    }

    private mutating func leave(out name: String) {
        if missing.count < Self.missingBound { missing.insert(name) }
    }

    // MARK: What is shown

    /// Notes that time has passed: without a message for long the site is silent.
    public mutating func advance(to now: MonotonicTime, _ time: Timestamp) {
        guard case .connected(let begin) = link, silentSince == nil else { return }
        let quiet = now - (lastLive ?? begin)
        guard quiet >= Self.silence else { return }
        silentSince = time.advanced(by: .zero - quiet)
    }

    /// Ends a short look at the site: where a message was due by now and none has come, it is silent.
    public mutating func conclude(at time: Timestamp) {
        guard case .connected = link, lastLive == nil, silentSince == nil else { return }
        silentSince = last ?? time
    }

    /// The figures.
    public var figures: SiteFigures {
        var figures = SiteFigures(since: silentSince ?? since)
        switch link {
        case .connecting: figures.status = .connecting
        case .connected: figures.status = silentSince == nil ? .online : .silent
        case .unreachable(let reason):
            (figures.status, figures.problem, figures.since) = (.unreachable, reason, since)
        }
        (figures.fusers, figures.fusersOnline) = (fusers.count, fusers.values.count { $0 })
        (figures.nodes, figures.nodesOnline) = (nodes.count, nodes.values.count { $0 })
        for item in items.values {
            let isPresent = item.state == .present || item.state == .quiet
            figures.alerts += item.alerts
            if item.isPerson {
                figures.persons += 1
                figures.personsPresent += isPresent ? 1 : 0
                figures.personsAway += item.state == .away ? 1 : 0
            } else {
                figures.items += 1
                figures.itemsPresent += isPresent ? 1 : 0
                figures.itemsAway += item.state == .away ? 1 : 0
            }
        }
        figures.lastMessage = last
        figures.leftOut = leftOut
        figures.leftOut.items = missing.count
        figures.leftOut.names = unnamed.count
        figures.leftOut.messages += dropped
        return figures
    }

    /// The items and persons that a search finds, by name and id; `bound` at most.
    public func find(_ words: SearchWords, bound: Int) -> [FoundItem] {
        var found: [FoundItem] = []
        for (id, item) in items where words.match(item.folded) {
            found.append(
                FoundItem(
                    id: id, name: item.name, isPerson: item.isPerson, state: item.state, room: item.room,
                    since: item.since, confidence: item.confidence))
        }
        return Array(found.sorted { ($0.name ?? $0.id, $0.id) < ($1.name ?? $1.id, $1.id) }.prefix(bound))
    }
}
