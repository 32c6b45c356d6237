import Integrations
import Support
import Testing

@testable import Fuser
import Identity
import WireProtocol

@Suite("Whose the names are that other systems have")
struct ExternalNamesTests {
    /// Of the specification (Core Vol 3 Part H, D.7): a key, and an address made with it.
    private static let key: [UInt8] = [
        0xEC, 0x02, 0x34, 0xA3, 0x57, 0xC8, 0xAD, 0x05, 0x34, 0x10, 0x10, 0xA6, 0x0A, 0x39, 0x7D, 0x9B,
    ]
    private static let address = "7081940dfbaa"

    @Test("A phone's changing address is the phone's, by whichever system it is told")
    func addresses() throws {
        let words: [(String, String)] = [
            ("espresense/devices/\(Self.address)/hall", #"{"rssi":-60}"#),
            ("espresense/devices/apple:1005:9-24/hall", #"{"rssi":-60,"mac":"7081940dfbaa"}"#),
            ("home/hall/BTtoMQTT/7081940DFBAA", #"{"id":"70:81:94:0D:FB:AA","rssi":-60}"#),
            (
                "paretoanywhere/devices/7081940dfbaa/3/raddec",
                #"{"transmitterId":"7081940dfbaa","transmitterIdType":3,"rssiSignature":[{"receiverId":"001bc509"#
                    + #"40810000","rssi":-60,"numberOfDecodings":2}]}"#
            ),
        ]
        for (topic, payload) in words {
            var house = ExternalHouse(
                rooms: ["hall"], nodes: ["raddec-001bc50940810000": "hall"], keys: [Self.key: "phone"])
            for second in 1...12 { house.say(topic, payload, at: Double(second) + 0.5) }
            house.fused.advance(to: 14)
            #expect(try house.location("phone")?.room == "hall", "\(topic)")
            let all = house.fused.outbox.map { $0.topic + String(decoding: $0.payload, as: UTF8.self) }.joined()
            #expect(!all.contains("ec0234a3") && !all.lowercased().contains(Self.address))
        }
    }

    @Test("An address costs a cipher a key once, and one that is registered or no such address none")
    func cost() {
        var names = ExternalNames(keys: [Self.key: "phone", Array(0...15): "watch"])
        func item(_ address: UInt64) -> String? { names.item(called: .beacon(.address(address))) }
        let owners = Set((0..<100).map { _ in item(0x7081_940D_FBAA) })
        #expect(owners == ["phone"] && names.ciphers == 2)
        let strangers = Set((0..<100).map { _ in item(0x4000_0000_0001) })
        #expect(strangers == [nil] && names.ciphers == 4)
        let others = [item(0xC081_940D_FBAA), item(0x0081_940D_FBAA)]
        #expect(others == [nil, nil] && names.ciphers == 4)
    }

    @Test("Other keys count from the moment on in which their files were read again")
    func renewed() {
        var names = ExternalNames(keys: [Array(0...15): "phone"])
        let told: [ExternalName] = [.beacon(.address(0x7081_940D_FBAA)), .key(Array(0...15)), .key(Self.key)]
        let before = told.map { names.item(called: $0) }
        #expect(before == [nil, "phone", nil])
        names.use([Self.key: "phone"])
        let after = told.map { names.item(called: $0) }
        #expect(after == ["phone", nil, "phone"])
        let ciphers = names.ciphers
        names.use([Self.key: "phone"])
        #expect(names.ciphers == ciphers, "the same keys ask for nothing anew")
    }

    @Test("Settings of many strangers keep no item's name out, before or after them")
    func aliases() {
        // More than there is room for.
        let count = LongProofs.areRequested ? 20_000 : 8000
        var house = ExternalHouse()
        func settings(_ id: String, _ alias: String) -> (String, String) {
            ("espresense/settings/\(id)/config", #"{"id":"\#(alias)"}"#)
        }
        for number in 0..<count {
            let (topic, payload) = settings("name:stranger-\(number)", "stranger-\(number)")
            house.say(topic, payload, at: 0.5, retained: true)
        }
        let (topic, payload) = settings(ExternalHouse.keys, "wallet")
        house.say(topic, payload, at: 1, retained: true)
        for number in 0..<count {
            let (topic, payload) = settings("name:other-\(number)", "other-\(number)")
            house.say(topic, payload, at: 1.5, retained: true)
        }
        for second in 2...12 { house.espresense("hall", -60, at: Double(second) + 0.5, id: "wallet") }
        #expect(house.rooms == ["hall"])
        #expect((house.fused.pipeline.external.counters?.leftOut ?? 0) > UInt64(2 * count - 10_000))
    }

    @Test(
        "Readings that others tell of a device with a key aren't believed, and where it is heard is",
        arguments: [true, false])
    func sealed(hasKey: Bool) throws {
        var house = ExternalHouse()
        let key = hasKey ? #","key":"bthome""# : ""
        house.say(
            "whereabouts/items/fridge/config",
            #"{"v":1,"id":"fridge","address":"a4:c1:38:00:11:22"\#(key),"at":999990}"#,
            at: 0.5, retained: true)
        for second in 1...12 {
            house.say(
                "home/hall/BTtoMQTT/A4C138001122", #"{"id":"A4:C1:38:00:11:22","rssi":-60,"tempc":99,"batt":50}"#,
                at: Double(second) + 0.5)
            house.say(
                "espresense/devices/a4c138001122/hall", #"{"rssi":-60,"temp":99}"#, at: Double(second) + 0.6)
        }
        house.fused.advance(to: 14)
        #expect(try house.location("fridge")?.room == "hall")
        #expect(house.fused.texts("whereabouts/items/fridge/telemetry").isEmpty == hasKey)
        let words = house.complaints.filter { $0.hasPrefix("'fridge' has a key") }
        #expect(words.count == (hasKey ? 1 : 0))
    }
}
