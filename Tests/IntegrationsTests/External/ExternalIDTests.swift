import BeaconFrames
import Identity
import Integrations
import Testing

@Suite("The names of a beacon in other systems")
struct ForeignIDTests {
    /// Other systems' ids, and why none of ours is spelled so.
    static let notOurs = [
        "room-assistant": "it tells rooms by mqtt_room, which is read by its shape, and its ids there are its own",
        "HA ibeacon": "a group of a UUID inside Home Assistant, which no node tells",
        "happy-bubbles": "it tells its own server, which is gone",
    ]

    static let own: [(text: String, id: String)] = [
        ("iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1", "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1"),
        (
            "altBeacon:48534442-4c45-4144-80c0-1800fffffff0-7-65535",
            "altBeacon:48534442-4c45-4144-80c0-1800fffffff0-7-65535"
        ),
        ("eddy:aabbccddeeeeff00112233-0a0b0c0d0e0f", "eddystone:aabbccddeeff00112233-0a0b0c0d0e0f"),
        ("dd8800003777", "dd8800003777"),
    ]

    @Test("Read each spelling of ESPresense, and write it again", arguments: own)
    func both(_ row: (text: String, id: String)) throws {
        let id = try #require(BeaconID(row.id))
        #expect(ExternalName(espresense: row.text) == .beacon(id))
        #expect(id.espresense == row.text)
    }

    @Test("Spellings that are only read")
    func readAlone() throws {
        #expect(ExternalName(espresense: "known:DD8800003777") == .beacon(.address(0xDD88_0000_3777)))
        #expect(
            ExternalName(espresense: "eddy:aabbccddeeff00112233-0a0b0c0d0e0f")
                == BeaconID("eddystone:aabbccddeeff00112233-0a0b0c0d0e0f").map { .beacon($0) })
        #expect(ExternalName(espresense: "irk:000102030405060708090a0b0c0d0e0f") == .key(Array(0...15)))
        #expect(ExternalName(espresense: "phone:hazri-test") == .alias("phone:hazri-test"))
        #expect(ExternalName(espresense: "apple:1006:10-12") == .alias("apple:1006:10-12"))
        #expect(ExternalName(espresense: "wallet") == .alias("wallet"))
    }

    @Test(
        "Reject invalid names",
        arguments: [
            "", "iBeacon:", "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100",
            "eddy:aabbccddeeffff00112233-0a0b0c0d0e0f",
            "eddy:aabb-0a0b", "irk:0001", "irk:zz0102030405060708090a0b0c0d0e0f", "known:phone", "a\nb",
            String(repeating: "x", count: 129), "altBeacon:48534442-4c45-4144-80c0-1800fffffff0-70000-1",
        ])
    func none(_ text: String) { #expect(ExternalName(espresense: text) == nil) }

    @Test("Write no spelling of a beacon known by a key")
    func keyed() {
        #expect(BeaconID.irk("phone").espresense == nil && BeaconID.eid("cat").espresense == nil)
    }

    @Test("Never log a key in a topic")
    func keys() {
        let topic = "espresense/devices/irk:000102030405060708090a0b0c0d0e0f/office"
        #expect(ExternalName.withoutKeys(topic) == "espresense/devices/irk:…/office")
    }

    @Test("Read and write each shared id of ESPresense, or list it as unsupported with the reason")
    func shared() throws {
        let rows = try SharedRows.read("foreign-ids.jsonl", atLeast: 6)
        #expect(rows.isEmpty || rows.contains { $0["system"] as? String == "ESPresense" })
        for row in rows {
            let system = try #require(row["system"] as? String)
            guard system == "ESPresense" else {
                #expect(Self.notOurs[system] != nil, "\(system)")
                continue
            }
            let input = try #require(row["input"] as? [String: Any])
            let text = try #require(row["id"] as? String)
            let id = try #require(Self.beacon(input))
            #expect(id.espresense == text)
            #expect(ExternalName(espresense: text) == .beacon(id))
        }
    }

    private static func beacon(_ input: [String: Any]) -> BeaconID? {
        if let namespace = input["namespace"] as? String, let instance = input["instance"] as? String {
            return BeaconID("eddystone:\(namespace)-\(instance)")
        }
        guard let uuid = (input["uuid"] as? String).flatMap({ BeaconUUID($0) }), let major = input["major"] as? Int,
            let minor = input["minor"] as? Int
        else { return nil }
        return input["format"] as? String == "AltBeacon"
            ? .altBeacon(uuid: uuid, major: UInt16(major), minor: UInt16(minor))
            : .iBeacon(uuid: uuid, major: UInt16(major), minor: UInt16(minor))
    }

    @Test("Make a valid and distinct id for each node of another system")
    func nodes() {
        let names = [
            "kitchen", "Kitchen", "living room", "living_room", "Küche", "away", String(repeating: "k", count: 90),
        ]
        let ids = names.map { IntegrationSystem.espresense.nodeID($0) }
        #expect(ids[0] == "espresense-kitchen")
        #expect(Set(ids).count == ids.count)
        for id in ids { #expect(id.wholeMatch(of: /[a-z0-9_-]{1,64}/) != nil) }
    }
}
