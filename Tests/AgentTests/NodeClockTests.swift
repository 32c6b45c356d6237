import Agent
import Bytes
import Identity
import Testing
import WireProtocol

/// A node whose wall clock is set, whose machine sleeps, and whose adapter goes away.
@Suite struct NodeClockTests {
    private let keys = Node.iBeacon(1)
    private let office = Region(
        id: "office", members: .beacons(.iBeacon(uuid: Node.uuid, major: nil, minor: nil)), exitAfter: .seconds(30))

    /// Events as `130 exit office`.
    private func events(_ node: inout Node) -> [String] {
        (node.pipeline.takeEffects()?.events ?? []).map {
            "\(Int($0.at.seconds)) \($0.kind.rawValue) \($0.region ?? "-")"
        }
    }

    /// Scans as `100-101 gap 250`.
    private func scans(_ node: Node) throws -> [String] {
        try node.scans.map { "\(Int($0.from.seconds))-\(Int($0.to.seconds)) gap \($0.gapMilliseconds)" }
    }

    private func step(_ node: inout Node, by seconds: Double, at time: Double) {
        node.pipeline.clockStepped(by: .seconds(seconds), at: Node.time(time), &node.outbox)
    }

    @Test(
        "Neither cause nor delay a crossing by setting the clock; continue with intervals on the new setting",
        arguments: [86_400.0, -86_400])
    func set(_ step: Double) throws {
        var node = Node(regions: [office])
        for second in 100_000..<100_040 { node.hear(Double(second) + 0.25, 1, keys) }
        _ = events(&node)
        let before = try node.scans.count
        self.step(&node, by: step + 0.125, at: 100_040.375 + step)
        for second in 100_041..<100_050 { node.hear(Double(second) + 0.25 + step, 1, keys) }
        #expect(events(&node) == [])
        let seqs = try node.scans.map(\.seq)
        #expect(seqs == Array(1...UInt64(seqs.count)))
        let at = Int(100_040 + step)
        #expect(
            try scans(node)[before...].prefix(4) == [
                "100039-100040 gap 0", "100040-100041 gap 750", "\(at)-\(at + 1) gap 375", "\(at + 1)-\(at + 2) gap 0",
            ])
        node.advance(to: 100_079 + step)
        #expect(events(&node) == [])
        node.advance(to: 100_080 + step)
        #expect(events(&node) == ["\(Int(100_079 + step)) exit office"])
    }

    @Test("End no interval for a clock step within its rest")
    func small() throws {
        var node = Node()
        node.hear(10.25, 1, keys)
        step(&node, by: 0.25, at: 10.625)
        node.hear(10.75, 1, keys)
        step(&node, by: -0.5, at: 10.375)
        node.advance(to: 12)
        #expect(try node.lines == ["w1 keys x2", "s1", "s2"])
        #expect(try scans(node) == ["10-11 gap 250", "11-12 gap 0"])
    }

    @Test("Count a night of sleep as the gap of one scan, without exits")
    func night() throws {
        var node = Node(regions: [office])
        for second in 100..<140 { node.hear(Double(second) + 0.25, 1, keys) }
        _ = events(&node)
        let before = try node.scans.count
        node.pipeline.gap(from: Node.time(139.5), to: Node.time(28_939.75), &node.outbox)
        node.hear(28_940.25, 1, keys)
        node.advance(to: 28_942)
        #expect(events(&node) == [])
        #expect(
            try scans(node)[before...] == [
                "139-140 gap 500", "28939-28940 gap 28799750", "28940-28941 gap 0", "28941-28942 gap 0",
            ])
        node.pipeline.gap(from: Node.time(28_942.25), to: Node.time(28_942.5), &node.outbox)
        node.advance(to: 28_943)
        #expect(try scans(node).last == "28942-28943 gap 250")
    }

    @Test("Continue scans without an adapter as gaps, without exits")
    func deaf() throws {
        var node = Node(regions: [office])
        for second in 100..<140 { node.hear(Double(second) + 0.25, 1, keys) }
        _ = events(&node)
        let before = try node.scans.count
        node.pipeline.stopListening(at: Node.time(140.5), &node.outbox)
        node.advance(to: 142.25)
        step(&node, by: 1000, at: 1142.5)
        node.advance(to: 1500)
        #expect(events(&node) == [])
        node.pipeline.resumeListening(at: Node.time(1500.25), &node.outbox)
        node.advance(to: 1528.875)
        #expect(events(&node) == [])
        node.advance(to: 1529)
        #expect(events(&node) == ["1529 exit office"])
        let scans = try scans(node)[before...]
        #expect(
            scans.prefix(6) == [
                "139-140 gap 0", "140-141 gap 500", "141-142 gap 1000", "142-143 gap 1000", "1142-1143 gap 1000",
                "1143-1144 gap 1000",
            ])
        #expect(scans.contains("1499-1500 gap 1000") && scans.contains("1500-1501 gap 250"))
        #expect(scans.last == "1528-1529 gap 0")
    }
}
