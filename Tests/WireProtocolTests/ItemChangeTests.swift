import BeaconFrames
import Bytes
import Identity
import WireProtocol
import Testing

@Suite("Items on the wire")
struct ItemChangeTests {
    static let uuid = "48534442-4c45-4144-80c0-1800fffffff0"
    static let good = #"{"ibeacon":{"uuid":"\#(uuid)","major":100,"minor":1},"at":5}"#

    static func read(_ text: String, _ id: String = "keys") throws(ItemRefusal) -> ItemChange? {
        try ItemChange.read(Array(text.utf8).span, item: id)
    }

    static func refusal(_ text: String, _ id: String = "keys") -> ItemRefusal? {
        do throws(ItemRefusal) {
            _ = try read(text, id)
            return nil
        } catch {
            return error
        }
    }

    @Test("Read any entry back as it was sent")
    func exactBytes() throws {
        var item = Item(
            id: "keys", name: "Anna's \"keys\"",
            identities: [
                .iBeacon(uuid: BeaconUUID(Self.uuid)!, major: 100, minor: 65_535), .address(0xAABB_CCDD_EEFF),
                .eddystone(EddystoneUID.Namespace("00112233445566778899")!, 0x0123_4567_89AB),
                .altBeacon(uuid: BeaconUUID(Self.uuid)!, major: 0, minor: 1),
            ], expectedInterval: .milliseconds(1500))
        (item.tags, item.power, item.key) = (["anna", "pet"], -59, .irk)
        let entry = ItemEntry(item, at: Timestamp(microseconds: 1_753_862_400_123_000))
        let text = String(decoding: ItemChange(entry).payload, as: UTF8.self)
        #expect(
            text == #"{"v":1,"id":"keys","name":"Anna's \"keys\"","tags":["anna","pet"],"address":"aa:bb:cc:dd:ee:ff","#
                + #""altbeacon":{"uuid":"\#(Self.uuid)","major":0,"minor":1},"#
                + #""eddystone_uid":{"namespace":"00112233445566778899","instance":"0123456789ab"},"#
                + #""ibeacon":{"uuid":"\#(Self.uuid)","major":100,"minor":65535},"key":"irk","expected_interval":1.5,"#
                + #""power":-59,"at":1753862400.123}"#)
        let back = try #require(try Self.read(text))
        #expect(back.entry(at: back.at!) == entry)
    }

    @Test("Read a tombstone back as it was sent, and nothing from an empty payload")
    func tombstone() throws {
        let entry = ItemEntry(removed: "keys", at: Timestamp(microseconds: 7_500_000))
        let text = String(decoding: ItemChange(entry).payload, as: UTF8.self)
        #expect(text == #"{"v":1,"id":"keys","removed":7.5}"#)
        #expect(try Self.read(text) == ItemChange(entry))
        #expect(try Self.read(#"{"removed":7.5}"#) == ItemChange(entry))
        #expect(try Self.read("") == nil)
    }

    @Test("Ignore unknown keys")
    func unknownKeys() throws {
        #expect(try Self.read(String(Self.good.dropLast()) + #","colour":["red",{}]}"#) == Self.read(Self.good))
    }

    @Test("Read a whole number however it is written", arguments: ["100", "100.0", "1e2", "1000e-1"])
    func wholeNumbers(_ number: String) throws {
        #expect(try Self.read(Self.good.replacing("100", with: number)) == Self.read(Self.good))
    }

    static let malformedEntries: [(text: String, words: String)] = [
        ("nonsense", "not the expected JSON"),
        ("[]", "not the expected JSON"),
        (#"{"ibeacon":{"uuid":"\#(uuid)","major":1,"minor":1}"#, "not the expected JSON"),
        ("{}", "an item needs one of ibeacon"),
        (#"{"ibeacon":7}"#, "ibeacon: expected an object"),
        (#"{"ibeacon":{}}"#, "ibeacon.uuid: is missing"),
        (#"{"ibeacon":{"uuid":"\#(uuid)","minor":1}}"#, "ibeacon.major: is missing"),
        (#"{"ibeacon":{"uuid":"48534442-4c45","major":1,"minor":1}}"#, "8-4-4-4-12"),
        (#"{"ibeacon":{"uuid":5,"major":1,"minor":1}}"#, "ibeacon.uuid"),
        (#"{"ibeacon":{"uuid":"\#(uuid)","major":65536,"minor":1}}"#, "from 0 to 65535, found '65536'"),
        (#"{"ibeacon":{"uuid":"\#(uuid)","major":1,"minor":-1}}"#, "found '-1'"),
        (#"{"ibeacon":{"uuid":"\#(uuid)","major":"1","minor":1}}"#, "ibeacon.major: expected a whole number"),
        (#"{"altbeacon":{"uuid":"\#(uuid)","major":1.5,"minor":1}}"#, "altbeacon.major"),
        (#"{"eddystone_uid":{"namespace":"0011","instance":"0123456789ab"}}"#, "20 hexadecimal digits"),
        (#"{"eddystone_uid":{"namespace":"00112233445566778899","instance":"xyz"}}"#, "12 hexadecimal digits"),
        (#"{"address":"aa:bb:cc"}"#, "a device address such as"),
        (#"{"address":["aa:bb:cc:dd:ee:ff"]}"#, "as text in quotes"),
        (String(good.dropLast()) + #","id":"cat"}"#, "the topic is that of 'keys'"),
        (String(good.dropLast()) + #","name":""}"#, "1 to 128 bytes"),
        (String(good.dropLast()) + #","name":"a\u0007b"}"#, "control characters"),
        (String(good.dropLast()) + #","name":"\#(String(repeating: "x", count: 129))"}"#, "1 to 128 bytes"),
        (String(good.dropLast()) + #","tags":["Big Dog"]}"#, "of a-z, 0-9"),
        (
            String(good.dropLast()) + #","tags":[\#((0..<17).map { "\"t\($0)\"" }.joined(separator: ","))]}"#,
            "more than 16"
        ),
        (String(good.dropLast()) + #","expected_interval":0}"#, "seconds from 0.01 to 3600"),
        (String(good.dropLast()) + #","expected_interval":"5s"}"#, "expected_interval: expected seconds"),
        (String(good.dropLast()) + #","power":59}"#, "from -100 to 0"),
        (String(good.dropLast()) + #","irk":"00112233445566778899aabbccddeeff"}"#, "keys never travel over a topic"),
        (String(good.dropLast()) + #","key":"00112233445566778899aabbccddeeff"}"#, "one of irk, eid, fmdn, bthome"),
        (#"{"address":"irk:00112233445566778899aabbccddeeff"}"#, "found 'irk:…'"),
        (#"{"address":"the address of my phone is 00112233445566778899aabbccddeeff"}"#, "is …'"),
        (#"{"id":"irk:00112233445566778899aabbccddeeff","key":"irk"}"#, "is 'irk:…'"),
        (#"{"removed":true}"#, "removed: expected Unix seconds"),
        (#"{"removed":1753862400123}"#, "up to the year 2100"),
        (String(good.dropLast()) + #","at":-1}"#, "at: expected Unix seconds"),
        (String(repeating: " ", count: ItemChange.payloadLimit) + "{}", "longer than"),
    ]

    @Test("Reject a malformed entry with its reason, without repeating a secret", arguments: Self.malformedEntries)
    func malformed(_ text: String, _ words: String) throws {
        let refusal = try #require(Self.refusal(text))
        #expect("\(refusal)".contains(words), "\(refusal)")
        #expect("\(refusal)".hasPrefix("the entry of 'keys' is refused: "))
        #expect(!"\(refusal)".contains("aabbccddeeff"))
    }

    @Test("Report every fault of an entry together")
    func allFaults() {
        let text = #"{"ibeacon":{"uuid":"x","major":70000,"minor":1},"power":5,"tags":"a"}"#
        #expect(Self.refusal(text)?.faults.map(\.key) == ["ibeacon.uuid", "ibeacon.major", "power", "tags"])
    }

    @Test("Accept the good entries among malformed ones")
    func others() throws {
        var book = RegistryBook()
        var refused = 0
        for (index, bad) in Self.malformedEntries.enumerated() {
            if Self.refusal(bad.text) != nil { refused += 1 }
            let text = #"{"address":"aabbccddee\#(Hex.text(UInt8(index), digits: 2))","at":5}"#
            let change = try #require(try Self.read(text, "i\(index)"))
            book.apply(change, retained: true, at: Timestamp(microseconds: 9_000_000))
        }
        #expect(refused == Self.malformedEntries.count)
        #expect(book.registry().items.count == Self.malformedEntries.count)
    }

    @Test("Reject every truncation of an entry")
    func truncations() {
        let bytes = Array(Self.good.utf8)
        for count in 1..<bytes.count {
            #expect(Self.refusal(String(decoding: bytes.prefix(count), as: UTF8.self)) != nil)
        }
    }
}
