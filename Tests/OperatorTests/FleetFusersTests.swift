import Bytes
import Configuration
import Testing
import WireProtocol

@testable import Operator

/// The fusers of a fleet: their settings in the file, the differences, and their place in a rollout.
@Suite struct FleetFusersTests {
    private static let topics = FleetSettingsTests.topics
    private static let start = Timestamp(microseconds: 0)

    private static func settings(_ awayAfter: Int = 60, _ overridden: [String] = []) -> FuserSettings {
        var settings = FuserSettings(awayAfter: .seconds(awayAfter), detectsClones: true)
        settings.overridden = overridden
        return settings
    }

    private static func hear(
        _ name: String, _ settings: FuserSettings?, in fusers: inout FleetFusers, at time: MonotonicTime = .start
    ) {
        var claim = Claim(shards: 0...255, state: .serving, epoch: "0000000a", lastEvent: 0, seq: 1)
        claim.settings = settings
        publish("online", of: name, in: &fusers)
        fusers.receive(Message(topic: topics.fuserClaim(name), payload: claim.payload), at: time)
    }

    private static func publish(_ status: String, of name: String, in fusers: inout FleetFusers) {
        fusers.receive(
            Message(topic: topics.fuserStatus(name), payload: Array(status.utf8), retained: true), at: .start)
    }

    private static func fusers(_ list: [(name: String, settings: FuserSettings?)]) -> FleetFusers {
        var fusers = FleetFusers(topics)
        for (name, settings) in list { hear(name, settings, in: &fusers) }
        return fusers
    }

    private static func desired(_ text: String) throws -> DesiredSettings {
        try SettingsFile.load(text: text, file: "settings.yaml")
    }

    @Test("Read the settings of all fusers as one map, and report its faults with their lines")
    func file() throws {
        let both = try Self.desired("fusers: {away_after: 90s, detect_clones: null}\n")
        #expect(both.fusers.awayAfter == .override(.seconds(90)) && both.fusers.detectsClones == .restore)
        #expect(both.all.isEmpty && both.nodes.isEmpty)
        #expect(try Self.desired("all: {window: 1s}\n").fusers.isEmpty)
        #expect(try Self.desired("fusers: {}\n").fusers.isEmpty)
        for (text, words) in [
            ("fusers: {away_after: 500ms}", "1: expected a duration from 1s to 1d"),
            ("fusers: {away_after: 90}", "1: expected a duration from 1s to 1d"),
            ("all: {window: 1s}\nfusers: {detect_clones: perhaps}", "2: expected"),
            ("fusers: {away_after: }", "1: expected a value, or null for that of its own file"),
            ("fusers: {rooms: [{id: kitchen}]}", "1: unknown key 'rooms'"),
            ("fusers:\n  main: {away_after: 90s}", "2: unknown key 'main'"),
            ("fusers: [main]", "1: expected"),
            ("fusers:\n  away_after: 90s\n  web_token: abc", "3: 'web_token' looks like a secret"),
        ] {
            #expect(throws: ConfigurationFaults.self, "\(text)") { try Self.desired(text + "\n") }
            do {
                _ = try Self.desired(text + "\n")
            } catch let error as ConfigurationFaults {
                let found = error.faults.map { "\($0.position.line): \($0.message)" }
                #expect(found.count == 1 && found[0].hasPrefix(words), "\(found)")
                #expect(!found[0].contains("abc"))
            }
        }
    }

    @Test("Find differences by the value in force, and reverse them to the override or the file's value")
    func difference() throws {
        let wanted = try Self.desired("fusers: {away_after: 90s, detect_clones: null}\n").fusers
        let plain = Self.settings()
        #expect(wanted.missing(in: plain).awayAfter == .override(.seconds(90)))
        #expect(wanted.missing(in: plain).detectsClones == nil)
        #expect(wanted.missing(in: plain).reversal(in: plain).awayAfter == .restore)
        // A file that says the same is as good.
        #expect(wanted.missing(in: Self.settings(90)).isEmpty)
        let changed = Self.settings(120, ["away_after", "detect_clones"])
        let missing = wanted.missing(in: changed)
        #expect(missing == wanted)
        let back = missing.reversal(in: changed)
        #expect(back.awayAfter == .override(.seconds(120)) && back.detectsClones == .override(true))
        #expect(
            missing.lines(in: changed) == [
                .init(key: "away_after", now: "2m", wanted: "90s"),
                .init(key: "detect_clones", now: "true", wanted: "that of its file"),
            ])
    }

    @Test("List the differences of fusers after those of nodes, and which fusers could not be compared")
    func rows() throws {
        let plan = RolloutPlan(try Self.desired("all: {window: 2s}\nfusers: {away_after: 90s}\n"), count: 2)
        let nodes = FleetSettingsTests.nodes([("bath", true, FleetSettingsTests.info())])
        var fusers = Self.fusers([("main", Self.settings()), ("second", Self.settings(90))])
        let rows = DiffRow.rows(plan, nodes, fusers, at: .start)
        #expect(
            rows.map(\.columns) == [
                ["bath", "window", "1s of its file", "->", "2s", ""],
                ["fuser main", "away_after", "1m of its file", "->", "90s", ""],
            ])
        #expect(
            rows[1].json
                == #"{"fuser":"main","key":"away_after","now":"1m of its file","wanted":"90s","online":true}"#)
        #expect(plan.pending(fusers, at: .start).isEmpty && !plan.isDone(nodes, fusers, at: .start))
        Self.publish("offline", of: "attic", in: &fusers)
        Self.hear("older", nil, in: &fusers)
        let pending = plan.pending(fusers, at: .start)
        #expect(pending.silent == ["attic"] && pending.older == ["older"] && pending.words.count == 2)
        #expect(pending.members == [.fuser("attic"), .fuser("older")])
        // Nothing was heard of any: that is no agreement.
        let good = FleetSettingsTests.nodes([("bath", true, FleetSettingsTests.info(window: 2))])
        #expect(!plan.isDone(good, FleetFusers(Self.topics), at: .start))
        #expect(plan.isDone(good, Self.fusers([("main", Self.settings(90))]), at: .start))
        // A file without settings for fusers asks nothing of them.
        let without = RolloutPlan(try Self.desired("all: {window: 2s}\n"), count: 2)
        #expect(without.isDone(good, fusers, at: .start) && !without.managesFusers)
    }

    @Test("Change all fusers at once after the nodes, a silent one later, and none beside one that takes no settings")
    func stages() throws {
        var plan = RolloutPlan(try Self.desired("all: {window: 2s}\nfusers: {away_after: 90s}\n"), count: 1)
        let old = FleetSettingsTests.info()
        let nodes = FleetSettingsTests.nodes([("bath", true, old), ("hall", true, old)])
        var fusers = Self.fusers([("main", Self.settings()), ("second", Self.settings()), ("third", Self.settings(90))])
        Self.hear("attic", Self.settings(), in: &fusers)
        Self.publish("offline", of: "attic", in: &fusers)
        for node in ["bath", "hall"] {
            let stage = plan.nextStage(nodes, fusers, at: .start)
            #expect(stage.members == [.node(node)])
            plan.recordStage(stage.members.nodes, fusers: stage.members.fusers)
        }
        let stage = plan.nextStage(nodes, fusers, at: .start)
        #expect(stage.members == [.fuser("main"), .fuser("second")])
        #expect(plan.pending(fusers, at: .start).silent == ["attic"])
        // One whose claims stopped is silent, too.
        let later = MonotonicTime.start + .seconds(31)
        #expect(plan.nextStage(nodes, fusers, at: later).isEmpty)
        Self.hear("old", nil, in: &fusers)
        #expect(plan.nextStage(nodes, fusers, at: .start).isEmpty)
        Self.publish("", of: "old", in: &fusers)
        plan.recordStage([], fusers: stage.members.fusers)
        #expect(plan.members == [.node("bath"), .node("hall"), .fuser("main"), .fuser("second")])
        #expect(plan.nextStage(nodes, fusers, at: .start).isEmpty)
        Self.hear("attic", Self.settings(), in: &fusers)
        #expect(plan.nextStage(nodes, fusers, at: .start).members == [.fuser("attic")])
    }

    @Test("Change the fusers where no node differs, and not before named canaries")
    func fusersAlone() throws {
        let text = "all: {window: 2s}\nfusers: {away_after: 90s}\n"
        let fusers = Self.fusers([("main", Self.settings())])
        let good = FleetSettingsTests.nodes([("bath", true, FleetSettingsTests.info(window: 2))])
        let plan = RolloutPlan(try Self.desired(text), count: 2)
        #expect(plan.nextStage(good, fusers, at: .start).members == [.fuser("main")])
        let named = RolloutPlan(try Self.desired(text), canaries: ["bath"], count: 2)
        let nodes = FleetSettingsTests.nodes([
            ("bath", false, FleetSettingsTests.info()), ("hall", true, FleetSettingsTests.info()),
        ])
        #expect(named.lacksCanaries(nodes))
    }

    @Test("Record what a fuser had before an interrupted rollout, and give back that of nodes and fusers alike")
    func record() throws {
        var rollout = Rollout(
            id: "a", by: "anna", host: "", from: Self.start, until: Self.start.advanced(bySeconds: 30))
        let wanted = try Self.desired("all: {window: 2s}\nfusers: {away_after: 90s, detect_clones: false}\n")
        let nodes = FleetSettingsTests.nodes([("bath", true, FleetSettingsTests.info())])
        let fusers = Self.fusers([("main", Self.settings(120, ["away_after"]))])
        let stage = RolloutStage(nodes: ["bath": wanted.all], fusers: ["main": wanted.fusers])
        rollout.record(stage, nodes, fusers)
        let changed = Self.fusers([("main", Self.settings(90, ["away_after", "detect_clones"]))])
        rollout.record(RolloutStage(fusers: ["main": wanted.fusers]), nodes, changed)
        #expect(rollout.changed.members == [.node("bath"), .fuser("main")])
        let back = rollout.changed.reversal
        #expect(back.nodes["bath"]?.window == .restore)
        #expect(back.fusers["main"]?.awayAfter == .override(.seconds(120)))
        #expect(back.fusers["main"]?.detectsClones == .restore)
        // The broker returns it as it was.
        #expect(try Rollout(payload: rollout.payload.span).changed == rollout.changed)
        #expect(rollout.changed.filter { $0 == .fuser("main") }.members == [.fuser("main")])
        let words = FleetStatus.text(rollout, at: Self.start, isJSON: false)
        #expect(words.contains("changed: bath, fuser main"), "\(words)")
        let json = FleetStatus.text(rollout, at: Self.start, isJSON: true)
        #expect(json.contains(#""nodes":["bath"],"fusers":["main"]"#), "\(json)")
    }

    @Test("Show which fusers have the settings of the file, and one that is silent")
    func status() throws {
        var fusers = Self.fusers([
            ("main", Self.settings()), ("older", nil), ("second", Self.settings(90, ["away_after"])),
        ])
        Self.publish("offline", of: "attic", in: &fusers)
        let wanted = try Self.desired("fusers: {away_after: 90s}\n").fusers
        let rows = FleetFuserRow.rows(fusers, wanted, usualVersion: nil)
        let table = FleetFuserRow.table(rows)
        #expect(table.count == 5 && table[1].hasPrefix("attic   silent"))
        #expect(table[2].contains("other: away_after 1m of its file, not 90s"))
        #expect(table[3].contains("unknown") && table[4].contains("desired"))
        #expect(
            rows[1].json.contains(
                #""settings":"other","differences":[{"key":"away_after","now":"1m of its file","wanted":"90s"}]"#))
        let unmanaged = FleetFuserRow.table(FleetFuserRow.rows(fusers, FuserChanges(), usualVersion: nil))
        #expect(unmanaged[2].contains("not managed"))
    }
}
