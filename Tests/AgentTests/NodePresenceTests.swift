import Agent
import Identity
import WireProtocol
import Support
import Testing

@Suite struct NodePresenceTests {
    private let keys = Node.iBeacon(1)
    private let office = Region(id: "office", members: .beacons(.iBeacon(uuid: Node.uuid, major: nil, minor: nil)))

    /// Events as `enter office keys`.
    private func events(_ node: inout Node) -> [String] {
        (node.pipeline.takeEffects()?.events ?? []).map {
            "\($0.kind.rawValue) \($0.region ?? "-") \($0.beacon ?? "-")"
        }
    }

    @Test("Don't count a start as an arrival, and decide an exit by the timer")
    func startAndExit() throws {
        var node = Node(regions: [office])
        node.hear(10.5, 1, keys)
        #expect(events(&node) == ["determined office keys"])
        for second in 11...30 { node.hear(Double(second) + 0.5, 1, keys) }
        #expect(events(&node).isEmpty)
        var told: [String] = []
        for second in 31...120 {
            node.advance(to: Double(second))
            told += events(&node)
        }
        #expect(told == ["exit office keys"])
        node.hear(130.5, 1, keys)
        #expect(events(&node) == ["enter office keys"])
    }

    @Test("Determine the state of an earlier run, without new entries")
    func restart() throws {
        var before = Node(regions: [office])
        for second in 10...40 { before.hear(Double(second) + 0.5, 1, keys) }
        let effects = before.pipeline.takeEffects()
        let record = try #require(effects).record
        var after = Node(regions: [office], remembering: record)
        after.hear(60.5, 1, keys)
        after.advance(to: 61)
        #expect(events(&after) == ["determined office keys"])
    }

    @Test(
        "Withdraw an earlier run's message of an unknown item at once, and of a silent one after minutes"
    )
    func inherited() throws {
        var node = Node()
        for beacon in ["keys", "lamp", "gone"] { node.pipeline.adoptRetained(proximityOf: beacon) }
        node.hear(10.5, 1, keys)
        node.advance(to: 12)
        #expect(try node.proximities == ["- gone", "near keys"])
        // A broker that lost everything is told what stands, and not what was only found there.
        let standing = node.pipeline.proximityMessages()
        #expect(standing == [try #require(node.outbox.last { $0.topic.hasSuffix("/proximity/keys") })])
        for second in 12..<400 { node.hear(Double(second) + 0.5, 1, keys) }
        #expect(try node.proximities == ["- gone", "near keys", "- lamp"])
    }

    @Test("Retain proximity on change, and clear it after a beacon's last packet")
    func proximity() throws {
        var node = Node()
        for second in 10...20 { node.hear(Double(second) + 0.5, 1, keys, rssi: -50) }
        node.advance(to: 400)
        #expect(try node.proximities == ["immediate keys", "- keys"])
        #expect(node.outbox.filter { $0.topic.contains("/proximity/") }.allSatisfy { $0.qos == .atLeastOnce })
    }

    @Test("Apply another registry between two intervals: no window belongs to both")
    func registry() throws {
        var node = Node()
        node.hear(10.2, 1, keys)
        node.pipeline.use(Registry())
        node.hear(10.6, 1, keys)
        node.hear(11.2, 1, keys)
        node.finish()
        #expect(try node.lines == ["w1 keys x2", "s1", "s2"])
        #expect(try node.proximities == ["near keys", "- keys"])
    }
}
