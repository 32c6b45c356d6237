internal import Bytes
internal import Identity
internal import Integrations
internal import WireProtocol

/// What nodes of other systems told of items, gathered by arrival into the house's intervals, and what is known of them.
struct ExternalReadings: Sendable {
    /// Readings of different nodes and items in one interval, of nodes that the configuration names and as many of others;
    /// those beyond are counted and left out.
    static let gatherCapacity = 20_000

    /// What a node told of an item in an interval.
    private struct Gathered: Sendable {
        var name: ExternalName
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
    let inputs: IntegrationInputs
    /// Whether the configuration names the house's rooms, so that a node's own name is none.
    let areRoomsNamed: Bool
    /// Whose the names of beacons are.
    var names: ExternalNames
    /// The nodes that have a place here.
    var seats = ExternalNodeTable()
    private var gathered: [Place: Gathered] = [:]
    /// Those of them that are of nodes which the configuration names.
    private var named = 0
    /// The end of the interval that is gathered; nil while nothing is.
    private(set) var end: Timestamp?
    private var length = Duration.zero
    /// What was left out and let go since the start.
    private(set) var counters = Claim.Neighbours()

    /// A desk that listens to these systems.
    ///
    /// - Parameters:
    ///   - aliases: items by names that the configuration gives them.
    ///   - keys: the identity resolving keys of items, the most significant byte first.
    ///   - areRoomsNamed: whether the configuration names the house's rooms.
    init(
        _ inputs: IntegrationInputs = IntegrationInputs(), aliases: [String: String] = [:],
        keys: [[UInt8]: String] = [:],
        areRoomsNamed: Bool = false
    ) {
        self.inputs = inputs
        self.areRoomsNamed = areRoomsNamed
        names = ExternalNames(aliases: aliases, keys: keys)
    }

    /// Whether an id is one of another system's nodes, so that no node of ours may have it.
    func owns(_ node: String) -> Bool { system(of: node) != nil }

    /// The system that a node of this id is of.
    func system(of node: String) -> IntegrationSystem? { inputs.roots.keys.first { node.hasPrefix($0.nodePrefix) } }

    /// What is told of it: nil where nobody is listened to.
    var told: Claim.Neighbours? {
        guard !inputs.isEmpty else { return nil }
        var told = counters
        told.nodes = seats.count
        return told
    }

    /// Counts a reading that is left out for want of room.
    mutating func countOverfull() { counters.leftOut += 1 }

    /// Frees the place of a node that has gone.
    mutating func letGo(_ node: String) {
        counters.letGo += 1
        seats.remove(node)
        drop(node)
    }

    /// A system's own settings give a name to a beacon.
    mutating func recordAlias(_ alias: String, for name: ExternalName) {
        if !names.recordAlias(alias, for: name) { countOverfull() }
    }

    /// The item that a reading is of, and the name that says so; nil, and counted, where it is of none.
    mutating func item(of reading: ExternalReading) -> (item: String, name: ExternalName)? {
        for name in reading.names {
            if let item = names.item(called: name) { return (item, name) }
        }
        counters.strangers += 1
        return nil
    }

    // MARK: Intervals

    /// Gathers what a node told of an item at a moment; false, and counted, where there is no room for it.
    ///
    /// - Parameter length: the house's intervals.
    mutating func addReading(
        _ reading: ExternalReading, of item: String, called name: ExternalName, by node: String, at time: Timestamp,
        length: Duration
    ) -> Bool {
        if end == nil {
            self.length = max(.microseconds(1), length)
            end = time.floor(toMultipleOf: self.length).advanced(by: self.length)
        }
        let place = Place(node: node, item: item)
        if gathered[place] == nil {
            let isNamed = seats.isNamed(node)
            guard (isNamed ? named : gathered.count - named) < Self.gatherCapacity else {
                countOverfull()
                return false
            }
            if isNamed { named += 1 }
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

    /// Removes a node's readings of this interval, since it has gone.
    mutating func drop(_ node: String) {
        let isNamed = seats.isNamed(node)
        let before = gathered.count
        gathered = gathered.filter { $0.key.node != node }
        if isNamed { named -= before - gathered.count }
    }

    /// Returns and ends the interval that is over at a moment, as windows by node and item; nil before that.
    mutating func takeWindows(at time: Timestamp) -> [Window]? {
        guard let end, time >= end || time < end.advanced(by: length * -2) else { return nil }
        defer {
            (self.end, named) = (nil, 0)
            gathered.removeAll(keepingCapacity: true)
        }
        return gathered.sorted { $0.key < $1.key }.map { makeWindow($0.key, $0.value, end) }
    }

    private func makeWindow(_ place: Place, _ gathered: Gathered, _ end: Timestamp) -> Window {
        var window = Window(
            seq: UInt64(max(0, end.microseconds / length.microseconds)), from: end.advanced(by: -length), to: end,
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

extension ExternalName {
    /// What may be told of it: never a key.
    fileprivate var told: String? {
        if case .beacon(let id) = self { id.text } else { nil }
    }
}
