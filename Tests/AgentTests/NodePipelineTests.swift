import Advertising
import Agent
import BeaconFrames
import Bytes
import Identity
import WireProtocol
import Support
import Testing

@Suite struct NodePipelineTests {
    private let keys = Node.iBeacon(1)
    private let stranger = Node.iBeacon(9, major: 5)

    @Test("Publish each interval's windows before its scan, which has their number")
    func order() throws {
        var node = Node(publishesAll: true)
        node.hear(10.1, 1, keys)
        node.hear(10.2, 2, stranger)
        node.hear(10.3, 1, keys)
        node.hear(11.5, 1, keys)
        node.advance(to: 14)
        let id = "iBeacon:\(Node.uuid)-5-9"
        #expect(try node.lines == ["w1 keys x2", "w1 \(id) x1", "s1", "w2 keys x1", "s2", "s3", "s4"])
        let scans = try node.scans
        #expect(scans.map(\.windows) == [2, 1, 0, 0])
        #expect(scans.map(\.reports) == [3, 1, 0, 0])
        #expect(scans.map(\.beacons) == [2, 1, 0, 0])
        #expect(scans.map { $0.from.seconds } == [10, 11, 12, 13])
        #expect(scans.map { $0.to.seconds } == [11, 12, 13, 14])
        #expect(scans.allSatisfy { $0.epoch == "5f1c09aa" && $0.registry.count == 16 && $0.gapMilliseconds == 0 })
        #expect(node.samples[0].topic == Topics().window(beacon: "keys", node: "kitchen"))
        #expect(node.samples.allSatisfy { $0.qos == .atMostOnce })
    }

    @Test("Count malformed events in the interval of their arrival, and publish them once")
    func garbled() throws {
        var node = Node()
        node.hear(10.1, 1, keys)
        for cut in [1, 4, 9] {
            let event = Array(Node.event(1, keys).dropLast(cut))
            node.pipeline.receive(event.span, at: Node.time(10.2), &node.outbox)
        }
        node.hear(10.3, 1, keys)
        node.advance(to: 12)
        #expect(try node.scans.map(\.malformed) == [3, 0])
        #expect(try node.scans.map(\.reports) == [2, 0])
        let last = try #require(node.samples.last)
        #expect(!String(decoding: last.payload, as: UTF8.self).contains("malformed"))
    }

    @Test("Publish silence interval by interval, even without a packet at its end")
    func silence() throws {
        var node = Node()
        node.advance(to: 5)
        #expect(node.outbox.isEmpty && node.pipeline.nextDeadline == Node.time(6))
        for second in 6...20 {
            node.advance(to: Double(second))
            #expect(node.pipeline.nextDeadline == Node.time(Double(second + 1)))
        }
        #expect(try node.scans.map(\.seq) == Array(1...15))
    }

    @Test("Publish a jump of hours as a gap, not as silence")
    func jump() throws {
        var node = Node()
        node.hear(10.5, 1, keys)
        node.hear(20_000.25, 1, keys)
        node.hear(20_001.25, 1, keys)
        node.finish()
        #expect(try node.lines == ["w1 keys x1", "s1", "w2 keys x1", "s2", "w3 keys x1", "s3"])
        let scans = try node.scans
        #expect(scans.map(\.gapMilliseconds) == [0, 19_989_250, 0])
        #expect(scans[1].from.seconds == 20_000)
        var short = Node()
        short.hear(10.5, 1, keys)
        short.hear(10.5 + 3000, 1, keys)
        #expect(try short.scans.count == 3000)
    }

    @Test("Begin anew after a step back in time, but not after a packet out of order")
    func back() throws {
        var node = Node()
        node.hear(100.5, 1, keys)
        node.hear(99.5, 1, keys)
        node.hear(50.5, 1, keys)
        node.hear(51.5, 1, keys)
        node.finish()
        #expect(try node.lines == ["w1 keys x2", "s1", "w2 keys x1", "s2", "w3 keys x1", "s3"])
        #expect(try node.scans.map { $0.from.seconds } == [100, 50, 51])
    }

    @Test("Neither hang nor end on a capture with senseless times")
    func senselessTimes() {
        var node = Node()
        for time in [Int64.max, .min, 0, .max, .max, .min] {
            node.pipeline.receive(Node.event(1, keys).span, at: Timestamp(microseconds: time), &node.outbox)
            node.pipeline.advance(to: Timestamp(microseconds: time), &node.outbox)
        }
        node.finish()
        #expect(node.outbox.count < 100)
    }

    @Test("Publish no unregistered beacon with registered-only, and count them nevertheless")
    func registeredOnly() throws {
        var node = Node()
        for second in 0..<5 {
            node.hear(Double(second), 1, keys)
            node.hear(Double(second) + 0.1, 0xBBBB_BBBB_BBBB, [])
            node.hear(Double(second) + 0.2, 0xCCCC_CCCC_CCCC, stranger)
            node.hear(Double(second) + 0.3, 0x0A0A, [])
        }
        node.finish()
        node.outbox.append(node.pipeline.info())
        for message in node.outbox {
            let text = message.topic + String(decoding: message.payload, as: UTF8.self)
            #expect(!text.contains("bbbb") && !text.contains("cccc") && !text.contains("-5-9"))
        }
        #expect(try node.scans.map(\.beacons) == [4, 4, 4, 4, 4])
        #expect(try node.scans.map(\.windows) == [2, 2, 2, 2, 2])
        #expect(
            try node.windows.map(\.item) == [
                "keys", "lamp", "keys", "lamp", "keys", "lamp", "keys", "lamp", "keys", "lamp",
            ])
    }

    @Test("Publish a beacon of a region under its own id")
    func watched() throws {
        let region = Region(id: "office", members: .beacons(.iBeacon(uuid: Node.uuid, major: 5, minor: nil)))
        var node = Node(regions: [region])
        node.hear(0.5, 2, stranger)
        node.hear(0.6, 3, [])
        node.finish()
        #expect(try node.lines == ["w1 iBeacon:\(Node.uuid)-5-9 x1", "s1"])
    }

    @Test("Publish a tag's web address in the intervals of its frames, without the power of others")
    func webAddress() throws {
        var node = Node(publishesAll: true)
        let page = try EddystoneURL("https://example.com/", txPower: -10).advertisingData
        node.hear(0.1, 1, Node.iBeacon(1), rssi: -60)
        node.hear(0.2, 1, page, rssi: -20)
        node.hear(1.1, 1, Node.iBeacon(1), rssi: -60)
        node.hear(2.1, 2, page, rssi: -70)
        node.finish()
        let windows = try node.windows
        #expect(windows.map(\.url) == ["https://example.com/", nil, "https://example.com/"])
        #expect(windows.map(\.power) == [-59, -59, -51])
        #expect(windows.map(\.count) == [1, 1, 1])
    }

    @Test("Add the readings of a tag's telemetry frames to its one window")
    func telemetry() throws {
        var node = Node()
        node.hear(0.1, 1, keys, rssi: -64)
        node.hear(0.2, 1, Node.telemetry, rssi: -20)
        node.hear(0.3, 1, [], rssi: -20)
        node.hear(0.4, 1, keys, rssi: nil)
        node.finish()
        let window = try #require(try node.windows.first)
        #expect(try node.lines == ["w1 keys x2", "s1"])
        #expect(window.telemetry == Telemetry(batteryMillivolts: 2950, temperatureCelsius: 21.5))
        #expect(window.rssi?.mean == -64 && window.power == -59 && window.distance != nil)
    }

    @Test("Count a malformed event, and lose nothing else")
    func malformed() throws {
        let good = Node.event(1, keys)
        var random = SeededGenerator(seed: 5)
        var node = Node()
        node.hear(0.1, 1, keys)
        for length in 0..<good.count {
            node.pipeline.receive(Array(good[..<length]).span, at: Node.time(0.2), &node.outbox)
        }
        #expect(node.pipeline.counters.malformed >= UInt64(good.count - 3))
        for _ in 0..<20_000 {
            var event = good
            event[Int.random(in: 0..<event.count, using: &random)] = .random(in: 0...255, using: &random)
            event[Int.random(in: 0..<event.count, using: &random)] = .random(in: 0...255, using: &random)
            node.pipeline.receive(event.span, at: Node.time(0.3), &node.outbox)
        }
        node.hear(1.5, 1, keys)
        node.finish()
        let last = try #require(try node.windows.last)
        #expect(last.item == "keys" && last.count == 1)
        #expect(try node.scans.count == 2)
    }

    @Test("Publish each report of a capture exactly once, up to its last interval")
    func sums() throws {
        let seed: UInt64 = 21
        var random = SeededGenerator(seed: seed)
        var node = Node(publishesAll: true, window: 0.5)
        var time = 1000.0
        for _ in 0..<5_000 {
            time += Double.random(in: 0...0.05, using: &random)
            let minor = UInt16.random(in: 1...40, using: &random)
            node.hear(time, UInt64(minor), Node.iBeacon(minor))
        }
        node.finish()
        let (windows, scans) = (try node.windows, try node.scans)
        #expect(windows.reduce(0) { $0 + $1.count } == 5_000, "seed \(seed)")
        #expect(scans.reduce(0) { $0 + $1.reports } == 5_000)
        #expect(scans.map(\.seq) == Array(1...UInt64(scans.count)))
        for scan in scans {
            let own = windows.filter { $0.seq == scan.seq }
            #expect(own.count == scan.windows && own.allSatisfy { $0.from == scan.from && $0.to == scan.to })
        }
        node.outbox = []
        node.finish()
        #expect(node.outbox.isEmpty, "an interval ends once")
    }

    @Test("Publish a node's description in its retained info, with its clock")
    func info() throws {
        var node = Node()
        node.pipeline.description.clock = NodeClock(start: Node.time(100), origin: Node.time(5), speed: 60)
        node.pipeline.scans.dropped = 7
        node.pipeline.scans.spooled = 3
        let message = node.pipeline.info()
        #expect(message.topic == "whereabouts/nodes/kitchen/info" && message.retained && message.qos == .atLeastOnce)
        let info = try NodeInfo(payload: message.payload.span)
        #expect(info.room == "kitchen" && info.epoch == "5f1c09aa" && info.window == 1 && !info.publishesAll)
        #expect(info.clock == node.pipeline.description.clock)
        node.hear(0.5, 1, keys)
        node.finish()
        let scan = try #require(try node.scans.first)
        #expect(scan.registry == info.registry && scan.clock == info.clock && scan.dropped == 7 && scan.spooled == 3)
    }

    @Test("Use the wall clock for a pipe with current packets, and publish no other clock")
    func livePipe() throws {
        for (lag, isOwn) in [(0.0, false), (20, false), (-20, false), (3600, true)] {
            var node = Node()
            node.pipeline.description.clock = NodeClock(
                start: Node.time(5000 - lag), origin: Node.time(5000), speed: nil)
            #expect((try NodeInfo(payload: node.pipeline.info().payload.span).clock != nil) == isOwn)
            node.hear(0.5, 1, keys)
            node.finish()
            #expect((try #require(try node.scans.first).clock != nil) == isOwn)
        }
    }

    @Test("Publish only the regions of a node's own configuration")
    func watchedRegions() {
        let region = Region(id: "office", members: .beacons(.iBeacon(uuid: Node.uuid, major: 100, minor: nil)))
        let node = Node(regions: [region])
        #expect(node.pipeline.watches("office"))
        #expect(!node.pipeline.watches("ring"))
    }

    @Test("Withdraw the messages under the own id of a beacon that becomes an item")
    func becomesItem() {
        let region = Region(id: "office", members: .beacons(.iBeacon(uuid: Node.uuid, major: 100, minor: nil)))
        var node = Node(regions: [region])
        for second in 0..<4 { node.hear(Double(second) + 0.5, 1, Node.iBeacon(9)) }
        let topics = Topics()
        let stranger = topics.proximity(beacon: "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-9", node: "kitchen")
        #expect(node.outbox.contains { $0.topic == stranger && !$0.payload.isEmpty })
        let cat = Item(id: "cat", identities: [.iBeacon(uuid: Node.uuid, major: 100, minor: 9)])
        node.pipeline.use(Registry(items: [cat], regions: [region]))
        for second in 4..<8 { node.hear(Double(second) + 0.5, 1, Node.iBeacon(9)) }
        #expect(node.outbox.last { $0.topic == stranger }?.payload == [])
        #expect(node.outbox.contains { $0.topic == topics.proximity(beacon: "cat", node: "kitchen") })
    }
}
