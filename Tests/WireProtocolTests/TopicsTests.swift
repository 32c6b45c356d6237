import WireProtocol
import Testing

@Suite struct TopicsTests {
    private static let prefixes = ["whereabouts", "site/4/wa", "k\u{FC}che", "a"]

    @Test("The names in a topic are the levels that are no words of the contract")
    func names() {
        let topics = Topics()
        #expect(Topics.names(in: topics.location("keys")) == ["keys"])
        #expect(Topics.names(in: topics.window(beacon: "keys", node: "kitchen")).suffix(2) == ["keys", "kitchen"])
        #expect(Topics.names(in: topics.lesson("keys-1")) == ["keys-1"])
        #expect(Topics.names(in: topics.housePlan) == [] && Topics.names(in: topics.rollout) == [])
        #expect(Topics.names(in: topics.allItems("config")) == ["+"])
        #expect(Topics.names(in: "home/light/keys") == ["light", "keys"])
    }

    @Test("Parse every published topic, under any prefix", arguments: prefixes)
    func bothWays(_ prefix: String) {
        let topics = Topics(prefix: prefix)
        let id = "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1"
        let pairs: [(String, TopicKind)] = [
            (topics.nodeStatus("n-1"), .nodeStatus(node: "n-1")), (topics.nodeInfo("n_1"), .nodeInfo(node: "n_1")),
            (topics.scan("n"), .scan(node: "n")),
            (topics.window(beacon: id, node: "n"), .window(beacon: id, node: "n")),
            (topics.window(beacon: "keys", node: "n"), .window(beacon: "keys", node: "n")),
            (topics.window(beacon: "00000000000a", node: "n"), .window(beacon: "00000000000a", node: "n")),
            (topics.region("office", node: "n"), .region(region: "office", node: "n")),
            (topics.nodeEvents("n"), .nodeEvents(node: "n")),
            (topics.proximity(beacon: id, node: "n"), .proximity(beacon: id, node: "n")),
            (topics.fuserStatus("main"), .fuserStatus(fuser: "main")),
            (topics.fuserClaim("main"), .fuserClaim(fuser: "main")),
            (topics.fuserCommand("main"), .fuserCommand(fuser: "main")),
            (topics.fuserCommandResult("main"), .fuserCommandResult(fuser: "main")),
            (
                topics.fuserCommand("main", .administer, user: "A.b@c"),
                .fuserCommand(fuser: "main", sender: CommandSender(.administer, user: "A.b@c"))
            ),
            (
                topics.nodeCommand("n", .operate, user: "anna"),
                .nodeCommand(node: "n", sender: CommandSender(.operate, user: "anna"))
            ),
            (topics.location("keys"), .location(item: "keys")),
            (topics.room("keys"), .room(item: "keys")), (topics.itemEvents("keys"), .itemEvents(item: "keys")),
            (topics.occupancy("hall"), .occupancy(room: "hall")),
            (topics.lesson("keys-1763747638123"), .lesson(key: "keys-1763747638123")),
            (topics.rollout, .rollout),
        ]
        for (topic, kind) in pairs {
            #expect(topic.hasPrefix(prefix + "/"))
            #expect(topics.kind(of: topic) == kind, "\(topic)")
            #expect(Topics(prefix: "other").kind(of: topic) == nil)
            #expect(Topics(prefix: prefix + "x").kind(of: topic) == nil)
            #expect(topics.kind(of: topic + "/") == nil && topics.kind(of: "/" + topic) == nil)
            #expect(topics.kind(of: String(topic.dropLast())) != kind)
        }
    }

    @Test("Return an owner for nodes' and fusers' own topics alone")
    func speakers() {
        let topics = Topics()
        let kinds = { (topic: String) in topics.kind(of: topic)?.speaker }
        for topic in [
            topics.nodeStatus("n"), topics.nodeInfo("n"), topics.scan("n"), topics.window(beacon: "keys", node: "n"),
            topics.nodeEvents("n"), topics.region("office", node: "n"), topics.proximity(beacon: "keys", node: "n"),
            topics.commandResult("n"),
        ] { #expect(kinds(topic) == .node("n"), "\(topic)") }
        for topic in [topics.fuserStatus("m"), topics.fuserClaim("m"), topics.fuserCommandResult("m")] {
            #expect(kinds(topic) == .fuser("m"), "\(topic)")
        }
        for topic in [
            topics.location("keys"), topics.occupancy("hall"), topics.nodeCommand("n"), topics.fuserCommand("m"),
            topics.itemConfig("keys"),
        ] { #expect(topics.kind(of: topic) != nil && kinds(topic) == nil, "\(topic)") }
    }

    @Test(
        "Return no kind for a topic with an unknown name",
        arguments: [
            "", "/", "whereabouts", "whereabouts/", "whereaboutsx/nodes/a/status", "whereabouts/nodes//status",
            "whereabouts/nodes/A/status", "whereabouts/nodes/a b/status", "whereabouts/nodes/a.b/status",
            "whereabouts/nodes/away/status", "whereabouts/nodes/unknown/scan", "whereabouts/nodes/k\u{FC}che/status",
            "whereabouts/nodes/+/status", "whereabouts/nodes/#", "whereabouts/nodes/a/nothing", "whereabouts/nodes/a",
            "whereabouts/nodes/a/status/b", "whereabouts/windows/00/keys", "whereabouts/windows/00/a b/n",
            "whereabouts/nodes/a/regions/B", "whereabouts/nodes/A/regions/b", "whereabouts/items/a/regions/b",
            "whereabouts/nodes/a/proximity/b.c", "whereabouts/nodes/a/regions/", "whereabouts/windows/00/keys/N",
            "whereabouts/windows/00//n", "whereabouts/windows/", "whereabouts/windows/00",
            "whereabouts/windows/00/keys/",
            "whereabouts/windows/00/keys/n/x", "whereabouts/windows/00/keys/away", "whereabouts/items/away/room",
            "whereabouts/rooms/a/location", "whereabouts/nodes/a/operate/", "whereabouts/nodes/a/operate/b c",
            "whereabouts/fuser/a/operate/+", "whereabouts/fuser/a/rule/anna", "whereabouts//nodes/a/status",
            "nodes/a/status",
        ])
    func refused(_ topic: String) {
        #expect(Topics().kind(of: topic) == nil)
    }

    @Test("Give programs of two houses on one broker different, constant client ids")
    func clients() {
        func id(_ prefix: String, _ program: String = "fuser", _ name: String = "main") -> String {
            Topics(prefix: prefix).clientID(program, name)
        }
        #expect(Topics().clientID("fuser", "main") == "whereabouts-fuser-main")
        #expect(Topics().clientID("agent", "kitchen") == "whereabouts-agent-kitchen")
        #expect(
            id("upstairs") == "whereabouts-fuser-main.upstairs" && id("site/4/wa") == "whereabouts-fuser-main.site.4.wa"
        )
        #expect(id("a", "fuser", "b-c") != id("a-c", "fuser", "b"))
        let long = String(repeating: "a", count: 128)
        #expect(id(long) != id(long + "b") && id(long).utf8.count < 64)
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
        #expect(id("Site/4_a/w-a").allSatisfy(plain.contains))
    }

    @Test("Accept a name of the maximum length, and reject a longer one")
    func lengths() {
        let name = String(repeating: "a", count: 64)
        #expect(Topics().kind(of: "whereabouts/nodes/\(name)/scan") == .scan(node: name))
        #expect(Topics().kind(of: "whereabouts/nodes/\(name)a/scan") == nil)
    }

    @Test("Compare prefixes byte by byte, as a broker does")
    func canonicalEquivalence() {
        #expect(Topics(prefix: "caf\u{E9}").kind(of: "cafe\u{301}/nodes/a/status") == nil)
        #expect(Topics(prefix: "cafe\u{301}").kind(of: "caf\u{E9}/nodes/a/status") == nil)
    }

    @Test("Derive a shard from the first byte of the SHA-256 of the beacon's level, so that fusers can split the work")
    func shards() {
        #expect(Topics.shard(of: "abc") == "ba")
        #expect(Topics.shard(of: "") == "e3")
        #expect(Topics().window(beacon: "abc", node: "n") == "whereabouts/windows/ba/abc/n")
        #expect(Topics().allWindows(shard: "0a") == "whereabouts/windows/0a/+/+")
        #expect(Topics().allWindows() == "whereabouts/windows/+/+/+")
    }

    @Test("Accept only ids of small letters, digits, '_' and '-'")
    func identifiers() {
        for good in ["a", "0", "_", "-", "kitchen-2_b"] { #expect(Identifier.isValid(good)) }
        for bad in ["", "A", "a b", "a.b", "a/b", "away", "unknown", "ü", "a:b", "a\u{0}"] {
            #expect(!Identifier.isValid(bad))
        }
        #expect(Identifier.isBeaconLevel("eddystone:00112233445566778899-0123456789ab"))
        for bad in ["", "a/b", "a b", "a.b", "+", "#", "$SYS", String(repeating: "a", count: 129)] {
            #expect(!Identifier.isBeaconLevel(bad))
        }
    }
}
