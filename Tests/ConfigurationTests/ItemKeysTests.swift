import Bytes
import Configuration
import Identity
import Support
import System
import Testing

/// Keys as files hold them, and what items files say of them.
@Suite("Keys in files") struct ItemKeysTests {
    private static let bytes: [UInt8] = [
        0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF,
    ]

    @Test(
        "Read a key in the spelling of each platform",
        arguments: [
            "00112233445566778899aabbccddeeff", "00112233445566778899AABBCCDDEEFF",
            "00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff", "00,11,22,33,44,55,66,77,88,99,aa,bb,cc,dd,ee,ff",
            "irk:00112233445566778899aabbccddeeff", "0x00112233445566778899aabbccddeeff",
            // The least significant byte first: Wireshark and BlueZ; Apple's keychain.
            "reversed:ffeeddccbbaa99887766554433221100", "/+7dzLuqmYh3ZlVEMyIRAA==",
        ])
    func spellings(text: String) throws {
        let read = try ItemKeyText.key(Secret(text), .irk)
        #expect(read.bytes == Self.bytes && read.key.kind == .irk)
    }

    @Test(
        "Report an invalid key without repeating it",
        arguments: [
            "00112233445566778899aabbccddeef", "00112233445566778899aabbccddeeff0", "g0112233445566778899aabbccddeeff",
            "/+7dzLuqmYh3ZlVEMyIRAA=", "/+7dzLuqmYh3ZlVEMyIR*A==", "00112233445566778899aabbccddeeff 7", "phone", "=",
        ])
    func noKeys(text: String) throws {
        let fault = #expect(throws: ItemKeyText.Fault.self) { try ItemKeyText.key(Secret(text), .irk) }
        #expect(fault.map { !$0.words.contains(text.prefix(6)) } == true)
        #expect(throws: ItemKeyText.Fault.self) { try ItemKeyText.key(Secret(text), .eid) }
    }

    @Test("Read an Eddystone-EID beacon's clock from its item or after its key")
    func clocks() throws {
        let key = "00112233445566778899aabbccddeeff"
        guard case .eid(let beacon) = try ItemKeyText.key(Secret("\(key) 10 1753862400"), .eid).key else {
            Issue.record("another kind")
            return
        }
        #expect(beacon.key.exponent == 10 && beacon.reference.microseconds == 1_753_862_400_000_000)
        let clock = EphemeralClock(exponent: 4, origin: 7)
        guard case .eid(let other) = try ItemKeyText.key(Secret(key), .eid, clock: clock).key else { return }
        #expect(other.key.exponent == 4)
        for words in ["", " 16 7", " 10", " 10 x", " 10 -1", " 10 7 7"] {
            #expect(throws: ItemKeyText.Fault.self) { try ItemKeyText.key(Secret(key + words), .eid) }
        }
    }

    @Test("Read a Find Hub tag's key of 32 bytes in hexadecimal or base64, and its clock after it or in its item")
    func tagKeys() throws {
        let hex = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        let clock = EphemeralClock(exponent: FMDNKey.exponent, origin: 1_753_862_400)
        for text in [hex, hex.uppercased(), "0x" + hex, "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="] {
            let read = try ItemKeyText.key(Secret(text), .fmdn, clock: clock)
            #expect(read.bytes == Array(0..<32))
            guard case .fmdn(let tag) = try ItemKeyText.key(Secret(text + " 1753862400"), .fmdn).key else {
                Issue.record("another kind")
                return
            }
            #expect(tag.origin.microseconds == 1_753_862_400_000_000)
            #expect(read.key.kind == .fmdn)
            for words in ["", " x", " -1", " 10 7"] {
                #expect(throws: ItemKeyText.Fault.self) { try ItemKeyText.key(Secret(text + words), .fmdn) }
            }
        }
        for text in ["00112233445566778899aabbccddeeff", "/+7dzLuqmYh3ZlVEMyIRAA==", hex + "0", "phone"] {
            let fault = #expect(throws: ItemKeyText.Fault.self) {
                try ItemKeyText.key(Secret(text), .fmdn, clock: clock)
            }
            #expect(fault?.words.contains("64 hexadecimal digits") == true)
        }
    }

    @Test("Read a Find Hub tag's key file and clock from an items file, and reject exposed files and keys")
    func tagItems() throws {
        let folder = try TemporaryFolder()
        let hex = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        try key(folder, "bag.fmdn", hex)
        try key(folder, "open.fmdn", hex, mode: 0o644)
        let agent = try agent(
            folder, "- {id: bag, fmdn: {key_file: bag.fmdn, clock: 1753862400}}\n- {id: cap, key: fmdn}\n")
        #expect(agent.items.map(\.key) == [.fmdn, .fmdn])
        #expect(agent.items[0].clock == EphemeralClock(exponent: 10, origin: 1_753_862_400))
        #expect(agent.items[0].keyFile == folder.file("bag.fmdn"))
        let faults = #expect(throws: ConfigurationFaults.self) {
            _ = try self.agent(
                folder,
                """
                - {id: a, fmdn: {key_file: open.fmdn, clock: 1753862400}}
                - {id: b, fmdn: {key_file: bag.fmdn}}
                - {id: c, fmdn: {key_file: \(hex), clock: 1753862400}}
                - {id: d, fmdn: {key_file: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", clock: 1753862400}}
                """)
        }
        let words = faults.map { "\($0)" } ?? ""
        for part in ["chmod 600", "its counter was 0", "found the key itself"] {
            #expect(words.contains(part), "\(part) in \(words)")
        }
        #expect(!words.contains("00010203") && !words.contains("AAECAwQ"))
    }

    private func agent(_ folder: TemporaryFolder, _ items: String, _ more: String = "") throws -> AgentConfiguration {
        try folder.write("items.yaml", items)
        try folder.write("agent.yaml", "node: kitchen\nmqtt: {url: mqtt://localhost}\nitems: items.yaml\n\(more)")
        return try AgentConfiguration.load(path: folder.file("agent.yaml"), environment: [:])
    }

    private func key(_ folder: TemporaryFolder, _ name: String, _ text: String, mode: UInt32 = 0o600) throws {
        try folder.write(name, text)
        try setMode(mode, of: folder.file(name))
    }

    @Test("Read the names of key files from an items file, and a BTHome device by its address")
    func itemsFile() throws {
        let folder = try TemporaryFolder()
        try key(folder, "cat.eid", "00112233445566778899aabbccddeeff")
        try key(folder, "fridge.bthome", "00112233445566778899aabbccddeeff")
        let agent = try agent(
            folder,
            """
            - {id: cat, eid: {key_file: cat.eid, rotation_exponent: 10, clock: 1753862400}}
            - {id: fridge, bthome: {address: "a4:c1:38:00:11:22", key_file: fridge.bthome}}
            - {id: watch, key: irk}
            - {id: gone, irk_file: gone.irk}
            """, "keys: keys\n")
        #expect(agent.items.map(\.key) == [.eid, .bthome, .irk, .irk])
        #expect(agent.items[0].clock == EphemeralClock(exponent: 10, origin: 1_753_862_400))
        #expect(agent.items[1].identities == [.address(0xA4C1_3800_1122)])
        #expect(agent.items[1].keyFile == folder.file("fridge.bthome"))
        #expect(agent.keyFolders == [folder.file("keys/")])
        // A missing key is reported and doesn't prevent a start: the other items are received.
        let warnings = agent.warnings.map { "\($0)" }
        #expect(warnings.count == 2 && warnings.contains { $0.contains("gone.irk' does not exist") }, "\(warnings)")
        #expect(warnings.contains { $0.contains("is no folder") })
    }

    @Test("Report an exposed file, one without a key, and a key in place of a file, without showing them")
    func faults() throws {
        let folder = try TemporaryFolder()
        try key(folder, "open.irk", "00112233445566778899aabbccddeeff", mode: 0o644)
        try key(folder, "bad.irk", "00112233445566778899aabbccddeefg")
        let faults = #expect(throws: ConfigurationFaults.self) {
            _ = try agent(
                folder,
                """
                - {id: a, irk_file: open.irk}
                - {id: b, irk_file: bad.irk}
                - {id: c, irk_file: 00112233445566778899aabbccddeeff}
                - {id: d, irk_file: "/+7dzLuqmYh3ZlVEMyIRAA=="}
                - {id: e, irk_file: a.irk, eid: {key_file: e.eid}}
                - {id: f, bthome: {key_file: f.bthome}}
                - {id: g, eid: {key_file: g.eid, clock: 7}}
                - {id: h, irk: 00112233445566778899aabbccddeeff}
                """)
        }
        let words = faults.map { "\($0)" } ?? ""
        for part in [
            "chmod 600", "holds no key", "found the key itself", "one kind of key", "'address' is missing",
            "belong together", "unknown key 'irk'",
        ] {
            #expect(words.contains(part), "\(part) in \(words)")
        }
        #expect(!words.contains("00112233") && !words.contains("7dzLuq"))
    }

    @Test(
        "Report a key in a wrong place, without showing it",
        arguments: [
            "{id: a, key: 00112233445566778899aabbccddeeff}", "{id: a, eid: 00112233445566778899aabbccddeeff}",
            "{id: a, address: 00112233445566778899aabbccddeeff}",
            "{id: 'irk:00112233445566778899aabbccddeeff', key: irk}",
            "{id: a, address: 'irk:00112233445566778899aabbccddeeff'}", "{00112233445566778899aabbccddeeff: a}",
            "{id: a, bthome: {address: 00112233445566778899aabbccddeeff, key_file: f}}",
            "{id: a, irk_file: 'Key=00112233445566778899aabbccddeeff'}",
            "{id: a, irk_file: 'irk: 00112233445566778899aabbccddeeff'}",
            "{id: a, irk_file: '00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff'}",
            "{id: a, eid: {key_file: '00112233445566778899aabbccddeeff 10 1753862400'}}",
        ])
    func misplaced(item: String) throws {
        let folder = try TemporaryFolder()
        let faults = #expect(throws: ConfigurationFaults.self) { _ = try agent(folder, "- \(item)\n") }
        let words = faults.map { "\($0)" } ?? ""
        #expect(words.contains("items.yaml:1:"))
        #expect(!words.contains("0011223344") && !words.contains("00 11 22"), "\(words)")
    }

    @Test("Report two items with one key by name, and read the others")
    func twins() throws {
        let folder = try TemporaryFolder()
        for name in ["a.irk", "b.irk"] { try key(folder, name, "00112233445566778899aabbccddeeff") }
        try key(folder, "c.irk", "reversed:00112233445566778899aabbccddeeff")
        let items = "- {id: a, irk_file: a.irk}\n- {id: b, irk_file: b.irk}\n- {id: c, irk_file: c.irk}\n"
        let agent = try agent(folder, items)
        #expect(agent.items.map(\.id) == ["a", "b", "c"] && agent.warnings.count == 1)
        let words = agent.warnings.first.map { "\($0)" } ?? ""
        #expect(words.contains("items.yaml:2:3: 'b' has the same key as 'a'") && !words.contains("0011"), "\(words)")
    }

    @Test("Report a key in place of a folder of keys, without showing it")
    func folder() throws {
        let folder = try TemporaryFolder()
        let agent = try agent(folder, "- {id: a, key: irk}\n", "keys: 00112233445566778899aabbccddeeff\n")
        let words = agent.warnings.map { "\($0)" }.joined()
        #expect(words.contains("is no folder") && !words.contains("0011223344"))
    }

    @Test("Read the same items file for a fuser without any of the keys")
    func fuser() throws {
        let folder = try TemporaryFolder()
        try folder.write("items.yaml", "- {id: phone, irk_file: credential:phone.irk}\n- {id: w, irk_file: none.irk}\n")
        try folder.write("fuser.yaml", "name: main\nmqtt: {url: mqtt://localhost}\nitems: items.yaml\n")
        let fuser = try FuserConfiguration.load(path: folder.file("fuser.yaml"), environment: [:])
        #expect(fuser.items.map(\.key) == [.irk, .irk] && fuser.warnings.isEmpty)
    }

    @Test("Read keys from systemd's credentials, one by its name or a whole folder")
    func credentials() throws {
        let folder = try TemporaryFolder()
        try folder.write("agent.yaml", "node: k\nmqtt: {url: mqtt://localhost}\nkeys: credential:keys\n")
        let agent = try AgentConfiguration.load(
            path: folder.file("agent.yaml"), environment: ["CREDENTIALS_DIRECTORY": "/run/credentials/x"])
        #expect(agent.keyFolders == ["/run/credentials/x/keys_", "/run/credentials/x/"])
    }
}
