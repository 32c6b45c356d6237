import Configuration
import Support
import Testing

@testable import Operator

/// The access lists that `whereabouts acl` makes of configurations.
@Suite struct AccessListTests {
    static func program(_ lines: String, _ name: String = "agent.yaml") throws -> (file: String, ProgramConfiguration) {
        let folder = try TemporaryFolder()
        let text = lines + (lines.contains("mqtt:") ? "" : "\nmqtt: {url: mqtt://broker.lan}") + "\n"
        let path = try folder.write(Array(text.utf8), to: name)
        return (name, try ProgramConfiguration.load(path: path, environment: [:], opensFiles: false))
    }

    static func rules(_ list: AccessList, of user: String) -> [String] {
        list.users.first { $0.name == user }?.rules.map { "\($0.right.rawValue) \($0.filter)" } ?? []
    }

    @Test("Let a node write to exactly the topics of its reactions, and to offers only if it makes some")
    func reactions() throws {
        let agent = try Self.program(
            """
            node: hall
            regions:
              - id: door
                ibeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0}
                on_enter: [{publish: {topic: "home/{region}/{kind}", payload: x}}]
                on_exit: [{publish: {topic: "home/{region}/{kind}", payload: y}}]
            reactions:
              - {item: keys, on_determined: [{publish: {topic: "lamp/{item}", payload: x}}]}
            """)
        let rules = Self.rules(AccessList([agent], people: []), of: "hall")
        #expect(rules.suffix(3) == ["write home/door/enter", "write home/door/exit", "write lamp/keys"])
        #expect(!rules.contains { $0.contains("/offers/") })
        let offering = try Self.program(
            "node: hall\nreactions:\n  - {item: keys, on_enter: [{offer: {text: hello}}]}")
        #expect(
            Self.rules(AccessList([offering], people: []), of: "hall").contains(
                "write whereabouts/nodes/hall/offers/+")
        )
    }

    @Test("Grant other systems' topics under the root of an enabled input or output, and nowhere else")
    func neighbours() throws {
        let plain = try [Self.program("node: hall"), Self.program("name: main", "fuser.yaml")]
        for user in ["hall", "fuser-main"] {
            let rules = Self.rules(AccessList(plain, people: []), of: user)
            #expect(rules.allSatisfy { $0.contains(" whereabouts/") })
        }
        let agent = try Self.program(
            "node: hall\nroom: porch\noutputs: {espresense: true, mqtt_room: true}\n"
                + "neighbours: {topics: {espresense: esp, mqtt_room: rooms/ble}}")
        let fuser = try Self.program(
            "name: main\ninputs: {theengs: true}\noutputs: {mqtt_room: true}\nneighbours: {topics: {theengs: omg}}",
            "fuser.yaml")
        let list = AccessList([agent, fuser], people: [])
        #expect(
            Self.rules(list, of: "hall").filter { !$0.contains(" whereabouts/") } == [
                "write esp/devices/+/hall", "write esp/rooms/hall/status", "write esp/rooms/hall/telemetry",
                "write rooms/ble/porch",
            ])
        #expect(
            Self.rules(list, of: "fuser-main").filter { !$0.contains(" whereabouts/") } == [
                "read omg/+/BTtoMQTT/+", "read omg/+/presence", "read omg/+/LWT", "write room_presence/+",
                "write esp/rooms/+/status",
            ])
    }

    @Test(
        "Let a node write its own device at Home Assistant, and the older form of its entities and regions")
    func homeAssistant() throws {
        let agent = try Self.program(
            "node: hall\noutputs: {home_assistant: true}\nregions: [{id: door, item: keys}]")
        let rules = Self.rules(AccessList([agent], people: []), of: "hall").filter { $0.contains("homeassistant/") }
        #expect(rules.first == "readwrite homeassistant/device/whereabouts/node_hall/config")
        #expect(rules.contains("readwrite homeassistant/binary_sensor/whereabouts/node_hall_status/config"))
        #expect(rules.contains("readwrite homeassistant/binary_sensor/whereabouts/node_hall_region_door/config"))
        #expect(rules.contains("read homeassistant/status") && !rules.contains { $0.contains("+") })
    }

    @Test("Let a fuser of some shards read their windows alone")
    func shards() throws {
        let fuser = try Self.program("name: low\nshards: 00-02", "fuser.yaml")
        let rules = Self.rules(AccessList([fuser], people: []), of: "fuser-low").filter { $0.contains("/windows/") }
        #expect(rules == ["00", "01", "02"].map { "read whereabouts/windows/\($0)/+/+" })
    }

    @Test("Read a gateway's file without its secrets and items")
    func elsewhere() throws {
        let agent = try Self.program(
            "node: hall\nitems: items.yaml\n"
                + "mqtt: {url: mqtts://broker.lan, username: h, password_file: h.password, ca_file: ca.pem}")
        #expect(AccessList([agent], people: []).users.map(\.name) == ["h"])
    }

    @Test("Report a user of two programs, and one that no file names")
    func remarks() throws {
        let one = try Self.program("node: hall\nmqtt: {url: mqtt://b, username: all, password_file: p}", "hall.yaml")
        let two = try Self.program("node: attic\nmqtt: {url: mqtt://b, username: all, password_file: p}", "attic.yaml")
        let three = try Self.program("node: cellar", "cellar.yaml")
        let list = AccessList([one, two, three], people: [])
        #expect(
            list.remarks == [
                "hall.yaml and attic.yaml share the user 'all': each of the two may write as the other; give each its own",
                "cellar.yaml names no user: 'cellar' is taken, as a certificate of 'enroll' has it",
            ])
        #expect(list.users.map { $0.grants.map(\.name) } == [["node-hall", "node-attic"], ["node-cellar"]])
    }

    @Test("Give people their role under each prefix of the fleet")
    func prefixes() throws {
        let one = try Self.program("node: hall", "hall.yaml")
        let two = try Self.program(
            "node: hall\ntopic_prefix: house/two\nmqtt: {url: mqtt://b, username: h2, password_file: p}")
        let list = AccessList([one, two], people: [("anna", .viewer)])
        #expect(list.users.last?.grants.map(\.name) == ["viewer", "house_two-viewer"])
        let rules = Self.rules(list, of: "anna")
        #expect(
            rules.contains("read whereabouts/rooms/+/occupancy") && rules.contains("read house/two/rooms/+/occupancy"))
        #expect(!rules.contains { $0.hasPrefix("write") || $0.hasPrefix("readwrite") })
    }

    @Test("Read passwords of mosquitto_passwd, and report lines of another kind")
    func passwords() {
        let (passwords, others) = MosquittoPassword.read("# mine\nanna:$7$101$c2FsdA==$aGFzaA==\nbert:plain\n\n")
        #expect(passwords["anna"]?.line(of: "anna") == "anna:$7$101$c2FsdA==$aGFzaA==")
        #expect(passwords.count == 1 && others == [3])
    }

    @Test("Let an operator command on the topics of the own name alone, without those of an administrator")
    func people() throws {
        let programs = try [Self.program("node: hall"), Self.program("name: main", "fuser.yaml")]
        let list = AccessList(programs, people: [("anna", .operator("anna")), ("chief", .administrator("chief"))])
        func commands(of user: String) -> [String] {
            Self.rules(list, of: user).filter { rule in
                ["/command", "/operate/", "/administer/"].contains(where: rule.contains) && !rule.hasSuffix("/result")
            }
        }
        #expect(
            commands(of: "anna") == [
                "write whereabouts/nodes/+/operate/anna", "write whereabouts/fuser/+/operate/anna",
            ])
        #expect(
            commands(of: "chief") == [
                "write whereabouts/nodes/+/operate/chief", "write whereabouts/fuser/+/operate/chief",
                "write whereabouts/nodes/+/administer/chief", "write whereabouts/fuser/+/administer/chief",
            ])
        #expect(!Self.rules(list, of: "anna").contains("write whereabouts/items/+/location"))
    }
}
