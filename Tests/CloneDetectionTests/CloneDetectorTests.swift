import Bytes
import Support
import Testing
import WireProtocol

@testable import CloneDetection

/// A house of three nodes in a row, ten metres apart, and transmitters that walk or rest in it.
struct CloneHouse {
    static let nodes: [(id: String, x: Double)] = [("kitchen", 0), ("hall", 10), ("bedroom", 20)]

    var detector = CloneDetector()
    var random: SeededGenerator
    var second = 0
    /// The changes since the start, as `item evidence` or `item over`.
    var changes: [(second: Int, change: CloneDetector.Change)] = []

    init(seed: UInt64 = 1) { random = SeededGenerator(seed: seed) }

    /// A level at a distance, with fading.
    private mutating func level(_ x: Double, _ node: Double) -> Int {
        let distance = max(0.5, abs(x - node))
        let noise = (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -4...4, using: &random) }
        return Int((-59 - 30 * Self.log10(distance) + noise / 1.2).rounded())
    }

    private static func log10(_ value: Double) -> Double {
        // Doublings are enough: the model needs no more digits.
        var (rest, sum) = (value, 0.0)
        while rest >= 2 { (rest, sum) = (rest / 2, sum + 0.301) }
        while rest < 1 { (rest, sum) = (rest * 2, sum - 0.301) }
        return sum + 0.301 * (rest - 1)
    }

    /// Lets an item send from some places, `packets` a second each, for so many seconds.
    mutating func send(
        _ item: String = "keys", id: String = "iBeacon:x", packets: Int = 4, for seconds: Int, power: Int? = nil,
        returns: Int? = nil, from places: (Int) -> [Double]
    ) {
        for offset in 0..<seconds {
            second += 1
            let now = places(offset)
            for node in Self.nodes {
                let heard = now.flatMap { x in (0..<packets).map { _ in level(x, node.x) } }.filter { $0 >= -95 }
                guard !heard.isEmpty else { continue }
                let mean = Double(heard.reduce(0, +)) / Double(heard.count)
                let variance = heard.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
                var window = Window(
                    seq: UInt64(second), from: Self.time(second), to: Self.time(second + 1), node: node.id,
                    epoch: "e", id: id, item: item, count: heard.count)
                window.rssi = Window.Levels(
                    mean: mean, median: mean, minimum: heard.min() ?? 0, maximum: heard.max() ?? 0,
                    deviation: heard.count > 1 ? (variance / Double(heard.count - 1)).squareRoot() : nil)
                (window.power, window.addressReturns) = (power, returns)
                if let change = detector.receive(window, of: item) { changes.append((second, change)) }
            }
            for change in detector.advance(to: Self.time(second)) { changes.append((second, change)) }
        }
    }

    static func time(_ second: Int) -> Timestamp { Timestamp(microseconds: Int64(1_000_000 + second) * 1_000_000) }

    /// Walks to and fro between the outer nodes, a metre a second, with a rest at each.
    static func walk(_ offset: Int) -> [Double] {
        let phase = offset % 100
        switch phase {
        case 0..<30: return [0]
        case 30..<50: return [Double(phase - 30)]
        case 50..<80: return [20]
        default: return [Double(100 - phase)]
        }
    }
}

@Suite("Cloned items are found by what one transmitter cannot do")
struct CloneDetectorTests {
    @Test(
        "A person who walks through the house for a day is no clone",
        arguments: LongProofs.areRequested ? [1, 2, 5] : [1] as [UInt64])
    func walks(seed: UInt64) {
        var house = CloneHouse(seed: seed)
        house.send(for: 86_400, from: CloneHouse.walk)
        #expect(house.changes.isEmpty, "\(house.changes.map { $0.change.evidence?.text ?? "" })")
    }

    @Test("A second transmitter in another room is found within half a minute, with the nodes and figures")
    func twoPlaces() throws {
        var house = CloneHouse()
        house.send(for: 3600, from: CloneHouse.walk)
        let begin = house.second
        house.send(for: 120) { _ in [0, 20] }
        let found = try #require(house.changes.first)
        #expect(found.second - begin <= 30)
        let evidence = try #require(found.change.evidence)
        #expect(found.change.item == "keys" && !evidence.isKeyed)
        #expect(evidence.text.contains("kitchen") && evidence.text.contains("bedroom"), "\(evidence.text)")
        #expect(house.detector.evidence(of: "keys") != nil && house.detector.suspected == ["keys"])
    }

    @Test("A clone that sends once a second beside a tag that does is found by places")
    func slowOnes() throws {
        var house = CloneHouse()
        house.send(packets: 1, for: 7200, from: CloneHouse.walk)
        let begin = house.second
        house.send(packets: 1, for: 120) { _ in [0, 20] }
        let found = try #require(house.changes.first)
        guard case .places(_, _, let level, let usual) = found.change.evidence?.kind else {
            Issue.record("\(found)")
            return
        }
        #expect(level > usual + 5 && found.second - begin <= 40)
    }

    @Test("A suspicion ends ten minutes after its last evidence")
    func ends() {
        var house = CloneHouse()
        house.send(for: 3600, from: CloneHouse.walk)
        house.send(for: 60) { _ in [0, 20] }
        let last = house.second
        house.send(for: 900, from: CloneHouse.walk)
        #expect(house.changes.count == 2 && house.changes.last?.change.evidence == nil)
        #expect((590...640).contains((house.changes.last?.second ?? 0) - last))
        #expect(house.detector.evidence(of: "keys") == nil)
    }

    @Test("An attack of an hour does not become normal")
    func teachesNothing() {
        var house = CloneHouse()
        house.send(for: 3600, from: CloneHouse.walk)
        house.send(for: 3600) { _ in [0, 20] }
        #expect(house.changes.count == 1)
        house.send(for: 900, from: CloneHouse.walk)
        house.send(for: 60) { _ in [0, 20] }
        #expect(house.changes.count == 3)
    }

    @Test("A declared power that changes to and fro is evidence, and one change is a new setting")
    func power() {
        var house = CloneHouse()
        house.send(for: 900, power: -59) { _ in [0] }
        house.send(for: 300, power: -65) { _ in [0] }
        #expect(house.changes.isEmpty)
        for _ in 0..<10 {
            house.send(for: 3, power: -59) { _ in [0] }
            house.send(for: 3, power: -65) { _ in [0] }
        }
        #expect(house.changes.first?.change.evidence?.text.hasPrefix("declares a power of -") == true)
    }

    @Test("Two addresses in turn are evidence, unless the tag has sent so from the beginning")
    func addresses() {
        var house = CloneHouse()
        house.send(for: 900) { _ in [0] }
        house.send(for: 30, returns: 3) { _ in [0] }
        #expect(house.changes.first?.change.evidence?.text.contains("two addresses") == true)
        var other = CloneHouse()
        other.send(for: 3600, returns: 3) { _ in [0] }
        #expect(other.changes.isEmpty)
    }

    @Test("Beside a tag known by its key a clone of its plain identity is suspected alone")
    func keyed() {
        var house = CloneHouse()
        house.send(id: "irk:keys", for: 3600, from: CloneHouse.walk)
        for _ in 0..<60 {
            house.second -= 1
            house.send(id: "irk:keys", for: 1) { _ in [0] }
            house.second -= 1
            house.send(for: 1) { _ in [20] }
            house.second += 1
        }
        #expect(house.detector.evidence(of: "keys")?.isKeyed == false)
    }

    @Test("A clone of the keyed identity itself is suspected as that, and reported once")
    func keyedClone() {
        var house = CloneHouse()
        house.send(id: "irk:keys", for: 3600, from: CloneHouse.walk)
        house.send(id: "irk:keys", for: 120) { _ in [0, 20] }
        #expect(house.changes.map { $0.change.evidence?.isKeyed } == [true])
        // Evidence against the plain identity alone takes nothing back before the time of the other is over.
        house.send(for: 120) { _ in [0, 20] }
        #expect(house.changes.count == 1 && house.detector.evidence(of: "keys")?.isKeyed == true)
        for _ in 0..<5 { house.send(for: 120) { _ in [0, 20] } }
        #expect(house.changes.map { $0.change.evidence?.isKeyed } == [true, false])
    }

    @Test("An item that is forgotten is suspected no more")
    func forgotten() {
        var house = CloneHouse()
        house.send(for: 3600, from: CloneHouse.walk)
        house.send(for: 60) { _ in [0, 20] }
        #expect(house.detector.forgetItem("keys")?.evidence == nil && house.detector.suspected.isEmpty)
        #expect(house.detector.forgetItem("keys") == nil)
    }

    /// A window of a second in which a node heard an item.
    private func window(
        _ item: String, by node: String = "kitchen", id: String = "iBeacon:x", second: Int = 0
    ) -> Window {
        var window = Window(
            seq: UInt64(second), from: CloneHouse.time(second), to: CloneHouse.time(second + 1), node: node,
            epoch: "e", id: id, item: item, count: 1)
        window.rssi = Window.Levels(mean: -60, median: -60, minimum: -60, maximum: -60, deviation: nil)
        return window
    }

    @Test(
        "Windows of items without a place are counted, the others are watched on, and a forgotten item leaves its place"
    )
    func manyItems() {
        var house = CloneHouse()
        house.send(for: 3600, from: CloneHouse.walk)
        for number in 1..<CloneDetector.itemCapacity {
            _ = house.detector.receive(window("item-\(number)"), of: "item-\(number)")
        }
        #expect(house.detector.counters.windows == 0)
        for _ in 0..<3 { _ = house.detector.receive(window("late"), of: "late") }
        #expect(house.detector.counters.windows == 3 && house.detector.counters.levels == 0)
        house.send(for: 60) { _ in [0, 20] }
        #expect(house.detector.suspected == ["keys"])
        _ = house.detector.forgetItem("item-1")
        _ = house.detector.receive(window("late"), of: "late")
        #expect(house.detector.counters.windows == 3)
        house.detector.forgetAll()
        #expect(house.detector.suspected.isEmpty && house.detector.counters.windows == 3)
        _ = house.detector.receive(window("later"), of: "later")
        #expect(house.detector.counters.windows == 3, "there is room again")
    }

    @Test("An item that is heard by a key takes two places, and its window without one is counted once")
    func manyKeyedItems() {
        var detector = CloneDetector()
        for number in 0..<CloneDetector.itemCapacity / 2 {
            _ = detector.receive(window("item-\(number)", id: "irk:x"), of: "item-\(number)")
        }
        #expect(detector.counters.windows == 0)
        _ = detector.receive(window("late", id: "irk:x"), of: "late")
        #expect(detector.counters.windows == 1)
    }

    @Test("Windows of nodes without a place are counted")
    func manyNodes() {
        var detector = CloneDetector()
        for number in 0..<CloneDetector.nodeCapacity {
            _ = detector.receive(window("keys", by: "node-\(number)"), of: "keys")
        }
        #expect(detector.counters.windows == 0)
        _ = detector.receive(window("keys", by: "late"), of: "keys")
        _ = detector.receive(window("keys", by: "node-0"), of: "keys")
        #expect(detector.counters.windows == 1)
    }

    @Test("Levels of pairs of nodes without a place are counted, and known pairs are looked at on")
    func manyPairs() {
        let capacity = LongProofs.areRequested ? CloneDetector.pairCapacity : 1024
        var detector = CloneDetector(pairCapacity: capacity)
        var second = 0
        /// Lets two nodes hear an item in turn, which gives a level for each of them with the other.
        func hear(_ one: Int, _ other: Int) {
            for (offset, node) in [(0, one), (1, other), (2, one), (3, other), (11, one)] {
                _ = detector.receive(window("keys", by: "node-\(node)", second: second + offset), of: "keys")
            }
            _ = detector.forgetItem("keys")
            second += 20
        }
        // The pairs of so many nodes are more than there is room for.
        let nodes = Int(Double(capacity).squareRoot()) + 2
        let pairs = (0..<nodes).flatMap { one in (0..<one).map { (one, $0) } }
        let known = capacity / 2
        for (one, other) in pairs.prefix(known) { hear(one, other) }
        #expect(detector.counters.levels == 0)
        for (one, other) in pairs.dropFirst(known) { hear(one, other) }
        let leftOut = UInt64(2 * (pairs.count - known))
        #expect(leftOut > 0 && detector.counters.levels == leftOut && detector.counters.windows == 0)
        hear(1, 0)
        #expect(detector.counters.levels == leftOut)
    }

    @Test("Of a node that is forgotten all pairs learn anew, and the others find a clone still")
    func forgottenNode() {
        for (node, isFound) in [("kitchen", false), ("hall", true)] {
            var house = CloneHouse()
            house.send(packets: 1, for: 7200, from: CloneHouse.walk)
            house.detector.forgetNode(node)
            house.send(packets: 1, for: 60) { _ in [0, 20] }
            #expect(house.changes.isEmpty != isFound, "without \(node)")
        }
    }
}
