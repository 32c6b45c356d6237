public import Bytes
public import WireProtocol

/// Finds identities that are sent by several transmitters at a time, from the windows of all nodes.
///
/// Four kinds of evidence count, each if it is found in three of the last twelve steps of five seconds:
///
/// - places: the item is heard loud at one node, then at another, then at the first again. One transmitter gives a bounded
///   level at both nodes of a pair, which the detector learns for each pair from all items;
/// - levels: packets of two places in one interval deviate more at several nodes than those of one place;
/// - power: the frames declare one measured power, another, and the first again;
/// - addresses: a node heard one address, another, and the first again in one interval.
///
/// It does no I/O and reads no clock. Windows longer than three seconds give evidence of the last two kinds alone.
public struct CloneDetector: Sendable {
    /// The maximum number of watched identities: an item that is heard by a key takes two. Later ones are left out and
    /// counted.
    public static let itemCapacity = 20_000
    /// The maximum number of nodes, those that have gone included; later ones are left out and counted.
    public static let nodeCapacity = 4096
    /// The maximum number of learned levels, two a pair of nodes; later pairs give no evidence and are counted.
    public static let pairCapacity = 65_536
    /// The time without new evidence after which a suspicion ends.
    public static let memory = Duration.minutes(10)
    /// The longest interval whose windows tell where an item was.
    static let longest = Duration.seconds(3)

    /// A change of what is suspected of an item.
    public struct Change: Hashable, Sendable {
        /// The item.
        public var item: String
        /// The evidence; nil if the suspicion is over.
        public var evidence: CloneEvidence?
    }

    /// Counts since the start of what was left out for want of room.
    public struct Counters: Hashable, Sendable {
        /// Windows whose node, or an identity of whose item, has no place.
        public var windows: UInt64 = 0
        /// Levels of pairs of nodes that have no place.
        public var levels: UInt64 = 0
    }

    private struct Key: Hashable {
        var item: String
        var isKeyed: Bool
    }

    private var places: [Key: Int] = [:]
    private var items: [WatchedItem] = []
    private var free: [Int] = []
    private var indexOfNode: [String: UInt16] = [:]
    private var nodes: [String] = []
    private var pairs: PairLevels
    private var spread = LearnedCeiling(prior: 9, margin: 1, leak: 0.0002, lessons: 120)
    private var scratch = NodeLevels()
    private var suspects: [Key: CloneEvidence] = [:]
    /// Counts since the start.
    public private(set) var counters = Counters()

    /// A detector that has learned nothing yet.
    public init() { self.init(pairCapacity: Self.pairCapacity) }

    /// A detector with room for so many learned levels.
    init(pairCapacity: Int) { pairs = PairLevels(capacity: pairCapacity) }

    // MARK: Windows

    /// Receives a window of an item. Returns a change if it begins a suspicion, or the first of its keyed identities.
    ///
    /// Windows of identities that rest on a key are weighed with all others of the item, and once more among themselves.
    public mutating func receive(_ window: Window, of item: String) -> Change? {
        let before = evidence(of: item)
        var hasRoom = true
        if window.isKeyed { hasRoom = weigh(window, Key(item: item, isKeyed: true)) }
        hasRoom = weigh(window, Key(item: item, isKeyed: false)) && hasRoom
        if !hasRoom { counters.windows += 1 }
        return change(of: item, from: before)
    }

    /// Returns true if there is room for the identity and the node.
    private mutating func weigh(_ window: Window, _ key: Key) -> Bool {
        guard let place = place(of: key), let node = index(of: window.node) else { return false }
        var found: CloneEvidence.Kind?
        if items[place].isDue(at: window.to) { found = evaluate(place, at: window.to) }
        items[place].record(window, node: node)
        if let found { suspects[key] = CloneEvidence(found, at: window.to, isKeyed: key.isKeyed) }
        return true
    }

    /// The change of what is suspected of an item; nil for further evidence of the same kind of identity.
    private func change(of item: String, from before: CloneEvidence?) -> Change? {
        let evidence = evidence(of: item)
        return evidence?.isKeyed == before?.isKeyed ? nil : Change(item: item, evidence: evidence)
    }

    private mutating func evaluate(_ place: Int, at time: Timestamp) -> CloneEvidence.Kind? {
        items[place].beginStep(at: time)
        var found: CloneEvidence.Kind?
        items[place].fill(&scratch)
        if let excess = pairs.consume(scratch, leftOut: &counters.levels) {
            if items[place].places.record(excess.isStrange) {
                found = .places(
                    node: nodes[excess.node], other: nodes[excess.other], level: items[place].unshifted(excess.level),
                    usual: items[place].unshifted(excess.usual))
            }
        } else {
            _ = items[place].places.record(false)
        }
        if let second = scratch.secondDeviation {
            let usual = spread.value
            if items[place].levels.record(spread.consume(second.deviation)), found == nil {
                found = .levels(
                    node: nodes[second.node], other: nodes[second.other], deviation: Double(second.deviation),
                    usual: Double(usual))
            }
        } else {
            _ = items[place].levels.record(false)
        }
        if let flip = items[place].takePowerFlip(), found == nil {
            found = .power(node: nodes[Int(flip.node)], one: flip.one, other: flip.other)
        }
        if let turn = items[place].takeAddressTurn(), found == nil {
            found = .addresses(node: nodes[Int(turn.node)], count: turn.count)
        }
        return found
    }

    // MARK: Time

    /// Ends suspicions without new evidence.
    public mutating func advance(to time: Timestamp) -> [Change] {
        guard !suspects.isEmpty else { return [] }
        let over = suspects.filter { time.duration(since: $0.value.at) >= Self.memory }
        guard !over.isEmpty else { return [] }
        let items = Set(over.keys.map(\.item)).sorted()
        let before = items.map(evidence)
        for key in over.keys { suspects[key] = nil }
        return zip(items, before).compactMap { change(of: $0, from: $1) }
    }

    /// The time at which `advance` is to be called next; nil if nothing is suspected.
    public var nextDeadline: Timestamp? { suspects.values.map { $0.at.advanced(by: Self.memory) }.min() }

    // MARK: Answers

    /// The evidence against an item, that of its keyed identities first; nil if it is not suspected.
    public func evidence(of item: String) -> CloneEvidence? {
        suspects[Key(item: item, isKeyed: true)] ?? suspects[Key(item: item, isKeyed: false)]
    }

    /// The suspected items, in order.
    public var suspected: [String] { Set(suspects.keys.map(\.item)).sorted() }

    // MARK: Tables

    /// Forgets an item. Returns a change if it was suspected.
    public mutating func forgetItem(_ item: String) -> Change? {
        let wasSuspected = evidence(of: item) != nil
        for key in [Key(item: item, isKeyed: false), Key(item: item, isKeyed: true)] {
            suspects[key] = nil
            guard let place = places.removeValue(forKey: key) else { continue }
            items[place] = WatchedItem()
            free.append(place)
        }
        return wasSuspected ? Change(item: item, evidence: nil) : nil
    }

    /// Forgets everything but the counts.
    public mutating func forgetAll() {
        let before = counters
        self = CloneDetector(pairCapacity: pairs.capacity)
        counters = before
    }

    /// Forgets what was learned of a node, which has gone or stands elsewhere.
    public mutating func forgetNode(_ node: String) {
        if let index = indexOfNode[node] { pairs.forget(index) }
    }

    private mutating func place(of key: Key) -> Int? {
        if let place = places[key] { return place }
        guard places.count < Self.itemCapacity else { return nil }
        if let place = free.popLast() {
            places[key] = place
            return place
        }
        places[key] = items.count
        items.append(WatchedItem())
        return items.count - 1
    }

    private mutating func index(of node: String) -> UInt16? {
        if let index = indexOfNode[node] { return index }
        guard nodes.count < Self.nodeCapacity else { return nil }
        indexOfNode[node] = UInt16(nodes.count)
        nodes.append(node)
        return UInt16(nodes.count - 1)
    }
}
