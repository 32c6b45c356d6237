internal import Bytes
internal import Identity
internal import Neighbours
internal import Sightings

/// What nodes of other systems told of items, gathered by arrival into the house's intervals, and what is known of them.
struct ForeignDesk: Sendable {
    /// Nodes of other systems at once; what others tell is counted and left out.
    static let nodeCapacity = 256
    /// Names that systems' own settings give to others.
    static let aliasCapacity = 4096
    /// Readings of different nodes and items in one interval; those beyond are counted and left out.
    static let gatherCapacity = 20_000
    /// Microseconds, by the wall, for which what is known of the registry stands while entries change.
    static let registryPause: Int64 = 1_000_000

    /// What a node told of an item in an interval.
    private struct Gathered: Sendable {
        var name: ForeignName
        var levels: [Double] = []
        var count = 0
        var power: Int?
        var distance: Double?
        var deviation: Double?
        var telemetry = Telemetry()
    }

    private struct Place: Hashable, Comparable, Sendable {
        var node: String
        var item: String

        static func < (one: Place, other: Place) -> Bool { (one.node, one.item) < (other.node, other.item) }
    }

    /// What is listened to.
    let inputs: NeighbourInputs
    /// Whether the configuration names the house's rooms, so that a node's own name is none.
    let areRoomsNamed: Bool
    /// Items by names that the configuration gives them.
    private let aliases: [String: String]
    /// Items by the keys of private devices, which stay here.
    private let items: [[UInt8]: String]
    private var learned: [String: ForeignName] = [:]
    /// The ids here of nodes, by system and name there.
    private var ids: [NeighbourSystem: [String: String]] = [:]
    private var nodes = 0
    private var gathered: [Place: Gathered] = [:]
    private var registry = Registry()
    private var registered: Set<String> = []
    private var isStale = true
    private var refreshed: Timestamp?
    /// The end of the interval that is gathered; nil while nothing is.
    private(set) var end: Timestamp?
    private var length: Int64 = 0
    /// Readings left out for want of room.
    private(set) var overfull: UInt64 = 0
    /// Readings of beacons that are no items.
    private(set) var strangers: UInt64 = 0

    /// A desk that listens to these systems.
    ///
    /// - Parameters:
    ///   - aliases: items by names that the configuration gives them.
    ///   - keys: the identity resolving keys of items, in the order in which they are written.
    ///   - areRoomsNamed: whether the configuration names the house's rooms.
    init(
        _ inputs: NeighbourInputs = NeighbourInputs(), aliases: [String: String] = [:], keys: [[UInt8]: String] = [:],
        areRoomsNamed: Bool = false
    ) {
        self.inputs = inputs
        self.areRoomsNamed = areRoomsNamed
        self.aliases = aliases
        // Some write a key with its least significant byte first.
        items = keys.reduce(into: keys) { $0[$1.key.reversed()] = $0[$1.key.reversed()] ?? $1.value }
    }

    /// Whether an id is one of another system's nodes, so that no node of ours may have it.
    func owns(_ node: String) -> Bool { inputs.roots.keys.contains { node.hasPrefix($0.nodePrefix) } }

    /// The id here of a node; nil, and counted, where there are too many.
    mutating func id(of node: String, _ system: NeighbourSystem) -> String? {
        if let id = ids[system]?[node] { return id }
        guard nodes < Self.nodeCapacity else {
            overfull += 1
            return nil
        }
        nodes += 1
        let id = system.nodeID(node)
        ids[system, default: [:]][node] = id
        return id
    }

    /// The id here of a node that has said something; nil for others.
    func known(_ node: String, _ system: NeighbourSystem) -> String? { ids[system]?[node] }

    // MARK: Whose it is

    /// An entry of the registry has changed.
    mutating func noteRegistry() { isStale = true }

    /// Looks at the registry again where it has changed, once a second at most.
    mutating func refresh(_ book: RegistryBook, at wall: Timestamp) {
        guard isStale, refreshed.map({ wall.microseconds(since: $0).magnitude >= UInt64(Self.registryPause) }) ?? true
        else { return }
        (isStale, refreshed) = (false, wall)
        registry = book.registry()
        registered = Set(registry.items.map(\.id))
    }

    /// A system's own settings give a name to a beacon.
    mutating func learn(_ alias: String, for name: ForeignName) {
        guard learned.count < Self.aliasCapacity || learned[alias] != nil else { return overfull += 1 }
        learned[alias] = name
    }

    /// The item that a reading is of, and the name that says so; nil, and counted, where it is of none.
    mutating func item(of reading: ForeignReading) -> (item: String, name: ForeignName)? {
        for name in reading.names {
            if let item = item(called: name) { return (item, name) }
        }
        strangers += 1
        return nil
    }

    private func item(called name: ForeignName) -> String? {
        switch name {
        case .beacon(let id):
            id.espresense.flatMap { aliases[$0] } ?? registry.item(showing: id).map { registry.items[Int($0)].id }
        case .key(let key): items[key]
        case .alias(let text): aliases[text] ?? item(learned: text) ?? (registered.contains(text) ? text : nil)
        }
    }

    /// One step: what a name stands for is no alias again.
    private func item(learned alias: String) -> String? {
        switch learned[alias] {
        case .beacon(let id): registry.item(showing: id).map { registry.items[Int($0)].id }
        case .key(let key): items[key]
        case .alias(let text): aliases[text]
        case nil: nil
        }
    }

    // MARK: Intervals

    /// Gathers what a node told of an item at a moment; false, and counted, where there is no room for it.
    ///
    /// - Parameter length: the house's intervals in microseconds.
    mutating func gather(
        _ reading: ForeignReading, of item: String, called name: ForeignName, by node: String, at time: Timestamp,
        length: Int64
    ) -> Bool {
        if end == nil {
            self.length = max(1, length)
            end = time.floor(toMultipleOf: self.length).advanced(byMicroseconds: self.length)
        }
        let place = Place(node: node, item: item)
        guard gathered.count < Self.gatherCapacity || gathered[place] != nil else {
            overfull += 1
            return false
        }
        var all = gathered[place] ?? Gathered(name: name)
        // A node that floods has one word all the same.
        if all.count < 255, let level = reading.usableLevel { all.levels.append(level) }
        all.count = min(255, all.count + reading.count)
        (all.power, all.distance) = (reading.power ?? all.power, reading.distance ?? all.distance)
        all.deviation = reading.variance.map { $0.squareRoot() } ?? all.deviation
        if !reading.telemetry.isEmpty { all.telemetry = reading.telemetry }
        gathered[place] = all
        return true
    }

    /// Forgets what a node told in this interval: it has gone.
    mutating func drop(_ node: String) { gathered = gathered.filter { $0.key.node != node } }

    /// Gives up the interval that is over at a moment, as windows by node and item; nil before that.
    mutating func take(at time: Timestamp) -> [Window]? {
        guard let end, time >= end || time < end.advanced(byMicroseconds: -2 * length) else { return nil }
        defer {
            self.end = nil
            gathered.removeAll(keepingCapacity: true)
        }
        return gathered.sorted { $0.key < $1.key }.map { window($0.key, $0.value, end) }
    }

    private func window(_ place: Place, _ gathered: Gathered, _ end: Timestamp) -> Window {
        var window = Window(
            seq: UInt64(max(0, end.microseconds / length)), from: end.advanced(byMicroseconds: -length), to: end,
            node: place.node, epoch: "foreign", id: gathered.name.told ?? place.item, item: place.item,
            count: gathered.count)
        if !gathered.levels.isEmpty {
            let sorted = gathered.levels.sorted()
            window.rssi = Window.Levels(
                mean: sorted.reduce(0, +) / Double(sorted.count), median: sorted[sorted.count / 2],
                minimum: Int(sorted[0].rounded()), maximum: Int(sorted[sorted.count - 1].rounded()), deviation: nil)
        }
        window.power = gathered.power
        if let metres = gathered.distance {
            let deviation = gathered.deviation ?? 0
            window.distance = Window.Distance(
                metres: metres, low: max(0, metres - deviation), high: metres + deviation)
        }
        if !gathered.telemetry.isEmpty { window.telemetry = gathered.telemetry }
        return window
    }
}

extension ForeignName {
    /// What may be told of it: never a key.
    fileprivate var told: String? {
        if case .beacon(let id) = self { id.text } else { nil }
    }
}
