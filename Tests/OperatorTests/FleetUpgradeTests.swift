import Bytes
import Support
import Testing
import WireProtocol

@testable import Operator

/// The versions of an upgrade, and the order of its nodes.
@Suite struct FleetUpgradeTests {
    private static func nodes(_ list: [(id: String, isOnline: Bool, version: String, hasHelper: Bool)]) -> FleetNodes {
        FleetSettingsTests.nodes(
            list.map { id, isOnline, version, hasHelper in
                var info = FleetSettingsTests.info(version: version)
                info.upgrade = hasHelper ? UpgradeReport() : nil
                return (id, isOnline, info)
            })
    }

    @Test("Compare versions as dpkg does", .enabled(if: Execution.find("dpkg") != nil, "dpkg is not installed"))
    func order() throws {
        let dpkg = try #require(Execution.find("dpkg"))
        var random = SeededGenerator(seed: 35)
        let pieces = ["0", "1", "9", "10", "007", ".", "-", "~", "+", "a", "rc", "Z", "b2"]
        var pairs = [
            ("0.1.0-989", "0.1.0-1190"), ("0.1.0-0.1", "0.1.0-1"), ("0.1.0~rc1-1", "0.1.0-1"), ("1:0.1", "2.0"),
            ("0.1.0", "0.1.0-0"), ("1.0-1", "1.0-1+b1"), ("1.0", "1.0a"), ("1.a", "1.+"),
        ]
        for _ in 0..<150 {
            let texts = (0..<2).map { _ in
                "\(Int.random(in: 0...2, using: &random))"
                    + (0..<Int.random(in: 1...5, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                    .joined() + "1"
            }
            pairs.append((texts[0], texts[1]))
        }
        for (one, other) in pairs {
            let left = try #require(DebianVersion(one)), right = try #require(DebianVersion(other))
            let isLess = try Execution.run(dpkg, ["--compare-versions", one, "lt", other]).status == 0
            let isEqual = try Execution.run(dpkg, ["--compare-versions", one, "eq", other]).status == 0
            #expect((left < right) == isLess && (left == right) == isEqual, "\(one) and \(other)")
        }
        for text in ["", "latest", "1 2", "-1", "1;2", "1\n", "1/2", String(repeating: "1", count: 65)] {
            #expect(DebianVersion(text) == nil, "\(text)")
        }
    }

    @Test("Upgrade canaries first, then rings of a quarter, and leave alone what is offline, later or without a helper")
    func stages() throws {
        let version = try #require(DebianVersion("0.1.0-990"))
        var plan = UpgradePlan(version, count: 2, ring: 25)
        var list = (10..<20).map { (id: "n\($0)", isOnline: true, version: "0.1.0-989", hasHelper: true) }
        list += [
            ("attic", false, "0.1.0-989", true), ("bath", true, "0.1.0-989", false), ("cellar", true, "0.1.0", true),
            ("hall", true, "0.1.0-1000", true), ("kitchen", true, "0.1.0-990", true),
        ]
        var nodes = Self.nodes(list)
        // `0.1.0` has no revision, and is the lowest of its kind.
        #expect(plan.standing(of: nodes["cellar"]) == .open)
        #expect(plan.nodes(.offline, of: nodes) == ["attic"] && plan.nodes(.withoutHelper, of: nodes) == ["bath"])
        #expect(plan.nodes(.later, of: nodes) == ["hall"] && plan.nodes(.done, of: nodes) == ["kitchen"])
        func upgraded() -> FleetNodes {
            Self.nodes(list.map { plan.asked.contains($0.id) ? ($0.id, true, "0.1.0-990", true) : $0 })
        }
        var stages: [[String]] = []
        for _ in 0..<20 {
            let stage = plan.nextStage(nodes)
            guard !stage.isEmpty else { break }
            stages.append(stage)
            plan.recordStage(stage)
            nodes = upgraded()
        }
        #expect(stages.map(\.count) == [2, 3, 3, 3] && stages[0] == ["cellar", "n10"])
        #expect(plan.asked.count == 11)
        list[10].isOnline = true
        #expect(plan.nextStage(upgraded()) == ["attic"])
        let named = UpgradePlan(version, canaries: ["n12", "attic"], count: 2, ring: 25)
        list[10].isOnline = false
        #expect(named.nextStage(Self.nodes(list)) == ["n12"] && named.idleCanaries(Self.nodes(list)) == ["attic"])
    }

    @Test("Go on with the others where the named canaries have the version, and with none where they can't get it")
    func canaries() throws {
        let version = try #require(DebianVersion("0.1.0-990"))
        var list = (10..<14).map { (id: "n\($0)", isOnline: true, version: "0.1.0-989", hasHelper: true) }
        var plan = UpgradePlan(version, canaries: ["n13"], count: 2, ring: 50)
        #expect(plan.nextStage(Self.nodes(list)) == ["n13"] && !plan.lacksCanaries(Self.nodes(list)))
        // An upgrade that was interrupted.
        list[3].version = "0.1.0-990"
        #expect(plan.idleCanaries(Self.nodes(list)).isEmpty && plan.nextStage(Self.nodes(list)) == ["n10", "n11"])
        // It goes offline while the house is measured.
        (list[3].version, list[3].isOnline) = ("0.1.0-989", false)
        #expect(plan.nextStage(Self.nodes(list)).isEmpty && plan.lacksCanaries(Self.nodes(list)))
        // Its helper does not take the request.
        (list[3].isOnline, list[3].hasHelper) = (true, false)
        plan.recordStage(["n13"])
        plan.leaveOut(["n13"])
        #expect(plan.asked.isEmpty && plan.lacksCanaries(Self.nodes(list)))
        // With all upgraded there is nothing to wait for.
        for index in list.indices { list[index].version = "0.1.0-990" }
        #expect(!plan.lacksCanaries(Self.nodes(list)))
    }

    @Test("Show an interrupted upgrade, and the reason of a failed one")
    func status() throws {
        let time = Timestamp(microseconds: 1_700_000_000_000_000)
        var rollout = Rollout(id: "a", by: "anna", host: "desk", from: time, until: time.advanced(bySeconds: 30))
        rollout.version = "0.1.0-990"
        let running = FleetStatus.text(rollout, at: time, isJSON: false)
        #expect(running.hasPrefix("an upgrade to 0.1.0-990 by anna on desk runs since"))
        let over = FleetStatus.text(rollout, at: rollout.until, isJSON: false)
        #expect(over.contains("was interrupted; `whereabouts fleet upgrade 0.1.0-990` goes on with it"))
        var info = FleetSettingsTests.info()
        var upgrade = UpgradeReport()
        (upgrade.version, upgrade.error) = ("0.1.0-990", "E: no space")
        info.upgrade = upgrade
        let rows = FleetRow.rows(FleetSettingsTests.nodes([("bath", true, info)]), DesiredSettings())
        #expect(FleetRow.table(rows)[1].contains("upgrade to 0.1.0-990 failed: E: no space"))
    }
}
