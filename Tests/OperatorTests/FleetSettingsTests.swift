import Bytes
import Configuration
import Testing
import WireProtocol

@testable import Operator

/// The desired settings of a fleet: their file, the differences, and the order of a rollout.
@Suite struct FleetSettingsTests {
    static let topics = Topics()

    static func info(
        window: Double = 1, exitAfter: Double? = nil, offset: Int = 0, overridden: [String] = [], room: String = "room",
        version: String = "1"
    ) -> NodeInfo {
        var info = NodeInfo(
            version: version, room: room, adapter: "hci0", started: Timestamp(microseconds: 0), epoch: "e",
            window: window,
            publishesAll: false, registry: "")
        (info.exitAfter, info.offset, info.overridden) = (exitAfter, offset, overridden)
        return info
    }

    static func nodes(_ list: [(id: String, isOnline: Bool, info: NodeInfo)]) -> FleetNodes {
        var nodes = FleetNodes(topics)
        for (id, isOnline, info) in list {
            var json = JSONWriter()
            info.write(to: &json)
            nodes.receive(Message(topic: topics.nodeStatus(id), payload: Array((isOnline ? "online" : "offline").utf8)))
            nodes.receive(Message(topic: topics.nodeInfo(id), payload: json.bytes))
        }
        return nodes
    }

    private static func faults(_ text: String) -> [String] {
        do throws(ConfigurationFaults) {
            _ = try SettingsFile.load(text: text, file: "settings.yaml")
            return []
        } catch {
            return error.faults.map { "\($0.position.line): \($0.message)" }
        }
    }

    @Test("Prefer a node's own key, leave an absent one alone, and restore the file's value by null")
    func file() throws {
        let settings = try SettingsFile.load(
            text: """
                all: {window: 1s, publish: registered, exit_after: 30s}
                nodes:
                  kitchen: {offset_db: -3}
                  hall: {window: 500ms, exit_after: null}
                """, file: "settings.yaml")
        let kitchen = settings.settings(of: "kitchen"), hall = settings.settings(of: "hall")
        #expect(kitchen.window == .override(.seconds(1)) && kitchen.offset == .override(-3))
        #expect(hall.window == .override(.milliseconds(500)) && hall.exitAfter == .restore && hall.offset == nil)
        #expect(settings.settings(of: "bath") == settings.all && settings.all.publishesAll == .override(false))
    }

    @Test("Report all faults of a file at once, each with its line, and accept no secret")
    func faults() {
        let found = Self.faults(
            """
            all: {window: 61s, publish: everything, token: abc}
            nodes:
              kitchen: {offset_db: -41, exitafter: 30s}
              The hall: {window: 1s}
              keyroom: {window: }
              bath: {irk: 00112233445566778899aabbccddeeff}
            mqtt_password: secret
            """)
        let expected = [
            "1: expected a duration from 100ms to 1m", "1: expected one of registered, all",
            "1: 'token' looks like a secret",
            "3: expected a whole number from -40 to 40", "3: unknown key", "4: ", "5: expected a value, or null",
            "6: 'irk' looks like a secret", "7: 'mqtt_password' looks like a secret",
        ]
        #expect(found.count == expected.count, "\(found)")
        for words in expected { #expect(found.contains { $0.hasPrefix(words) }, "\(words) in \(found)") }
        #expect(!found.contains { $0.contains("00112233") || $0.contains("abc") })
    }

    @Test("Find differences by the value in force, and reverse them to the override or the file's value")
    func difference() throws {
        var wanted = NodeChanges()
        wanted.window = .override(.milliseconds(500))
        wanted.exitAfter = .restore
        wanted.offset = .override(-3)
        let info = Self.info(window: 0.5, exitAfter: 20, offset: 2, overridden: ["exit_after", "offset_db"])
        let missing = wanted.missing(in: info)
        #expect(missing.window == nil && missing.exitAfter == .restore && missing.offset == .override(-3))
        let back = missing.reversal(in: info)
        #expect(back.window == nil && back.exitAfter == .override(.seconds(20)) && back.offset == .override(2))
        let untouched = Self.info(exitAfter: 20, offset: 2)
        #expect(wanted.missing(in: untouched).exitAfter == nil)
        #expect(wanted.missing(in: untouched).reversal(in: untouched).offset == .restore)
        #expect(
            missing.lines(in: info) == [
                .init(key: "exit_after", now: "20s", wanted: "that of its file"),
                .init(key: "offset_db", now: "2", wanted: "-3"),
            ])
    }

    @Test("Change canaries first, then the others, then one that comes online; leave one that is off pending")
    func stages() {
        var desired = DesiredSettings()
        desired.all.window = .override(.milliseconds(500))
        desired.nodes["attic"] = NodeChanges()
        let old = Self.info(), new = Self.info(window: 0.5)
        var plan = RolloutPlan(desired, count: 2)
        var nodes = Self.nodes([
            ("bath", true, new), ("hall", true, old), ("kitchen", true, old), ("living", true, old),
            ("shed", false, old),
        ])
        #expect(plan.nextStage(nodes).keys.sorted() == ["hall", "kitchen"])
        plan.recordStage(["hall", "kitchen"])
        #expect(plan.nextStage(nodes).keys.sorted() == ["living"])
        plan.recordStage(["living"])
        #expect(plan.nextStage(nodes).isEmpty)
        #expect(plan.pending(nodes).offline == ["shed"] && plan.pending(nodes).unknown == ["attic"])
        nodes.receive(Message(topic: Self.topics.nodeStatus("shed"), payload: Array("online".utf8)))
        #expect(plan.nextStage(nodes).keys.sorted() == ["shed"])
        let named = RolloutPlan(desired, canaries: ["living", "bath"], count: 2)
        #expect(named.nextStage(nodes).keys.sorted() == ["living"] && named.idleCanaries(nodes) == ["bath"])
    }

    @Test("Begin with a named canary that an interrupted rollout changed, and with none where it went offline")
    func canaries() {
        var desired = DesiredSettings()
        desired.all.window = .override(.seconds(2))
        let plan = RolloutPlan(desired, canaries: ["bath"], count: 2)
        var changed = Self.info()
        changed.window = 2
        let interrupted = Self.nodes([("bath", true, changed), ("hall", true, Self.info())])
        #expect(plan.idleCanaries(interrupted) == ["bath"])
        #expect(plan.idleCanaries(interrupted, givenBack: ["bath"]).isEmpty)
        let silent = Self.nodes([("bath", false, Self.info()), ("hall", true, Self.info())])
        #expect(plan.idleCanaries(silent, givenBack: ["bath"]) == ["bath"])
        #expect(plan.nextStage(silent).isEmpty && plan.lacksCanaries(silent))
        #expect(!plan.lacksCanaries(Self.nodes([("bath", true, changed), ("hall", true, changed)])))
    }

    @Test("Give back what a node had before an interrupted rollout, and not what that had set")
    func record() {
        let time = Timestamp(microseconds: 0)
        var rollout = Rollout(id: "a", by: "anna", host: "", from: time, until: time.advanced(bySeconds: 30))
        #expect(rollout.isRunning(at: time) && !rollout.isRunning(at: time.advanced(bySeconds: 30)))
        var changes = NodeChanges()
        changes.window = .override(.seconds(60))
        rollout.record(changes, of: "hall", Self.info(window: 2, overridden: ["window"]))
        changes.offset = .override(3)
        rollout.record(changes, of: "hall", Self.info(window: 60, overridden: ["window"]))
        #expect(rollout.nodes.count == 1 && rollout.nodes[0].before.window == .override(.seconds(2)))
        #expect(rollout.nodes[0].before.offset == .restore)
    }

    @Test("Show a node with other settings, an odd version, and one that was never seen")
    func rows() throws {
        let desired = try SettingsFile.load(text: "all: {window: 1s}\nnodes:\n  attic: {}\n", file: "settings.yaml")
        let nodes = Self.nodes([
            ("bath", true, Self.info(version: "2")), ("hall", false, Self.info(window: 5, version: "2")),
            ("shed", true, Self.info(version: "1")),
        ])
        let table = FleetRow.table(FleetRow.rows(nodes, desired))
        #expect(table.count == 5)
        #expect(table[1].hasPrefix("attic  never seen"))
        #expect(table[2].contains("online") && table[2].contains("desired"))
        #expect(table[3].contains("offline") && table[3].contains("other: window 5s of its file, not 1s"))
        #expect(table[4].contains("1 (most: 2)"))
        #expect(FleetRow.table(FleetRow.rows(nodes, DesiredSettings()))[1].contains("not managed"))
    }
}
