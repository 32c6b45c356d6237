import BeaconFrames
import Bytes
import Glibc
import Identity
import MQTT
import WireProtocol
import Support
import Testing

/// `whereabouts items` against a real broker.
@Suite(.inTurn, .enabled(if: Broker.isInstalled, "\(Broker.missing)"))
struct ItemsTests {
    static let uuid = "48534442-4c45-4144-80c0-1800fffffff0"
    static let beaconData = """
        [{"id":1001,"name":"Beacon1","info":{"uuid":"48534442-4C45-4144-80C0-1800FFFFFFF0","major":100,"minor":1}},
         {"id":1002,"name":"Beacon2","info":{"uuid":"48534442-4C45-4144-80C0-1800FFFFFFF0","major":100,"minor":2}}]
        """

    static func items(_ broker: Broker, _ words: [String], input: String = "") throws -> Execution.Outcome {
        try Execution.run(
            Execution.path(of: "whereabouts"), ["items"] + words + ["--broker", broker.url], input: Array(input.utf8))
    }

    /// The output of the list: `id retained identities…`, a line an item.
    static func list(_ broker: Broker) throws -> [String] {
        let outcome = try items(broker, ["list"])
        return outcome.lines.dropFirst().map { line in
            line.split(separator: " ").map(String.init).filter { !["topic", "Beacon1", "Beacon2"].contains($0) }
                .joined(separator: " ")
        }
    }

    @Test("Try, import and list a BeaconData.json, and change nothing by a second import")
    func beaconData() throws {
        let broker = try Broker()
        let folder = try TemporaryFolder()
        let file = try folder.write(Array(Self.beaconData.utf8), to: "BeaconData.json")
        let dry = try Self.items(broker, ["import", file, "--dry-run"])
        #expect(dry.status == 0 && dry.lines.count == 2)
        #expect(try Self.list(broker).isEmpty)
        let real = try Self.items(broker, ["import", file])
        #expect(real.status == 0, "\(real.error)")
        #expect(
            try Self.list(broker) == [
                "beacon1 iBeacon:\(Self.uuid)-100-1 retained", "beacon2 iBeacon:\(Self.uuid)-100-2 retained",
            ])
        let again = try Self.items(broker, ["import", file])
        #expect(again.error.contains("0 of 2 written"))
    }

    @Test("End with 1 and say so where the disk of the output is full")
    func fullOutput() throws {
        let broker = try Broker()
        let program = Execution.path(of: "whereabouts")
        let add = ["add", "keys", "--ibeacon", "\(Self.uuid),100,1"]
        for words in [add, ["list"], ["list", "--json"], ["export"], ["export", "--csv"], ["remove", "keys"]] {
            let outcome = try Execution.run(
                "/bin/bash",
                ["-c", "exec \"$0\" \"$@\" >/dev/full", program, "items"] + words + [
                    "--broker", broker.url.description,
                ])
            #expect(outcome.status == 1 && outcome.error.contains("standard output: "), "\(words): \(outcome.error)")
        }
        let help = try Execution.run("/bin/bash", ["-c", "exec \"$0\" --help >/dev/full", program])
        #expect(help.status == 1)
    }

    @Test("Register nothing from a file with two faults, and report both")
    func faults() throws {
        let broker = try Broker()
        let folder = try TemporaryFolder()
        let text = Self.beaconData.replacing(
            "80C0-1800FFFFFFF0\",\"major\":100,\"minor\":1", with: "80C0\",\"major\":100,\"minor\":1"
        )
        .replacing("\"minor\":2", with: "\"minor\":70000")
        let outcome = try Self.items(broker, ["import", try folder.write(Array(text.utf8), to: "BeaconData.json")])
        #expect(outcome.status == 2)
        #expect(outcome.error.contains("BeaconData.json:1:"))
        #expect(outcome.error.contains("BeaconData.json:2:"))
        #expect(try Self.list(broker).isEmpty)
    }

    @Test("Add an item, reject a second name, change it only on request, and remove it with a tombstone")
    func addAndRemove() throws {
        let broker = try Broker()
        let identity = ["--ibeacon", "\(Self.uuid),100,1"]
        let added = try Self.items(broker, ["add", "keys", "--name", "Keys", "--tag", "anna"] + identity)
        #expect(added.status == 0, "\(added.error)")
        let second = try Self.items(broker, ["add", "dog"] + identity)
        #expect(second.status == 1)
        #expect(second.error.contains("is 'keys' already; remove that first (whereabouts items remove keys)"))
        let change = ["add", "keys", "--address", "aa:bb:cc:dd:ee:ff"]
        #expect(try Self.items(broker, change).error.contains("--replace"))
        #expect(try Self.items(broker, change + ["--replace"]).status == 0)
        #expect(try Self.list(broker) == ["keys aabbccddeeff retained"])
        let typo = try Self.items(broker, ["remove", "kyes"])
        #expect(typo.status == 1 && typo.error.contains("did you mean 'keys'?"))
        #expect(try Self.items(broker, ["remove", "keys"]).status == 0)
        #expect(try Self.list(broker).isEmpty)
        let export = try Self.items(broker, ["export", "--json"])
        #expect(String(decoding: export.output, as: UTF8.self).contains(#""id":"keys","removed":"#))
        #expect(try Self.items(broker, ["add", "keys"] + identity).status == 0)
        #expect(try Self.list(broker).count == 1)
    }

    @Test("Restore the entries that a broker lost with its store, tombstones too")
    func sync() throws {
        let broker = try Broker()
        let folder = try TemporaryFolder()
        for minor in 1...2 {
            _ = try Self.items(broker, ["add", "item\(minor)", "--ibeacon", "\(Self.uuid),1,\(minor)"])
        }
        #expect(try Self.items(broker, ["remove", "item2", "item2"]).lines == ["item2 is removed"])
        let export = try Self.items(broker, ["export", "--json"])
        let file = try folder.write(Array(export.output), to: "kept.json")
        try broker.restart()
        #expect(try Self.list(broker).isEmpty)
        let outcome = try Self.items(broker, ["sync", "--from", file])
        #expect(outcome.lines == ["entry  item1", "tombstone  item2"])
        #expect(try Self.list(broker) == ["item1 iBeacon:\(Self.uuid)-1-1 retained"])
        #expect(try Self.items(broker, ["sync", "--from", file]).error.contains("holds the whole registry"))
    }

    @Test("Report a malformed entry on the broker with its reason, and list the others")
    func malformed() throws {
        let broker = try Broker()
        _ = try Self.items(broker, ["add", "keys", "--ibeacon", "\(Self.uuid),1,1"])
        let client = try Self.client(broker, [])
        client.publish(
            topic: "whereabouts/items/cat/config", payload: Array("{}".utf8), qos: .atLeastOnce, retained: true)
        #expect(client.waitUntilUnsent(below: 1, timeout: 10))
        let outcome = try Self.items(broker, ["list"])
        #expect(outcome.lines.count == 2)
        #expect(outcome.error.contains("the entry of 'cat' is refused: an item needs one of ibeacon"))
        #expect(try Self.items(broker, ["remove", "cat"]).status == 0)
        #expect(!(try Self.items(broker, ["list"])).error.contains("refused"))
        client.stop(timeout: 1)
    }

    @Test("Report clearly a broker that denies the write, or that is unreachable")
    func refused() throws {
        let broker = try Broker(
            ["acl_file %d/acl"], files: ["acl": "topic read whereabouts/#\ntopic write whereabouts/replies/#\n"])
        let words = ["add", "keys", "--ibeacon", "\(Self.uuid),1,1"]
        let denied = try Self.items(broker, words)
        #expect(denied.status == 1)
        #expect(denied.error.contains("refused a message on whereabouts/items/keys/config"), "\(denied.error)")
        broker.stop()
        let gone = try Self.items(broker, words)
        #expect(gone.status == 1)
        #expect(gone.error.contains("no connection to mqtt://127.0.0.1:\(broker.port)"), "\(gone.error)")
    }

    // MARK: Enrolling from afar

    static func client(_ broker: Broker, _ filters: [String]) throws -> MQTTClient {
        let client = try MQTTClient(MQTTConfiguration(address: BrokerAddress(url: broker.url), clientID: "kitchen"))
        try client.subscribe(filters.map { Subscription($0, qos: .atLeastOnce) })
        try client.start()
        return client
    }

    /// A node that reports two strangers on each request, while a command runs, at whose question the user presses ^C.
    static func enroll(
        _ broker: Broker, _ words: [String], input: String = "/dev/null", interruptedAt question: String? = nil
    ) throws -> (status: Int32, output: String) {
        let folder = try TemporaryFolder()
        let topics = Topics()
        let node = try client(broker, topics.nodeCommands("kitchen"))
        defer { node.stop(timeout: 1) }
        node.publish(
            topic: topics.nodeStatus("kitchen"), payload: Array("online".utf8), qos: .atLeastOnce, retained: true)
        #expect(node.waitUntilUnsent(below: 1, timeout: 10))
        let child = try ChildProcess(
            Execution.path(of: "whereabouts"), ["items"] + words + ["--broker", broker.url], input: input,
            output: folder.file("out"))
        let ended = waitUntil(30) {
            for case .message(let message) in node.takeEvents() {
                guard let command = try? NodeCommand(payload: message.payload.span) else { continue }
                let beacons = [(1, -41.0), (2, -70.0)].map { minor, level in
                    let id = BeaconID("iBeacon:\(uuid)-7-\(minor)")!
                    var beacon = NearbyBeacon(id: id, ids: [id], mean: level, last: Int(level), count: 9)
                    beacon.name = "Tag \(minor)"
                    return beacon
                }
                let others = [NearbyStranger(transmitterClass: .findMySeparated, addresses: 3, mean: -33)]
                let result = CommandResult(
                    to: command, .nearby(beacons, others: others), at: Timestamp(microseconds: 5_000_000))
                node.publish(topic: topics.commandResult("kitchen"), payload: result.payload, qos: .atLeastOnce)
            }
            if let question, readFile(folder.file("out"))?.contains(question) == true { child.send(SIGINT) }
            return !child.isRunning
        }
        #expect(ended)
        return (child.wait(atMost: 1), readFile(folder.file("out")) ?? "")
    }

    @Test("Accept ^C or an answer to the question for the tag")
    func question() throws {
        let broker = try Broker()
        let folder = try TemporaryFolder()
        let pipe = folder.file("typed")
        #expect(mkfifo(pipe, 0o600) == 0)
        let typing = open(pipe, O_RDWR)
        defer { close(typing) }
        let words = ["add", "keys", "--nearest", "kitchen", "--for", "1s"]
        let ended = try Self.enroll(broker, words, input: pipe, interruptedAt: "[1-2")
        #expect(ended.status == 1 && ended.output.contains("interrupted"), "\(ended.output)")
        #expect(try Self.list(broker).isEmpty)
        #expect(write(typing, "2\n", 2) == 2)
        let added = try Self.enroll(broker, words, input: pipe)
        #expect(added.output.contains("keys is registered: iBeacon:\(Self.uuid)-7-2"), "\(added.output)")
    }

    @Test("Register an unknown tag from another machine by holding it to a node")
    func nearest() throws {
        let broker = try Broker()
        let declined = try Self.enroll(broker, ["add", "keys", "--nearest", "kitchen", "--for", "1s"])
        #expect(declined.status == 1)
        #expect(declined.output.contains("Which one is 'keys'? [1-2"), "\(declined.output)")
        #expect(try Self.list(broker).isEmpty)
        let added = try Self.enroll(broker, ["add", "keys", "--nearest", "kitchen", "--yes"])
        #expect(added.status == 0, "\(added.output)")
        #expect(added.output.contains("-41 dBm"))
        // A transmitter that cannot be registered is listed, and never offered.
        #expect(
            added.output.contains("heard as well, and not to be registered: Apple Find My, separated (3, -33 dBm)"))
        #expect(added.output.contains("the loudest of all is among those: Apple Find My, separated"))
        #expect(try Self.list(broker).first?.hasSuffix("iBeacon:\(Self.uuid)-7-1 retained") == true)
        // A registered beacon is no longer offered.
        let next = try Self.enroll(broker, ["add", "cat", "--nearest", "kitchen", "--yes"])
        #expect(next.output.contains("cat is registered: iBeacon:\(Self.uuid)-7-2"), "\(next.output)")
        let none = try Self.enroll(broker, ["add", "dog", "--nearest", "kitchen", "--yes"])
        #expect(none.status == 1 && none.output.contains("heard no unregistered beacon"), "\(none.output)")
        let wrong = try Self.items(broker, ["add", "dog", "--nearest", "attic"])
        #expect(wrong.status == 1 && wrong.error.contains("node 'attic' is not online; online are kitchen"))
    }
}
