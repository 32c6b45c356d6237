internal import Bytes
internal import Identity
internal import Integrations
internal import WireProtocol

/// Readings of items by nodes of other systems, gathered by arrival into the house's intervals.
struct ExternalReadings: Sendable {
    /// Readings of different nodes and items in one interval, of nodes that the configuration names and as many of others;
    /// those beyond are counted and left out.
    static let gatherCapacity = 20_000

    /// The readings of an item by one node in an interval.
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

    /// The systems that are subscribed to.
    let inputs: IntegrationInputs
    /// True if the configuration names the house's rooms, so that a node's own name is no room.
    let areRoomsNamed: Bool
    /// The items by the names that beacons have in those systems.
    var names: ExternalNames
    /// The nodes that have a place here.
    var places = ExternalNodeTable()
    private var gathered: [Place: Gathered] = [:]
    /// Those of them that are of nodes which the configuration names.
    private var named = 0
    /// The end of the interval that is gathered; nil while nothing is.
    private(set) var end: Timestamp?
    private var length = Duration.zero
    /// Counts since the start of what was dropped.
    private(set) var counters = Claim.Neighbours()

    /// Readings of these systems.
    ///
    /// - Parameters:
    ///   - aliases: items by names that the configuration gives them.
    ///   - keys: the identity resolving keys of items, the most significant byte first.
    ///   - areRoomsNamed: true if the configuration names the house's rooms.
    init(
        _ inputs: IntegrationInputs = IntegrationInputs(), aliases: [String: String] = [:],
        keys: [[UInt8]: String] = [:],
        areRoomsNamed: Bool = false
    ) {
        self.inputs = inputs
        self.areRoomsNamed = areRoomsNamed
        names = ExternalNames(aliases: aliases, keys: keys)
    }

    /// True if an id belongs to another system's nodes, so that no other node may have it.
    func owns(_ node: String) -> Bool { system(of: node) != nil }

    /// The system that a node of this id is of.
    func system(of node: String) -> IntegrationSystem? { inputs.roots.keys.first { node.hasPrefix($0.nodePrefix) } }

    /// The counts to publish; nil if no system is subscribed to.
    var told: Claim.Neighbours? {
        guard !inputs.isEmpty else { return nil }
        var told = counters
        told.nodes = places.count
        return told
    }

    /// Counts a reading that is left out for want of room.
    mutating func countOverfull() { counters.leftOut += 1 }

    /// Frees the place of a node that has gone.
    mutating func removeNode(_ node: String) {
        counters.letGo += 1
        places.remove(node)
        drop(node)
    }

    /// Records the name that a system's own settings give to a beacon.
    mutating func recordAlias(_ alias: String, for name: ExternalName) {
        if !names.recordAlias(alias, for: name) { countOverfull() }
    }

    /// The item of a reading, and the name that it was found by; nil, and counted, if there is none.
    mutating func item(of reading: ExternalReading) -> (item: String, name: ExternalName)? {
        for name in reading.names {
            if let item = names.item(called: name) { return (item, name) }
        }
        counters.strangers += 1
        return nil
    }

    // MARK: Intervals

    /// Adds a reading of an item by a node at a moment; false, and counted, if there is no room for it.
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
            let isNamed = places.isNamed(node)
            guard (isNamed ? named : gathered.count - named) < Self.gatherCapacity else {
                countOverfull()
                return false
            }
            if isNamed { named += 1 }
        }
        var all = gathered[place] ?? Gathered(name: name)
        // A node that floods counts once all the same.
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
        let isNamed = places.isNamed(node)
        let before = gathered.count
        gathered = gathered.filter { $0.key.node != node }
        if isNamed { named -= before - gathered.count }
    }

    /// Removes and returns the interval that is over at a moment, as windows by node and item; nil before that.
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
    /// The name that may be published: never a key.
    fileprivate var told: String? {
        if case .beacon(let id) = self { id.text } else { nil }
    }
}
