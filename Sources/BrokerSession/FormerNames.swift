public import Bytes
internal import Integrations
public import WireProtocol

/// The former names and prefixes of a publisher: remembered until the messages that the broker retains there are
/// cleared.
///
/// Messages that belong to another publisher by now stay: those of a node with another epoch in its `info`, and of a
/// fuser that still claims its shards. The registry and the lessons under a former prefix belong to the house, and stay
/// as well.
public struct FormerNames {
    /// The kind of publisher, which determines the topics that it owns.
    public enum Kind: Sendable {
        /// An agent, with its node's topics.
        case node
        /// A fuser, with its own topics and those of items and rooms.
        case fuser
    }

    /// The actions for the caller.
    public struct Steps {
        /// Retained topics to clear.
        public var cleared: [String] = []
        /// Names under the current prefix that nobody else has.
        public var released: [String] = []
        /// The notices for an operator.
        public var words: [String] = []
        /// True if `row` is to be persisted again.
        public var isChanged = false
    }

    /// The most names that are remembered; beyond it the oldest is dropped.
    public static let capacity = 8

    private let kind: Kind
    private let current: FormerName.Place
    /// The discovery prefixes that were used for Home Assistant.
    private let discovery: [String]
    private var former: [FormerName]

    /// - Parameters:
    ///   - epoch: the epoch of the state database.
    ///   - discovery: the discovery prefixes that were used for Home Assistant.
    ///   - row: the row persisted by an earlier run; nil if there was none.
    public init(
        _ kind: Kind, prefix: String, name: String, epoch: String, discovery: [String] = [], keeping row: String?
    ) {
        self.kind = kind
        self.discovery = discovery
        let current = FormerName.Place(prefix: prefix, name: name, epoch: epoch)
        self.current = current
        let places = (row ?? "").split(separator: "\n").compactMap { line -> FormerName.Place? in
            let words = line.split(separator: " ").map { String($0) }
            return words.count == 3 ? FormerName.Place(prefix: words[0], name: words[1], epoch: words[2]) : nil
        }
        former = []
        former = places.filter { !$0.isSame(as: current) }.prefix(Self.capacity).map { place in
            FormerName(place, filters: filters(of: place))
        }
    }

    /// The row to persist: a line for the current name, and one for each former one.
    public var row: String {
        ([current] + former.map(\.place)).map { "\($0.prefix) \($0.name) \($0.epoch)" }.joined(separator: "\n")
    }

    /// The former names, under any prefix.
    public var names: Set<String> { Set(former.map(\.place.name)) }

    /// The former names under the current prefix.
    var namesHere: [String] { former.map(\.place).filter { $0.prefix == current.prefix }.map(\.name) }

    /// The topic filters to subscribe to for them.
    public var subscriptions: [String] {
        former.reduce(into: []) { filters, former in
            filters += former.filters.filter { !filters.contains($0) }
        }
    }

    /// The time of the next work for `advance`; nil if there is none.
    public var nextDeadline: MonotonicTime? {
        former.compactMap { former in
            switch former.state {
            case .idle: nil
            case .listening(let due), .clearing(let due): due
            }
        }.min()
    }

    /// Records a new connection: the retained messages will arrive again.
    public mutating func connected(at now: MonotonicTime) {
        for index in former.indices {
            former[index] = FormerName(former[index].place, filters: former[index].filters)
            former[index].state = .listening(until: now + FormerName.settling)
        }
    }

    /// Records that the broker denies a subscription, which the session has logged: its names stay remembered.
    public mutating func recordDenial(_ filter: String) {
        for index in former.indices where former[index].filters.contains(filter) { former[index].state = .idle }
    }

    /// Records that the broker grants a subscription that it had denied: the messages retained under its names arrive
    /// now.
    public mutating func recordGrant(_ filter: String, at now: MonotonicTime) {
        for index in former.indices where former[index].filters.contains(filter) {
            former[index].state = .listening(until: now + FormerName.settling)
        }
    }

    /// Receives a message. Returns true if it concerns a former name alone.
    public mutating func receive(_ message: Message, at now: MonotonicTime) -> Bool {
        guard !former.isEmpty else { return false }
        var isOurs = false
        for index in former.indices
        where former[index].filters.contains(where: { TopicFilter.matches($0, message.topic) }) {
            isOurs = true
            former[index].receive(message, isNode: kind == .node)
            if case .clearing = former[index].state, former[index].topics.isEmpty {
                former[index].state = .clearing(until: now)
            }
        }
        guard isOurs else { return false }
        return kind == .node || !message.topic.utf8.starts(with: "\(current.prefix)/".utf8)
    }

    /// Clears the topics that have arrived, and drops the names that are done.
    public mutating func advance(to now: MonotonicTime) -> Steps {
        var steps = Steps()
        guard nextDeadline.map({ now >= $0 }) ?? false else { return steps }
        former = former.compactMap { former in
            switch former.state {
            case .listening(let due) where now >= due: endListening(former, at: now, &steps)
            case .clearing(let due) where now >= due: finishClearing(former, &steps)
            case .idle, .listening, .clearing: former
            }
        }
        return steps
    }

    /// Handles the arrival of all retained messages: returns the name with its new state, or nil if it is done.
    private func endListening(_ former: FormerName, at now: MonotonicTime, _ steps: inout Steps) -> FormerName? {
        if former.isTaken {
            steps.words.append("\(logName(former)) is another's now: what is retained there stays")
            steps.isChanged = true
            return nil
        }
        var former = former
        former.topics = Set(former.leavings)
        guard !former.topics.isEmpty else {
            steps.words.append("nothing is retained of \(logName(former)), or nothing that may be read")
            steps.isChanged = true
            return nil
        }
        steps.cleared += former.leavings
        if former.place.prefix == current.prefix { steps.released.append(former.place.name) }
        steps.words.append("\(former.topics.count) retained topics of \(logName(former)) are cleared")
        former.state = .clearing(until: now + FormerName.clearing)
        return former
    }

    private func finishClearing(_ former: FormerName, _ steps: inout Steps) -> FormerName? {
        guard !former.topics.isEmpty else {
            steps.isChanged = true
            return nil
        }
        steps.words.append(
            """
            \(former.topics.count) retained topics of \(logName(former)) could not be cleared, such as \
            \(former.topics.min() ?? ""): let the broker's access list grant writing there until it is done
            """)
        var former = former
        former.state = .idle
        return former
    }

    private func logName(_ former: FormerName) -> String {
        let what = kind == .node ? "node" : "fuser"
        return "the former \(what) \(former.place.name) under \(former.place.prefix)"
    }

    private func filters(of place: FormerName.Place) -> [String] {
        let topics = Topics(prefix: place.prefix)
        let name = place.name
        let places = discovery.map { DiscoveryPlace(prefix: $0, topicPrefix: place.prefix) }
        switch kind {
        case .node where place.prefix == current.prefix:
            // Discovery clears its device, together with the node's others.
            return topics.retained(ofNode: name)
        case .node:
            return topics.retained(ofNode: name) + places.map { $0.device(DiscoveryPlace.node(name)) }
        case .fuser where place.prefix == current.prefix:
            // Its messages about items are taken over.
            return [topics.fuserStatus(name), topics.fuserClaim(name)]
        case .fuser:
            return places.map(\.all) + [
                topics.allFusers("status"), topics.allFusers("claim"), topics.allItems("location"),
                topics.allItems("room"), topics.allItems("alert"), topics.allItems("telemetry"),
                topics.allItems("battery"), topics.allOccupancies,
            ]
        }
    }
}
