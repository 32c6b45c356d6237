import Foundation
import WireProtocol
import Support
import Testing

/// The output of the built `whereabouts range`, for sources and from a broker.
@Suite struct RangeCommandTests {
    static let house = "simulate:" + Repository.root + "/etc/examples/simulation/house.yaml"
    static let items = Repository.root + "/etc/examples/simulation/items.yaml"

    struct Row: Decodable {
        struct Distance: Decodable {
            var m: Double
            var low: Double
            var high: Double
        }
        var id: String
        var item: String?
        var name: String?
        var url: String?
        var node: String
        var proximity: String
        var rssi: Double?
        var distance: Distance?
        var last_seen: Double
        var age_s: Double?
    }

    static func range(_ arguments: [String]) throws -> Execution.Outcome {
        try Execution.run(Execution.path(of: "whereabouts"), ["range"] + arguments)
    }

    static func rows(_ outcome: Execution.Outcome) throws -> [Row] {
        try outcome.lines.map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
    }

    @Test("Print one table of a simulated house after its first interval, without a broker and without colours")
    func once() throws {
        let outcome = try Self.range(["--source", Self.house, "--items", Self.items, "--once", "--speed", "20"])
        #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
        let text = String(decoding: outcome.output, as: UTF8.self)
        #expect(!text.contains("\u{1B}"))
        #expect(outcome.lines.first?.hasPrefix("NAME") == true)
        #expect(outcome.lines.count >= 2 && outcome.lines.count <= 4)
        #expect(text.contains("Anna's") || text.contains("The cat"))
    }

    /// A room with a beacon of a faint packet every three seconds, and a node of the given sensitivity.
    static func room(_ folder: TemporaryFolder, ears: Int) throws -> String {
        let text = """
            name: A room
            rooms: [{id: study, from: [0, 0], to: [3, 3]}]
            nodes: [{id: study, room: study, x: 1, y: 1, z: 1, offset_db: \(ears)}]
            beacons: [{id: keys, ibeacon: {uuid: 48534442-4C45-4144-80C0-1800FFFFFFF0, major: 1, minor: 1}, \
            interval: 3s, power: -100, x: 2, y: 1}]
            """
        return "simulate:" + (try folder.write(Array(text.utf8), to: "room.yaml"))
    }

    @Test("Wait ten intervals for the first beacon of one table", arguments: [(40, 2), (-40, 0)])
    func patience(_ ears: Int, _ lines: Int) throws {
        let folder = try TemporaryFolder()
        let room = try Self.room(folder, ears: ears)
        let outcome = try Self.range(["--source", room, "--once", "--speed", "20"])
        #expect(outcome.status == 0 && outcome.lines.count == lines)
        #expect(outcome.error == (lines > 0 ? "" : "whereabouts range: no beacon was heard of late\n"))
    }

    @Test("Print each row as an object with --json, the nearest first, and the same each time at full speed")
    func onceJSON() throws {
        let words = [
            "--source", Self.house, "--items", Self.items, "--once", "--json", "--speed", "max", "--for", "20s",
        ]
        let outcome = try Self.range(words)
        let rows = try Self.rows(outcome)
        #expect(Set(rows.map(\.item)) == ["keys", "phone", "cat"])
        #expect(Set(rows.map(\.name)) == ["Anna's keys", "Anna's phone", "The cat"])
        #expect(rows.allSatisfy { $0.node == "kitchen" && $0.age_s != nil })
        let metres = rows.filter { $0.proximity != "unknown" }.map { $0.distance?.m ?? .infinity }
        #expect(metres == metres.sorted() && !metres.isEmpty)
        #expect(try Self.range(words).output == outcome.output)
        let elsewhere = try Self.rows(try Self.range(words + ["--node", "bedroom"]))
        #expect(elsewhere.allSatisfy { $0.node == "bedroom" } && !elsewhere.isEmpty)
    }

    @Test("Print a line for each window without --once, until the time is over")
    func lines() throws {
        let rows = try Self.rows(
            try Self.range(["--source", Self.house, "--json", "--speed", "max", "--for", "30s"]))
        #expect(rows.count > 30)
        #expect(rows.map(\.last_seen) == rows.map(\.last_seen).sorted())
        #expect(rows.allSatisfy { $0.age_s == nil })
    }

    @Test("Print all receptions of a capture in its table, and the number left out")
    func replay() throws {
        let outcome = try Self.range(["--source", "replay:" + GeneratedCapture.path, "--speed", "max"])
        #expect(outcome.status == 0)
        let all = try Self.range(["--source", "replay:" + GeneratedCapture.path, "--speed", "max", "--all"])
        #expect(all.lines.count > outcome.lines.count && outcome.lines.count > 12)
        #expect(String(decoding: all.output, as: UTF8.self).contains("https://example.org/"))
    }

    @Test("Report a truncated recording with its place and status 1, after the receptions before")
    func broken() throws {
        let folder = try TemporaryFolder()
        let capture = try Data(contentsOf: URL(filePath: GeneratedCapture.path))
        let path = try folder.write(Array(capture.prefix(5000)), to: "cut.btsnoop")
        let outcome = try Self.range(["--source", "replay:" + path, "--speed", "max", "--all"])
        #expect(outcome.status == 1 && outcome.lines.count > 3)
        #expect(outcome.error.contains("cut.btsnoop: cut short at byte 5000"))
        let whole = ["--source", "replay:" + GeneratedCapture.path, "--speed", "max", "--all"]
        let both = try Self.range(["--source", "replay:\(path),\(GeneratedCapture.path)", "--speed", "max", "--all"])
        let lines = try Self.range(whole).lines.count
        #expect(both.status == 1 && both.lines.count == lines, "the next file is heard")
    }

    @Test(
        "Report a missing source with the remedy",
        arguments: [
            (["--source", "replay:/nonexistent.btsnoop"], 2, "does not exist"),
            (["--source", "hci:hci99"], 1, "source hci:hci99: "),
            (["--source", "hci:kitchen"], 2, "hci:kitchen is no adapter; give hci:auto, hci:hci0 or"),
            (["--source", "bluetooth"], 2, "expected hci:ADAPTER"),
            (["--source", house, "--node", "attic"], 2, "no node 'attic'; it has kitchen, living, bedroom"),
            (["--source", house, "--speed", "fast"], 2, "--speed takes a number"),
            (["--source", house, "--broker", "mqtt://127.0.0.1:1"], 2, "give one of them"),
            (["--broker", "mqtt://127.0.0.1:1", "--speed", "2"], 2, "--speed is for --source alone"),
            (["--broker", "mqtt://127.0.0.1:1", "--node", "Küche"], 2, "--node: 'Küche' can't be an id"),
            (["--source", house, "--for", "soon"], 2, "--for takes such as 30s"),
            (["--source", house, "--items", "/nonexistent.yaml"], 2, "nonexistent.yaml"),
        ] as [([String], Int32, String)])
    func missing(_ words: [String], _ status: Int32, _ sentence: String) throws {
        let outcome = try Self.range(words)
        #expect(outcome.status == status)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains(sentence), "\(outcome.error)")
    }
}

/// `range` against a real broker.
@Suite(.inTurn, .enabled(if: Broker.isInstalled, "\(Broker.missing)")) struct RangeBrokerTests {
    /// An agent in the simulated flat.
    static func agent(_ node: String, _ broker: Broker, _ folder: TemporaryFolder) throws -> ChildProcess {
        let text = """
            node: \(node)
            source: "\(RangeCommandTests.house)"
            mqtt: {url: "\(broker.url)"}
            items: "\(RangeCommandTests.items)"
            """
        let path = try folder.write(Array(text.utf8), to: "\(node).yaml")
        return try ChildProcess(
            Execution.path(of: "whereabouts-agent"), ["--config", path, "--speed", "4"],
            output: folder.file("\(node).log"))
    }

    @Test("Combine all gateways' windows in one table, with names and the node of the best reception")
    func once() throws {
        let broker = try Broker()
        let folder = try TemporaryFolder()
        let agents = [try Self.agent("kitchen", broker, folder), try Self.agent("living", broker, folder)]
        defer { for agent in agents { agent.terminate() } }
        // Both must have said `online`, or the table is that of the other alone.
        #expect(waitUntil(20) { ["kitchen", "living"].allSatisfy { broker.log.contains("nodes/\($0)/scan") } })
        let words = ["--broker", broker.url, "--items", RangeCommandTests.items, "--once"]
        let outcome = try RangeCommandTests.range(words)
        #expect(outcome.status == 0, "\(outcome.error)")
        let head = try #require(outcome.lines.first)
        #expect(head.hasPrefix("NAME") && head.contains("NODE") && outcome.lines.count > 1)
        let rows = try RangeCommandTests.rows(try RangeCommandTests.range(words + ["--json"]))
        #expect(!rows.isEmpty)
        #expect(rows.allSatisfy { ["kitchen", "living"].contains($0.node) })
        #expect(Set(rows.compactMap(\.name)).isSubset(of: ["Anna's keys", "Anna's phone", "The cat"]))
        let named = ["--config", folder.file("kitchen.yaml"), "--once", "--json"]
        #expect(try RangeCommandTests.rows(try RangeCommandTests.range(named)).contains { $0.name != $0.item })
        let one = try RangeCommandTests.rows(
            try RangeCommandTests.range(words + ["--json", "--node", "living", "--for", "4s"]))
        #expect(!one.isEmpty && one.allSatisfy { $0.node == "living" })
        let lines = try RangeCommandTests.rows(
            try RangeCommandTests.range(["--broker", broker.url, "--json", "--for", "4s"]))
        #expect(Set(lines.map(\.node)) == ["kitchen", "living"])
        #expect(lines.allSatisfy { $0.name == $0.item }, "without names the ids stand for them")
    }

    @Test("Wait for a node that was started just before, as long as it may need")
    func waiting() async throws {
        let broker = try Broker()
        let deployment = try Deployment(broker)
        let range = try RunningProgram("whereabouts", ["range", "--broker", broker.url, "--once"])
        // Longer than retained messages take: there is no node so far.
        #expect(try await range.status(within: 4) == nil, "\(range.errors)")
        let agents = try deployment.startAgents(["kitchen"])
        #expect(try await range.status(within: 40) == 0, "\(range.errors)")
        #expect(range.output.contains("  kitchen  "), "\(range.output)\(range.errors)")
        for agent in agents { agent.process.send(SIGTERM) }
    }

    @Test("Report that no node is online with the remedy and status 1, in place of an empty table")
    func nobody() throws {
        let broker = try Broker()
        let outcome = try RangeCommandTests.range(["--broker", broker.url, "--once"])
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.error.contains("no node is online at \(broker.url): start whereabouts-agent on a gateway"))
    }

    @Test("Report an unreachable broker with the remedy and status 1")
    func noBroker() throws {
        let broker = try Broker(started: false)
        let outcome = try RangeCommandTests.range(["--broker", broker.url, "--once"])
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.error.contains("no connection to \(broker.url)"))
    }
}
