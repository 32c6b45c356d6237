import Bytes
import WireProtocol

/// A seeded house full of items, second by second: each of its rooms has a node, and the rooms lie in a ring.
///
/// A room's own node nearly always hears what is in it, those of the next rooms more and more seldom: four to five nodes an
/// item. Every second item always lies where it is.
struct Crowd {
    enum Gait {
        /// They go to a neighbouring room about twice a minute.
        case walks
        /// They pass all rooms in turn, as in weeks: then each of them was heard by every node.
        case tours
        /// They lie as well.
        case lies
    }

    /// When the first second begins.
    static let start = Timestamp(microseconds: 1_795_248_000_000_000)
    private static let levels = [-60.0, -73, -82, -88]
    private static let chances: [UInt64] = [98, 90, 60, 20]

    let items: Int
    let nodes: Int
    /// The windows of the last second, node by node.
    private(set) var windows: [Window] = []
    /// The seconds so far.
    private(set) var second = 0
    /// What those do that don't always lie.
    var gait = Gait.walks
    private var rooms: [Int]
    private var state: UInt64
    private let names: [String]
    private let ids: [String]

    init(items: Int, nodes: Int, seed: UInt64) {
        (self.items, self.nodes, state) = (items, nodes, seed)
        rooms = (0..<items).map { $0 / 2 % nodes }
        names = (0..<items).map(Self.item)
        ids = (0..<items).map { "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-\($0)" }
    }

    static func node(_ index: Int) -> String { "node-\(index)" }
    static func item(_ index: Int) -> String { "item-\(index)" }
    func room(of item: Int) -> Int { rooms[item] }

    static func info(_ index: Int) -> NodeInfo {
        NodeInfo(
            version: "bench", room: "room-\(index)", adapter: "bench", started: start, epoch: "5f1c09aa", window: 1,
            publishesAll: false, registry: "")
    }

    /// When the last second ended.
    var end: Timestamp { Self.start.advanced(byMicroseconds: Int64(second) * 1_000_000) }

    /// The report of a node on the last second.
    var scan: Scan {
        Scan(
            from: end.advanced(byMicroseconds: -1_000_000), to: end, seq: UInt64(second), registry: "",
            epoch: "5f1c09aa")
    }

    /// Makes the windows of another second.
    mutating func pass() {
        second += 1
        windows.removeAll(keepingCapacity: true)
        for item in 0..<items where item % 2 == 1 { move(item) }
        for node in 0..<nodes {
            for item in 0..<items { hear(item, by: node) }
        }
    }

    private mutating func move(_ item: Int) {
        switch gait {
        case .tours: rooms[item] = (rooms[item] + 1) % nodes
        case .walks:
            if draw(30) == 0 { rooms[item] = (rooms[item] + (draw(2) == 0 ? 1 : nodes - 1)) % nodes }
        case .lies: break
        }
    }

    private mutating func hear(_ item: Int, by node: Int) {
        let way = (rooms[item] - node + nodes) % nodes
        let distance = min(way, nodes - way)
        guard distance < Self.levels.count, draw(100) < Self.chances[distance] else { return }
        // About the spread of one packet's level.
        let chance = Double(draw(1000) + draw(1000) + draw(1000)) / 1000 - 1.5
        let level = Self.levels[distance] + 8 * chance
        var window = Window(
            seq: UInt64(second), from: end.advanced(byMicroseconds: -1_000_000), to: end, node: Self.node(node),
            epoch: "5f1c09aa", id: ids[item], item: names[item], count: 1)
        window.expected = 1
        window.rssi = Window.Levels(
            mean: level, median: level, minimum: Int(level), maximum: Int(level), deviation: nil)
        window.power = -59
        window.distance = Window.Distance(metres: 2.4, low: 1.5, high: 3.9)
        windows.append(window)
    }

    private mutating func draw(_ bound: UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % bound
    }
}
