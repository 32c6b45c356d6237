import Configuration
import Support
import Testing

@Suite struct BrokenConfigurationTests {
    static let mqtt = "mqtt: {url: 'mqtt://localhost'}\n"

    func faults(_ text: String, in folder: TemporaryFolder? = nil) -> [String] {
        do {
            _ = try AgentConfiguration.load(text: text, file: folder.map { $0.path + "/f" } ?? "f")
            return []
        } catch {
            let place = folder.map { $0.path + "/" } ?? ""
            return error.faults.map { fault in
                fault.description.split(separator: place.isEmpty ? "\u{0}" : place).joined()
            }
        }
    }

    @Test(arguments: [
        ("node: n\nromo: x\n" + mqtt, "f:2:1: unknown key 'romo'; did you mean 'room'?"),
        (
            "node: n\nwindow: [1s]\n" + mqtt,
            "f:2:9: expected a duration from 100ms to 1m, with its unit ms, s, m, h or d, found a list"
        ),
        ("node: n\nnode: m\n" + mqtt, "f:2:1: 'node' is given twice, first in line 1"),
        ("node: n\nmqtt:\n\turl: x\n", "f:3:1: a tab in the indentation; indent with spaces"),
        ("node: n\nitems: none.yaml\n" + mqtt, "f:2:8: the file 'none.yaml' does not exist"),
        (
            "node: n\nregions: [{id: a, ibeacon: {uuid: 4853}}]\n" + mqtt,
            "f:2:35: expected a UUID such as 48534442-4c45-4144-80c0-1800ffffffff, found '4853'"
        ),
        (
            "node: n\nmqtt: {url: 'http://h'}\n",
            "f:2:13: expected mqtt://host[:port] or mqtts://host[:port], an IPv6 address in brackets"
        ),
        (
            "node: n\nregions:\n  - {id: a, item: x}\n  - {id: a, item: y}\n" + mqtt,
            "f:4:6: the id 'a' is given twice, first in line 3"
        ),
        ("node: away\n" + mqtt, "f:1:7: the id 'away' is reserved; choose another"),
        ("", "f:1:1: the file is empty"),
        ("node: n\nmqtt: [url]\n", "f:2:7: expected a map of keys and values, found a list"),
        ("- node\n", "f:1:1: expected a map of keys and values, found a list"),
        ("room: n\n" + mqtt, "f:1:1: 'node' is missing"),
        (
            "node: n\nregions: [{id: a, ibeacon: {uuid: 48534442-4c45-4144-80c0-1800ffffffff, major: 65536}}]\n" + mqtt,
            "f:2:80: expected a whole number from 0 to 65535, found '65536'"
        ),
        (
            "node: n\nmqtt: {url: 'mqtt://h', username: u, password_file: none}\n",
            "f:2:53: the file 'none' does not exist"
        ),
        (
            "node: n\nmqtt: {url: 'mqtt://h', username: u, password_file: /etc}\n",
            "f:2:53: the file '/etc' is a directory"
        ),
        ("node: n\nstate: /etc\n" + mqtt, "f:2:8: '/etc' is a directory; give the name of a file in it"),
        (
            "node: Küche\n" + mqtt,
            "f:1:7: 'Küche' can't be an id (up to 64 of a-z, 0-9, '_' and '-'); 'kueche' would do"
        ),
        ("node: n\noutputs: {espresense: yes}\n" + mqtt, "f:2:23: expected true or false, found 'yes'"),
        ("node: n\npublish: some\n" + mqtt, "f:2:10: expected one of registered, all, found 'some'"),
        (
            "node: n\nwindow: 0.1ms\n" + mqtt,
            "f:2:9: expected a duration from 100ms to 1m, with its unit ms, s, m, h or d, found '0.1ms'"
        ),
        ("node: n\noffset_db: 2.5\n" + mqtt, "f:2:12: expected a whole number from -40 to 40, found '2.5'"),
        ("node: n\nsource: replay:a.btsnoop\n" + mqtt, "f:2:9: the file 'a.btsnoop' does not exist"),
        (
            "node: n\nsource: file\n" + mqtt,
            "f:2:9: expected hci:ADAPTER, replay:FILE[,FILE…] or simulate:FILE, found 'file'"
        ),
        (
            "node: n\ntopic_prefix: a.b\n" + mqtt,
            "f:2:15: expected a topic prefix of letters, digits, '_', '-' and '/' between levels, found 'a.b'"
        ),
        (
            "node: n\nroom:\n" + mqtt,
            "f:2:6: expected an id of up to 64 small letters, digits, '_' and '-', found nothing"
        ),
        (
            "node: n\nweb: {listen: '8098'}\n" + mqtt,
            "f:2:15: expected an address and port such as 127.0.0.1:8098, found the text '8098'"
        ),
        (
            "node: n\nregions: [{id: a}]\n" + mqtt,
            "f:2:11: a region has one of ibeacon, altbeacon, eddystone_uid, address, item, tag, eddystone_url; found none"
        ),
    ])
    func eachFaultHasItsLineAndColumnAndStandsAlone(text: String, fault: String) {
        #expect(faults(text) == [fault])
    }

    @Test func allFaultsOfAFileAreToldAtOnceAndInOrder() {
        let text = """
            nod: kitchen
            window: 5
            publish: every
            mqtt: {url: 'mqtt://h:99999', keepalive: 1s}
            regions:
              - {id: away, ibeacon: {uuid: x, minor: 5}}
            """
        let lines = faults(text)
        #expect(
            lines.map { $0.split(separator: " ")[0] } == [
                "f:1:1:", "f:1:1:", "f:2:9:", "f:3:10:", "f:4:13:", "f:4:42:", "f:6:10:", "f:6:32:", "f:6:35:",
            ])
        #expect(lines.contains("f:1:1: unknown key 'nod'; did you mean 'node'?"))
        #expect(lines.contains("f:1:1: 'node' is missing"))
    }

    @Test func aFileThatIsMissingOrADirectoryIsNamed() {
        #expect {
            _ = try AgentConfiguration.load(path: "/nowhere/agent.yaml", environment: [:])
        } throws: {
            "\($0)" == "/nowhere/agent.yaml:1:1: the file '/nowhere/agent.yaml' does not exist"
        }
        #expect {
            _ = try FuserConfiguration.load(path: "/etc", environment: [:])
        } throws: {
            "\($0)" == "/etc:1:1: the file '/etc' is a directory"
        }
    }

    @Test func aFileThatIsNotUTF8IsNamedWithItsPlace() {
        #expect {
            _ = try AgentConfiguration.load(bytes: Array("node: k".utf8) + [0xFC, 0x0A], file: "f")
        } throws: {
            "\($0)"
                == "f:1:8: not UTF-8: byte 0xFC, 'ü' in Windows-1252 (Latin-1); save it in UTF-8 (from a spreadsheet as CSV UTF-8)"
        }
    }

    @Test func anEmptyPasswordFileIsAFault() throws {
        let folder = try TemporaryFolder()
        try folder.write("empty", "\n")
        let text = "node: n\nmqtt: {url: 'mqtt://h', username: u, password_file: empty}\n"
        #expect(faults(text, in: folder) == ["f:2:53: the file 'empty' is empty"])
    }

    @Test func aPasswordInTheURLIsRefusedAndNotRepeated() {
        let lines = faults("node: n\nmqtt: {url: 'mqtt://me:hunter2@h'}\n")
        #expect(lines.count == 1 && !lines[0].contains("hunter2"))
        #expect(lines[0].contains("password_file"))
    }

    @Test func faultsOfTheItemsFileAreToldWithTheAgents() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "items.yaml",
            """
            - {id: a, ibeacon: {uuid: 48534442-4c45-4144-80c0-1800ffffffff, major: 1}}
            - {id: b, address: 'aa:bb:cc:dd:ee:ff'}
            - {id: b, address: aabbccddeeff}
            - {id: c, name: C}
            - {id: d, eddystone_uid: {namespace: 00, instance: 0123456789ab}}
            """)
        #expect(
            faults("node: n\nitems: items.yaml\nwindow: 0s\n" + Self.mqtt, in: folder).map { $0.prefix(60) }
                == [
                    "f:3:9: expected a duration from 100ms to 1m, with its unit m",
                    "items.yaml:1:11: an item is one beacon: all parts of its identity",
                    "items.yaml:3:4: the id 'b' is given twice, first in line 2",
                    "items.yaml:4:3: an item needs one of ibeacon, altbeacon, eddystone_uid, addr",
                    "items.yaml:5:38: expected 20 hexadecimal digits, found '00'",
                ].map { $0.prefix(60) })
    }

    @Test(arguments: [
        ("rooms: [{id: a, next_to: [b]}]\n", "f:1:27: there is no room 'b'"),
        ("rooms: [{id: hall}]\nnodes: {n: {room: hal}}\n", "f:2:19: there is no room 'hal'; did you mean 'hall'?"),
        ("rooms: [{id: a}, {id: a}]\n", "f:1:19: the id 'a' is given twice, first in line 1"),
        (
            "rooms: [{id: a, polygon: [[0,0],[1,1]]}]\n",
            "f:1:26: expected a list of 3 to 1000 corners [x, y], found a list"
        ),
        (
            "nodes: {Big: {x: 1, y: 2}}\n",
            "f:1:9: 'Big' can't be an id (up to 64 of a-z, 0-9, '_' and '-'); 'big' would do"
        ),
        ("nodes: {n: {x: 1}}\n", "f:1:12: a place needs both 'x' and 'y'"),
        ("shards: ff-00\n", "f:1:9: expected shards such as 00-7f, within 00-ff, or shared, found 'ff-00'"),
        ("away_after: 60\n", "f:1:13: expected a duration from 1s to 1d, with its unit ms, s, m, h or d, found '60'"),
        ("inputs: {espresence: true}\n", "f:1:10: unknown key 'espresence'; did you mean 'espresense'?"),
    ])
    func theHouseIsJudged(text: String, fault: String) {
        #expect {
            _ = try FuserConfiguration.load(text: text + Self.mqtt, file: "f")
        } throws: {
            "\($0)" == fault
        }
    }
}
