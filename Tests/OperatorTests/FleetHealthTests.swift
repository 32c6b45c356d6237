import Bytes
import Support
import Testing
import WireProtocol

@testable import Operator

/// The verdict of `fleet apply` on the health after a change, on made-up series of messages.
@Suite struct FleetHealthTests {
    private static let topics = FleetSettingsTests.topics

    /// A house whose nodes and items send a message a second, on a clock of its own.
    private struct MadeUpHouse {
        var nodes = FleetNodes(topics)
        var monitor = FleetMonitor(topics, at: .start)
        var now = MonotonicTime.start
        /// The seconds between two scans of a node, which are the length of an interval too; 0 for none.
        var spacing = ["a": 1, "b": 1, "c": 1]
        var gap = ["a": 0.02], reports = ["a": 20]
        var dropped: UInt64 = 0
        var rooms: [String: String] = [:]
        var confidence = 0.9
        /// The claims of fusers, which come every three seconds.
        var claims: [String: Claim] = [:]
        private var events = 0

        init(items: Int) {
            for item in 0..<items { rooms["item-\(item)"] = "room-\(["a", "b", "c"][item % 3])" }
            for id in spacing.keys { publishInfo(id) }
        }

        mutating func publishInfo(
            _ id: String, problems: [String] = [], radio: String? = nil, fault: String? = nil
        ) {
            var info = FleetSettingsTests.info(room: "room-\(id)")
            info.problems = problems
            info.radio = radio.map { RadioStatus(state: $0) }
            info.radio?.problem = fault
            var json = JSONWriter()
            info.write(to: &json)
            nodes.receive(Message(topic: topics.nodeStatus(id), payload: Array("online".utf8)))
            nodes.receive(Message(topic: topics.nodeInfo(id), payload: json.bytes))
        }

        /// Lives for some seconds, in which so many moves happen between two rooms.
        mutating func live(
            _ seconds: Int, moves: Int = 0, _ meanwhile: (inout MadeUpHouse, Int) -> Void = { _, _ in }
        ) -> FleetMonitor.Measures {
            monitor.begin(at: now, seconds: Double(seconds))
            for second in 0..<seconds {
                meanwhile(&self, second)
                now = now + .seconds(1)
                for (id, spacing) in spacing where spacing > 0 && second % spacing == spacing - 1 { scan(id, spacing) }
                if second % 3 == 2 { for fuser in claims.keys { publishClaim(fuser) } }
                for (item, room) in rooms { locate(item, room) }
                if second < moves { move("item-\(second % max(1, rooms.count))") }
                monitor.sample(at: now)
            }
            return monitor.measures(of: nodes, at: now)
        }

        private mutating func scan(_ id: String, _ seconds: Int) {
            let end = Timestamp(microseconds: now.nanoseconds / 1000)
            var scan = Scan(
                from: end.advanced(bySeconds: -Double(seconds)), to: end, seq: 1, registry: "", epoch: "e")
            scan.reports = (reports[id] ?? 20) * seconds
            scan.gapMilliseconds = Int((gap[id] ?? 0.02) * 1000) * seconds
            scan.dropped = dropped
            var json = JSONWriter()
            scan.write(to: &json)
            monitor.receive(Message(topic: topics.scan(id), payload: json.bytes), at: now)
        }

        private mutating func publishClaim(_ fuser: String) {
            guard let claim = claims[fuser] else { return }
            monitor.receive(Message(topic: topics.fuserClaim(fuser), payload: claim.payload), at: now)
        }

        private mutating func locate(_ item: String, _ room: String) {
            let time = Timestamp(microseconds: 0)
            let location = Location(
                fuser: "main", state: room == "away" ? .away : .present, room: room == "away" ? nil : room,
                confidence: confidence, since: time, previous: nil, at: time)
            var json = JSONWriter()
            location.write(to: &json)
            monitor.receive(
                Message(topic: topics.location(item), payload: json.bytes), at: now)
        }

        private mutating func move(_ item: String) {
            events += 1
            let time = Timestamp(microseconds: 0)
            let event = ItemEvent(
                fuser: "main", epoch: "e", seq: UInt64(events), itemSeq: 1, id: "m\(events)", at: time, notBefore: time,
                kind: .moved, room: "room-a", previous: "room-b")
            var json = JSONWriter()
            event.write(to: &json)
            let message = Message(topic: topics.itemEvents(item), payload: json.bytes)
            monitor.receive(message, at: now)
            // Another fuser publishes the same move.
            monitor.receive(message, at: now)
        }
    }

    private static func faults(
        items: Int = 30, before: (inout MadeUpHouse) -> FleetMonitor.Measures = { $0.live(60, moves: 6) },
        after: (inout MadeUpHouse) -> FleetMonitor.Measures
    ) -> [String] {
        var house = MadeUpHouse(items: items)
        let old = before(&house), new = after(&house)
        return HealthVerdict.faults(before: old, after: new, changed: ["a"], rooms: ["room-a"]).map(\.words)
    }

    @Test("Report nothing of a house that lives as before, however long it is watched", arguments: [10, 60, 600])
    func healthy(seconds: Int) {
        #expect(Self.faults { $0.live(seconds, moves: seconds / 10) } == [])
        let busier = Self.faults {
            $0.confidence = 0.85
            $0.gap["a"] = 0.08
            $0.reports["a"] = 12
            return $0.live(seconds, moves: seconds / 8)
        }
        #expect(busier == [])
    }

    @Test("Report a node that is silent, or whose intervals are so long that it counts as deaf")
    func silence() {
        #expect(
            Self.faults {
                $0.spacing["a"] = 0
                return $0.live(30, moves: 3)
            } == ["node a: silence 30 s, before 1 s"])
        #expect(
            Self.faults {
                $0.spacing["a"] = 60
                return $0.live(120, moves: 12)
            } == ["node a: silence 60 s, before 1 s"])
        #expect(
            Self.faults {
                $0.spacing["b"] = 0
                return $0.live(30, moves: 3)
            } == [])
        // One that was as silent before is no worse.
        #expect(
            Self.faults {
                $0.spacing["a"] = 0
                return $0.live(60, moves: 6)
            } after: {
                $0.live(30, moves: 3)
            } == [])
        // Nor is one that fell silent before, however long it is watched.
        #expect(
            Self.faults {
                $0.live(60, moves: 6) { house, second in if second == 20 { house.spacing["a"] = 0 } }
            } after: {
                $0.live(600, moves: 60)
            } == [])
    }

    /// A house whose fuser publishes its last claim at a second of a minute, and the measures of that minute.
    private static func silencedFuser(after second: Int) -> (house: MadeUpHouse, before: FleetMonitor.Measures) {
        var house = MadeUpHouse(items: 30)
        house.claims["a"] = Claim(shards: 0...255, state: .serving, epoch: "0000000a", lastEvent: 0, seq: 1)
        let before = house.live(60) { house, now in if now == second { house.claims["a"] = nil } }
        return (house, before)
    }

    @Test("Blame no change for a fuser that fell silent before it, and wait for one that may have")
    func silentBefore() {
        var (house, before) = Self.silencedFuser(after: 21)
        #expect(HealthVerdict.silentMembers(before) == [.fuser("a")] && !HealthVerdict.isUndecided(before))
        let silent = house.live(600)
        #expect(HealthVerdict.faults(before: before, after: silent, changed: ["a"], rooms: ["room-a"]) == [])
        // It may begin anew within half a minute.
        (house, before) = Self.silencedFuser(after: 45)
        #expect(HealthVerdict.silentMembers(before) == [] && HealthVerdict.isUndecided(before))
        let decided = house.monitor.measures(of: house.nodes, at: house.now + .seconds(16))
        #expect(HealthVerdict.silentMembers(decided).contains(.fuser("a")) && !HealthVerdict.isUndecided(decided))
        // One that lives claims every three seconds.
        (house, before) = Self.silencedFuser(after: 60)
        #expect(HealthVerdict.silentMembers(before) == [] && !HealthVerdict.isUndecided(before))
        house.claims["a"] = nil
        let late = house.live(60)
        let faults = HealthVerdict.faults(before: before, after: late, changed: ["a"], rooms: ["room-a"])
        #expect(faults.map(\.words).contains("fuser a: silence 60 s, before 0 s"))
    }

    @Test("Name the nodes that are online and silent before a change, and none that are offline")
    func silentNodes() {
        var house = MadeUpHouse(items: 30)
        house.spacing["a"] = 0
        house.spacing["b"] = 0
        house.nodes.receive(Message(topic: Self.topics.nodeStatus("b"), payload: Array("offline".utf8)))
        let before = house.live(60)
        #expect(HealthVerdict.silentMembers(before) == [.node("a")])
    }

    @Test("Take no node with long windows for silent, and judge its silence all the same")
    func longWindows() {
        var house = MadeUpHouse(items: 30)
        house.spacing["a"] = 60
        let before = house.live(100)
        #expect(HealthVerdict.silentMembers(before).isEmpty)
        house.spacing["a"] = 0
        let after = house.live(200)
        let faults = HealthVerdict.urgentFaults(before: before, after: after, changed: ["a"])
        #expect(faults.map(\.measure) == ["silence"])
    }

    @Test("Report a node that scans less, hears less, drops more, or has a new problem")
    func nodes() {
        #expect(
            Self.faults {
                $0.gap["a"] = 0.3
                return $0.live(60, moves: 6)
            } == ["node a: gap 30 %, before 2 %"])
        #expect(
            Self.faults {
                $0.reports["a"] = 8
                return $0.live(60, moves: 6)
            } == ["node a: reports a second 8, before 20"])
        #expect(
            Self.faults {
                $0.dropped = 60
                return $0.live(60, moves: 6)
            } == ["node a: dropped a second 1, before 0"])
        let problems = Self.faults {
            $0.publishInfo("a", problems: ["the clock is wrong"], radio: "recovering")
            return $0.live(60, moves: 6)
        }
        #expect(
            problems == [
                "node a: problem 'radio: recovering', before none", "node a: problem 'the clock is wrong', before none",
            ])
    }

    @Test("A number that grew in a problem's text is no new problem, and a name with another number is one")
    func numbersInProblems() {
        func faults(_ before: String, _ after: String) -> [String] {
            Self.faults(before: { house in
                house.publishInfo("a", problems: [before])
                return house.live(60, moves: 6)
            }) { house in
                house.publishInfo("a", problems: [after])
                return house.live(60, moves: 6)
            }
        }
        #expect(faults("history: 12 rows were deleted", "history: 250 rows were deleted") == [])
        #expect(
            faults("room-3 has no node", "room-4 has no node") == [
                "node a: problem 'room-4 has no node', before none"
            ])
    }

    @Test("Name the state and the fault of a radio in the same words in the list and in the verdict")
    func radio() throws {
        var house = MadeUpHouse(items: 3)
        house.publishInfo("a", problems: ["the clock is wrong"], radio: "waiting", fault: "adapter_blocked")
        house.publishInfo("b", radio: "scanning", fault: "adapter_silent")
        house.publishInfo("c", radio: "scanning")
        let measures = house.live(10)
        let table = FleetRow.table(FleetRow.rows(house.nodes, DesiredSettings()))
        for (row, (node, words)) in [
            ("a", ["the clock is wrong", "radio: waiting", "radio: adapter_blocked"]), ("b", ["radio: adapter_silent"]),
            ("c", []),
        ].enumerated() {
            #expect(try #require(measures.nodes[node]).problems == Set(words))
            #expect(table[row + 1].hasPrefix(node) && table[row + 1].hasSuffix(words.joined(separator: "; ")))
        }
    }

    @Test("Report a fuser that an upgrade silenced, that serves fewer shards, or that has a new problem")
    func fusers() {
        func faults(_ change: (inout MadeUpHouse) -> Void) -> [String] {
            Self.faults(before: { house in
                for (name, shards) in [("a", 0...127), ("b", 128...255)] as [(String, ClosedRange<UInt8>)] {
                    house.claims[name] = Claim(shards: shards, state: .serving, epoch: "0000000a", lastEvent: 0, seq: 1)
                }
                return house.live(60, moves: 6)
            }) { house in
                change(&house)
                return house.live(60, moves: 6)
            }
        }
        #expect(faults { _ in } == [])
        // The answers of the silent one stand, and no event comes.
        #expect(
            faults { $0.claims["b"] = nil } == [
                "fuser b: silence 60 s, before 0 s", "house: shards served 128, before 256",
            ])
        #expect(faults { $0.claims["b"]?.state = .starting } == ["house: shards served 128, before 256"])
        let problem = "the broker denies whereabouts/nodes/+/info: not authorized"
        #expect(faults { $0.claims["a"]?.problems = [problem] } == ["fuser a: problem '\(problem)', before none"])
        // Another one that takes over is as good.
        #expect(
            faults { house in
                house.claims["b"]?.state = .standby
                house.claims["a"]?.shards = 0...255
            } == [])
        // It begins anew within half a minute.
        var house = MadeUpHouse(items: 30)
        house.claims["a"] = Claim(shards: 0...255, state: .serving, epoch: "0000000a", lastEvent: 0, seq: 1)
        let before = house.live(60)
        let claim = house.claims["a"]
        let restarted = house.live(60) { house, second in
            if second == 0 { house.claims["a"] = nil }
            if second == 28 { house.claims["a"] = claim }
        }
        #expect(HealthVerdict.faults(before: before, after: restarted, changed: ["a"], rooms: ["room-a"]) == [])
    }

    @Test("Show the fusers with their versions and the shards that they serve")
    func status() {
        var fusers = FleetFusers(Self.topics)
        var claim = Claim(shards: 0...255, state: .serving, epoch: "0000000a", lastEvent: 0, seq: 1)
        claim.version = "0.1.0-988"
        fusers.receive(Message(topic: Self.topics.fuserClaim("main"), payload: claim.payload), at: .start)
        claim.state = .standby
        claim.version = "0.1.0-989"
        claim.problems = ["the disk rejects writes"]
        fusers.receive(Message(topic: Self.topics.fuserClaim("second"), payload: claim.payload), at: .start)
        let rows = FleetFuserRow.rows(fusers, FuserChanges(), usualVersion: "0.1.0-989")
        #expect(
            FleetFuserRow.table(rows) == [
                "FUSER   STATE    VERSION                      SETTINGS  SHARDS      PROBLEMS",
                "main    serving  0.1.0-988 (most: 0.1.0-989)  unknown   256 of 256",
                "second  standby  0.1.0-989                    unknown   0 of 256    the disk rejects writes",
            ])
        #expect(
            rows[0].json.hasPrefix(
                #"{"fuser":"main","state":"serving","version":"0.1.0-988","usual_version":"0.1.0-989","settings":"unknown","#
            ))
        #expect(rows[0].json.hasSuffix(#""differences":[],"shards":256,"problems":[]}"#))
    }

    @Test("Judge no items by a watch that ends before they were counted")
    func early() {
        var house = MadeUpHouse(items: 30)
        let before = house.live(60, moves: 6)
        house.monitor.begin(at: house.now, seconds: 60)
        house.publishInfo("a", problems: ["the clock is wrong"])
        let after = house.monitor.measures(of: house.nodes, at: house.now + .seconds(5))
        let faults = HealthVerdict.faults(before: before, after: after, changed: ["a"], rooms: ["room-a"])
        #expect(faults.map(\.measure) == ["problem"])
    }

    @Test("Excuse a silence and drops while the broker was away")
    func outage() {
        var house = MadeUpHouse(items: 30)
        let before = house.live(60, moves: 6)
        let after = house.live(60, moves: 6) { house, second in
            guard second == 20 else { return }
            house.now = house.now + .seconds(25)
            house.monitor.excuseOutage(at: house.now)
            house.dropped += 500
        }
        #expect(HealthVerdict.faults(before: before, after: after, changed: ["a"], rooms: ["room-a"]) == [])
        let silent = house.live(60, moves: 6) { house, second in
            if second == 20 { house.now = house.now + .seconds(25) }
        }
        let faults = HealthVerdict.faults(before: before, after: silent, changed: ["a"], rooms: ["room-a"])
        #expect(faults.map(\.words) == ["node a: silence 26 s, before 1 s"])
    }

    @Test("Report a house whose items gather, move more or vanish, or whose answers are less sure")
    func house() {
        let gathered = Self.faults {
            for item in 0..<30 { $0.rooms["item-\(item)"] = "room-a" }
            return $0.live(60, moves: 6)
        }
        #expect(gathered == ["room room-a: items 30, before 10"])
        let emptied = Self.faults {
            for item in 0..<30 { $0.rooms["item-\(item)"] = "room-b" }
            return $0.live(60, moves: 6)
        }
        #expect(emptied == ["room room-a: items 0, before 10"])
        let restless = Self.faults { $0.live(60, moves: 40) }
        #expect(
            restless == [
                "room room-a: events a minute 40, before 6", "house: events a minute 40, before 6",
            ])
        let vanished = Self.faults {
            for item in 0..<30 where item % 3 != 0 { $0.rooms["item-\(item)"] = "away" }
            return $0.live(60, moves: 6)
        }
        #expect(vanished == ["house: items present 10, before 30"])
        let unsure = Self.faults {
            $0.confidence = 0.7
            return $0.live(60, moves: 6)
        }
        #expect(unsure == ["house: confidence 70 %, before 90 %"])
    }

    @Test("Report nothing where a few tags move once, in a small house either")
    func small() {
        #expect(Self.faults(items: 3, before: { $0.live(60) }) { $0.live(60, moves: 5) } == [])
    }

    @Test("Sum what a node says that it dropped without a trap, however much it says")
    func droppedWithoutBound() {
        var house = MadeUpHouse(items: 0)
        let measures = house.live(4_200) { house, second in house.dropped = second % 2 == 0 ? 0 : 1 << 53 }
        #expect((measures.nodes["a"]?.dropped ?? 0) > 1e15)
    }

    /// Random houses without any change: how often one is reported by chance alone.
    @Test("Report at most one in a hundred houses that move by chance alone")
    func chance() {
        var generator = SeededGenerator(seed: 35)
        var alarms = 0
        for _ in 0..<200 {
            let rate = Double.random(in: 0...0.5, using: &generator)
            let first = (0..<60).count { _ in Double.random(in: 0..<1, using: &generator) < rate }
            let second = (0..<300).count { _ in Double.random(in: 0..<1, using: &generator) < rate }
            let faults = Self.faults(items: 12, before: { $0.live(60, moves: first) }) { $0.live(300, moves: second) }
            alarms += faults.isEmpty ? 0 : 1
        }
        print("\(alarms) of 200 houses without a change are reported")
        #expect(alarms <= 2)
    }
}
