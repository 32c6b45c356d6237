import BeaconFrames
import Bytes
import Configuration
import Identity
import Support
import System
import Testing

@Suite struct GoodConfigurationTests {
    static let agent = """
        node: kitchen
        room: hall
        source: hci:auto
        mqtt:
          url: mqtts://broker.lan
          username: kitchen
          password_file: kitchen.password
          ca_file: ca.pem
        topic_prefix: home/whereabouts
        window: 500ms
        publish: all
        offset_db: -4
        items: items.yaml
        regions:
          - id: office
            ibeacon: {uuid: 48534442-4C45-4144-80C0-1800FFFFFFFF, major: 100}
            exit_after: 30s
          - {id: mine, item: keys, name: "My things"}
          - {id: tags, eddystone_uid: {namespace: 00112233445566778899}}
        outputs: {home_assistant: true, espresense: false, mqtt_room: false}
        web: {listen: "127.0.0.1:8098"}
        state: agent.sqlite
        """
    static let items = """
        - {id: keys, name: Keys, ibeacon: {uuid: 48534442-4C45-4144-80C0-1800FFFFFFFF, major: 100, minor: 1}}
        - {id: cat, eddystone_uid: {namespace: 00112233445566778899, instance: 0123456789ab}, expected_interval: 5s}
        - {id: phone, name: Phone, irk_file: phone.irk}
        - {id: mug, address: 'AA:BB:CC:DD:EE:FF'}
        """
    static let fuser = """
        name: main
        mqtt: {url: "mqtt://[::1]:2883", client_id: fuser-1, keepalive: 1m}
        rooms:
          - {id: kitchen, name: Kitchen, floor: ground, polygon: [[0,0],[4,0],[4,3],[0,3]], next_to: [hall]}
          - {id: hall, next_to: [kitchen]}
        nodes:
          kitchen: {room: kitchen, x: 1.0, y: 2.0, z: 1.2}
          hall: {room: hall}
        away_after: 90s
        shards: 00-7f
        inputs: {espresense: true, theengs: false, mqtt_room: false, raddec: false}
        outputs: {home_assistant: true, mqtt_room: false}
        """

    func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("agent.yaml", Self.agent)
        try folder.write("fuser.yaml", Self.fuser)
        try folder.write("items.yaml", Self.items)
        try folder.write("kitchen.password", "hunter2\r\n")
        try setMode(0o600, of: folder.file("kitchen.password"))
        try folder.write("phone.irk", "00112233445566778899aabbccddeeff\n")
        try setMode(0o600, of: folder.file("phone.irk"))
        try folder.write("ca.pem", "-----BEGIN CERTIFICATE-----\n")
        return folder
    }

    @Test func anAgentsFileGivesItsValues() throws {
        let folder = try folder()
        let agent = try AgentConfiguration.load(path: folder.path + "/agent.yaml", environment: [:])
        #expect(agent.node == "kitchen" && agent.room == "hall" && agent.source == .hci(adapter: "auto"))
        #expect(agent.mqtt.url.description == "mqtts://broker.lan:8883")
        #expect(agent.mqtt.username == "kitchen")
        #expect(try agent.mqtt.password?.line().text == "hunter2")
        #expect(agent.mqtt.tls.authoritiesFile == folder.path + "/ca.pem" && agent.mqtt.keepAlive == .seconds(30))
        #expect(agent.topicPrefix == "home/whereabouts" && agent.window == .milliseconds(500))
        #expect(agent.offset == -4)
        #expect(agent.publish == .all && agent.items.map(\.id) == ["keys", "cat", "phone", "mug"])
        let uuid = try #require(BeaconUUID("48534442-4c45-4144-80c0-1800ffffffff"))
        let namespace = try #require(EddystoneUID.Namespace("00112233445566778899"))
        #expect(
            agent.regions == [
                Region(
                    id: "office", members: .beacons(.iBeacon(uuid: uuid, major: 100, minor: nil)),
                    exitAfter: .seconds(30)
                ),
                Region(id: "mine", name: "My things", members: .item("keys")),
                Region(id: "tags", members: .beacons(.eddystone(namespace, nil))),
            ])
        #expect(agent.outputs == [.homeAssistant])
        #expect(agent.web?.listen == NetworkAddress(host: "127.0.0.1", port: 8098))
        #expect(agent.state == folder.path + "/agent.sqlite")
        #expect(agent.warnings.isEmpty)
        #expect(agent.items[1].expectedInterval == .seconds(5))
        #expect(agent.items[2].keyFile == folder.path + "/phone.irk")
        #expect(agent.items[3].identities == [.address(0xAABB_CCDD_EEFF)])
    }

    @Test func aSecretShowsNowhere() throws {
        let folder = try folder()
        let agent = try AgentConfiguration.load(path: folder.path + "/agent.yaml", environment: [:])
        var dumped = ""
        dump(agent, to: &dumped)
        #expect(!"\(agent)\(String(reflecting: agent))\(dumped)".contains("hunter2"))
    }

    @Test func whatIsNotGivenHasItsDefault() throws {
        let agent = try AgentConfiguration.load(text: "node: n\nmqtt: {url: 'mqtt://h'}\n", file: "f")
        #expect(agent.room == "n" && agent.source == .hci(adapter: "auto") && agent.topicPrefix == "whereabouts")
        #expect(agent.window == .seconds(1) && agent.publish == .registered && agent.items.isEmpty && agent.offset == 0)
        #expect(agent.outputs.isEmpty && agent.web == nil && agent.state == nil)
        let fuser = try FuserConfiguration.load(text: "mqtt: {url: 'mqtt://h'}\n", file: "f")
        #expect(fuser.name == "main" && fuser.awayAfter == .seconds(60) && fuser.shards == .range(0...255))
        #expect(fuser.state == nil && fuser.history == .seconds(30 * 86400) && fuser.withoutEffect.isEmpty)
        #expect(fuser.mqtt.url.address == NetworkAddress(host: "h", port: 1883))
    }

    @Test func aFusersFileGivesItsValues() throws {
        let folder = try folder()
        let fuser = try FuserConfiguration.load(path: folder.path + "/fuser.yaml", environment: [:])
        #expect(fuser.mqtt.url.address == NetworkAddress(host: "::1", port: 2883) && !fuser.mqtt.url.isSecure)
        #expect(fuser.mqtt.clientID == "fuser-1" && fuser.mqtt.keepAlive == .seconds(60))
        #expect(fuser.rooms.map(\.id) == ["kitchen", "hall"] && fuser.rooms[0].nextTo == ["hall"])
        #expect(fuser.rooms[0].polygon.count == 4 && fuser.rooms[0].polygon[2].y == 3)
        #expect(fuser.nodes[0].position?.z == 1.2 && fuser.nodes[1].room == "hall" && fuser.nodes[1].position == nil)
        #expect(fuser.awayAfter == .seconds(90) && fuser.shards == .range(0...127))
        #expect(fuser.inputs == [.espresense] && fuser.outputs == [.homeAssistant])
        #expect(
            fuser.withoutEffect == [
                "polygon of rooms, since 'hall' has none",
                "x and y of nodes, since those with both stand in fewer than 3 rooms",
            ])
        #expect(fuser.neighbours.aliases.isEmpty)
    }

    @Test func aPlanIsWholeOrNamed() throws {
        func withoutEffect(_ nodes: String) throws -> [String] {
            let rooms = "rooms: [{id: kitchen, polygon: [[0,0],[4,0],[4,3]]}, {id: hall, polygon: [[4,0],[8,0],[8,3]]}]"
            return try FuserConfiguration.load(
                text: "mqtt: {url: 'mqtt://h'}\n\(rooms)\nnodes: {\(nodes)}\n", file: "f"
            ).withoutEffect
        }
        let place = "{room: kitchen, x: 1, y: 2}"
        #expect(try withoutEffect("a: \(place), b: \(place), c: \(place)").isEmpty)
        #expect(
            try withoutEffect("a: \(place), b: {room: hall}") == [
                "polygon of rooms, since fewer than 3 nodes have x and y"
            ])
    }

    @Test func placesOfNodesTellByThemselvesOrAreNamed() throws {
        func withoutEffect(_ nodes: String, _ rooms: String = "") throws -> [String] {
            try FuserConfiguration.load(
                text: "mqtt: {url: 'mqtt://h'}\n\(rooms)nodes: {\(nodes)}\n", file: "f"
            ).withoutEffect
        }
        let two = "a: {room: kitchen, x: 1, y: 2}, b: {room: hall, x: 5, y: 2}"
        #expect(try withoutEffect("\(two), c: {room: den, x: 9, y: 2}, d: {room: loft}").isEmpty)
        #expect(try withoutEffect("\(two), c: {x: 9, y: 2}").isEmpty, "it says itself where it stands")
        #expect(
            try withoutEffect("\(two), c: {room: hall, x: 9, y: 2}") == [
                "x and y of nodes, since those with both stand in fewer than 3 rooms"
            ])
        let tall = "\(two), c: {room: den, x: 9, y: 2, z: 4}"
        #expect(
            try withoutEffect(tall) == ["x and y of nodes, since they hang on several floors and 'kitchen' has none"])
        let floors = "floor: ground}, {id: hall, floor: ground}, {id: den"
        let rooms = "rooms: [{id: kitchen, \(floors), floor: upper}]\n"
        #expect(try withoutEffect(tall, rooms).isEmpty)
        let lacking = "rooms: [{id: kitchen, \(floors)}]\n"
        #expect(
            try withoutEffect("\(two), c: {room: den, x: 9, y: 2}", lacking) == [
                "x and y of nodes in 'den', since it has no floor and others have one"
            ])
    }

    @Test func theEnvironmentOverridesSingleKeys() throws {
        let agent = try AgentConfiguration.load(
            text: "node: n\n", file: "f",
            environment: [
                "WHEREABOUTS_MQTT_URL": "mqtt://b:1", "WHEREABOUTS_NODE": "m", "WHEREABOUTS_TOPIC_PREFIX": "t",
                "WHEREABOUTS_OUTPUTS_MQTT_ROOM": "true", "WHEREABOUTS_ROOM": "", "WHEREABOUTS_CONFIG": "x",
                "WHEREABOUTS_SHARED": "y", "WHEREABOUTS_AWAY_AFTER": "5s", "WHEREABOUTS_MQTT_USERNAM": "u", "HOME": "/",
            ])
        #expect(agent.mqtt.url.description == "mqtt://b:1" && agent.node == "m" && agent.room == "m")
        #expect(agent.topicPrefix == "t" && agent.outputs == [.mqttRoom])
        #expect(
            agent.warnings.map(\.description) == [
                "WHEREABOUTS_MQTT_USERNAM: this variable sets no key; did you mean WHEREABOUTS_MQTT_USERNAME?"
            ])
    }

    @Test func aFaultyVariableIsNamed() {
        #expect {
            _ = try AgentConfiguration.load(
                text: "node: n\nmqtt: {url: 'mqtt://h'}\n", file: "f", environment: ["WHEREABOUTS_WINDOW": "soon"],
                overriding: "replay:none")
        } throws: { error in
            "\(error)".split(separator: "\n") == [
                "--source: the file 'none' does not exist",
                "WHEREABOUTS_WINDOW: expected a duration from 100ms to 1m, with its unit ms, s, m, h or d, found 'soon'",
            ]
        }
    }

    @Test func theSourceOfTheCommandLineWins() throws {
        let folder = try TemporaryFolder()
        let (a, b) = try (folder.write("a", "x"), folder.write("b", ""))
        let text = "node: n\nsource: hci:hci1\nmqtt: {url: 'mqtt://h'}\n"
        let agent = try AgentConfiguration.load(text: text, file: "f", overriding: "replay:\(a),\(b)")
        #expect(agent.source == .replay(files: [a, b]))
        let other = try AgentConfiguration.load(text: text, file: folder.path + "/f", overriding: "simulate:\(a)")
        #expect(other.source == .simulate(scenario: a) && other.source.description == "simulate:\(a)")
    }

    @Test func aMangledFileIsToldAndNeverEndsTheProgram() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let words = [
            "[", "{", "\t", ": ", "- ", "\n", "'", "*a", "!x", "~", "9999999999999999999", "1e400", "\u{0}", "\u{FF}",
        ]
        for round in 0..<(LongProofs.areRequested ? 3000 : 600) {
            let original = Array([Self.agent, Self.fuser, Self.items][round % 3].utf8)
            var bytes = original
            for _ in 0...Int.random(in: 0...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.insert(contentsOf: words.randomElement(using: &random)!.utf8, at: place)
                case 2:
                    bytes.removeSubrange(place..<min(bytes.count - 1, place + Int.random(in: 0...9, using: &random)))
                default: bytes = Array(bytes.prefix(max(1, place)))
                }
            }
            let faults: [ConfigurationFault]
            do {
                switch round % 3 {
                case 0: _ = try AgentConfiguration.load(bytes: bytes, file: "f")
                case 1: _ = try FuserConfiguration.load(bytes: bytes, file: "f")
                default: _ = try ItemsFile.load(text: String(decoding: bytes, as: UTF8.self), file: "f")
                }
                faults = []
            } catch {
                #expect(!error.faults.isEmpty, "seed \(seed)")
                faults = error.faults
            }
            #expect(faults.allSatisfy { $0.position.line >= 1 && $0.position.column >= 1 }, "seed \(seed)")
        }
    }

    @Test(arguments: [
        ("500ms", 500), ("1s", 1000), ("2m", 120_000), ("1h", 3_600_000), ("1.5s", 1500), ("0s", 0),
    ])
    func durationsAreReadWithTheirUnits(text: String, milliseconds: Int64) {
        #expect(DurationText.duration(text) == .milliseconds(milliseconds))
    }

    @Test(arguments: ["", "1", "s", "1 s", "-1s", "1.2.3s", "1w", "0.5ms", "1e3s", "9999999999999999h", "1sec", "nans"])
    func otherDurationsAreRefused(text: String) {
        #expect(DurationText.duration(text) == nil)
    }
}
