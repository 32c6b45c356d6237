import Agent
import Bytes
import Identity
import WireProtocol
import Support
import Testing

@Suite("Settings changed at run time")
struct NodeSettingsTests {
    private let keys = Node.iBeacon(1)
    private let stranger = Node.iBeacon(9, major: 5)
    private let hall = Region(id: "hall", members: .beacons(.iBeacon(uuid: Node.uuid, major: nil, minor: nil)))
    private let office = Region(
        id: "office", members: .beacons(.iBeacon(uuid: Node.uuid, major: 100, minor: nil)), exitAfter: .seconds(90))

    private func set(_ node: inout Node, _ change: (inout NodeOverrides) -> Void) {
        let configured = NodeSettings(node: "kitchen", version: "0.1.0", adapter: "replay")
        var overrides = NodeOverrides()
        change(&overrides)
        node.pipeline.use(configured.overridden(by: overrides))
    }

    private func told(_ node: inout Node) throws -> NodeEffects {
        let effects = node.pipeline.takeEffects()
        return try #require(effects)
    }

    private func infos(_ node: Node) throws -> [NodeInfo] {
        try node.outbox.filter { $0.topic.hasSuffix("/info") }.map { try NodeInfo(payload: $0.payload.span) }
    }

    @Test("Apply another window length at an interval's border, without a missing number or a repeated moment")
    func window() throws {
        var node = Node()
        node.hear(10.5, 1, keys)
        set(&node) { $0.window = .seconds(5) }
        #expect(node.pipeline.settings.window == .seconds(1))
        for second in 11..<40 { node.hear(Double(second) + 0.25, 1, keys) }
        set(&node) { $0.window = .milliseconds(100) }
        node.advance(to: 41)
        let scans = try node.scans
        #expect(scans.map(\.seq) == Array(1...UInt64(scans.count)))
        for (one, next) in zip(scans, scans.dropFirst()) { #expect(one.to == next.from) }
        #expect(scans.prefix(3).map(\.to) == [Node.time(11), Node.time(20), Node.time(25)])
        #expect(scans.last?.to == Node.time(41))
        #expect(try node.windows.map(\.count).reduce(0, +) == 30)
        // Told behind the last interval of the old length and before the first of the new one.
        let kinds = node.outbox.compactMap { $0.topic.split(separator: "/").last }
            .filter { $0 == "info" || $0 == "scan" }
        #expect(kinds.prefix(4) == ["scan", "info", "scan", "scan"])
        let infos = try infos(node)
        #expect(infos.map(\.window) == [5, 0.1])
        #expect(infos.allSatisfy { $0.overridden == ["window"] })
        #expect(node.outbox.filter { $0.topic.hasSuffix("/info") }.allSatisfy { $0.retained && $0.qos == .atLeastOnce })
    }

    @Test("Publish every beacon on request, and withdraw those of unregistered ones at the end")
    func publish() throws {
        var node = Node(regions: [])
        node.hear(10.5, 1, keys)
        node.hear(10.6, 2, stranger)
        set(&node) { $0.publishesAll = true }
        node.hear(11.5, 1, keys)
        node.hear(11.6, 2, stranger)
        set(&node) { _ in }
        node.hear(12.5, 1, keys)
        node.hear(12.6, 2, stranger)
        node.finish()
        let id = "iBeacon:\(Node.uuid)-5-9"
        #expect(try node.lines == ["w1 keys x1", "s1", "w2 keys x1", "w2 \(id) x1", "s2", "w3 keys x1", "s3"])
        #expect(try node.proximities == ["near keys", "near \(id)", "- \(id)"])
        #expect(try infos(node).map(\.overridden) == [["publish"], []])
    }

    @Test(
        "Apply a common exit time to regions without their own, at once and after a restart, until it is removed"
    )
    func exitAfter() throws {
        var node = Node(regions: [hall, office])
        for second in 10..<60 { node.hear(Double(second) + 0.5, 1, keys) }
        _ = node.pipeline.takeEffects()
        set(&node) { $0.exitAfter = .seconds(3) }
        node.hear(60.5, 1, keys)
        node.hear(61.5, 1, keys)
        let effects = try told(&node)
        #expect(effects.events.isEmpty)
        #expect(effects.regions.map(\.region) == ["hall", "office"])
        #expect(effects.regions.map(\.report.exitAfter) == [3, 90])
        #expect(effects.regions.allSatisfy { $0.report.state == .inside })
        node.advance(to: 64.6)
        let exit = try #require(try told(&node).events.first)
        #expect(exit.kind == .exit && exit.region == "hall" && exit.at == Node.time(64.5))
        set(&node) { _ in }
        node.hear(70.5, 1, keys)
        node.hear(71.5, 1, keys)
        let reports = try node.pipeline.regionMessages().map { try RegionReport(payload: $0.payload.span).exitAfter }
        #expect(reports.first ?? 0 >= 10 && reports.last == 90)
        #expect(try infos(node).map(\.exitAfter) == [3, nil])
    }

    @Test("Correct the level of a louder adapter before any use: windows, proximity, and nearby")
    func offset() throws {
        var node = Node()
        let ask = NodeCommand(id: "n", action: .nearby(for: .seconds(4)))
        node.hear(10.5, 1, keys, rssi: -60)
        set(&node) { $0.offset = -20 }
        node.hear(11.5, 1, keys, rssi: -60)
        try node.pipeline.openNearby(ask, reply: ReplyAddress(topic: "r"), at: Node.time(11.5))
        node.hear(11.6, 0xC0_0000_0001, stranger, rssi: -50)
        node.hear(11.7, 0xC0_0000_0001, stranger, rssi: -120)
        node.hear(11.8, 0xC0_0000_0001, stranger, rssi: nil)
        node.advance(to: 16)
        let windows = try node.windows
        #expect(windows.map { $0.rssi?.mean } == [-60, -80])
        #expect((windows[0].distance?.metres ?? 9) < 2 && (windows[1].distance?.metres ?? 0) > 5)
        #expect(windows.map(\.proximity) == [.near, .far])
        let answers = node.pipeline.takeNearby(at: Node.time(16))
        let answer = try #require(answers.first)
        #expect(answer.reply.topic == "r")
        guard case .nearby(let found, _) = answer.result.answer else {
            Issue.record("no beacons")
            return
        }
        #expect(found.map(\.count) == [2])
        // −50 and −120 with −20 dB each, and no level is below −127.
        #expect(found.map(\.mean) == [(-70.0 - 127) / 2])
        #expect(try infos(node).map(\.offset) == [-20])
    }

    @Test("Publish states again on request, of one region or of all, and reject an unknown one")
    func determine() throws {
        var node = Node(regions: [hall, office])
        node.hear(10.5, 1, keys)
        _ = try told(&node)
        try node.pipeline.determine("office", at: Node.time(12))
        var events = try told(&node).events
        #expect(events.map(\.kind) == [.determined] && events.map(\.region) == ["office"])
        #expect(events.map(\.state) == [.inside] && events.map(\.at) == [Node.time(12)])
        try node.pipeline.determine(nil, at: Node.time(13))
        events = try told(&node).events
        #expect(events.map(\.region) == ["hall", "office"])
        do throws(CommandFault) {
            try node.pipeline.determine("attic", at: Node.time(14))
            Issue.record("determined")
        } catch {
            #expect("\(error)" == "there is no region 'attic'; there are hall, office")
        }
    }

    @Test("Publish rejected entries and missing keys up to a bound, and count the others")
    func findings() throws {
        var node = Node()
        let findings = RegistryFindings(
            missingKeys: (0..<300).map { "phone\($0 + 100)" },
            refused: (0..<55).map { RefusedEntry(item: "i\($0 + 10)", reason: String(repeating: "🏠", count: 5000)) })
        let news = [node.pipeline.description.use(findings), node.pipeline.description.use(findings)]
        #expect(news == [true, false])
        let message = node.pipeline.info()
        let info = try NodeInfo(payload: message.payload.span)
        #expect(info.missingKeys.count == 200 && info.missingKeys.first == "phone100" && info.missingKeysLeftOut == 100)
        #expect(info.refused.count == 50 && info.refused.first?.item == "i10" && info.refusedLeftOut == 5)
        #expect(message.payload.count < 65_536)
    }
}
