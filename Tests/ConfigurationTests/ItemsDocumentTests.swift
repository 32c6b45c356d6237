import Bytes
import Identity
import Testing

@testable import Configuration

@Suite("Files of items")
struct ItemsDocumentTests {
    static let uuid = "48534442-4c45-4144-80c0-1800fffffff0"

    static func read(_ text: String, csv: Bool = false) throws(ConfigurationFaults) -> ItemsDocument {
        let document = ItemsDocument(Array(text.utf8), csv ? .csv : .json, file: "f")
        try document.check()
        return document
    }

    static func faults(_ text: String, csv: Bool = false) -> [String] {
        do throws(ConfigurationFaults) {
            _ = try read(text, csv: csv)
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    static func element(_ id: String, _ name: String, minor: String = "1") -> String {
        #"{"id":\#(id),"name":"\#(name)","info":{"uuid":"\#(uuid)","major":100,"minor":\#(minor)}}"#
    }

    @Test("Make items with ids of their names from a BeaconData.json, and report the ids")
    func beaconData() throws {
        let names = ["Beacon1", "Anna's Keys!", "Beacon1", "", "Away", "Überraschung"]
        let elements = names.enumerated().filter { !$1.isEmpty }.map { index, name in
            Self.element("\(1001 + index)", name, minor: "\(index)")
        }
        let text =
            "[" + elements.joined(separator: ",\n") + #",{"id":7,"info":{"uuid":"\#(Self.uuid)","major":1,"minor":9}}]"#
        let document = try Self.read(text)
        #expect(
            document.changes.map(\.id) == [
                "beacon1", "annas-keys", "beacon1-1003", "beacon-1005", "berraschung", "beacon-7",
            ])
        #expect(document.notes.first == "1001 'Beacon1' is item 'beacon1'")
    }

    @Test("Report two faults in one file, each with its line, column and element")
    func twoFaults() {
        let text = """
            [\(Self.element("1001", "One").replacing("c0-1800", with: "c0-18")),
             \(Self.element("1002", "Two", minor: "70000")),
             \(Self.element("1003", "Three", minor: "3"))]
            """
        let faults = Self.faults(text)
        #expect(faults.count == 2)
        #expect(faults.first?.hasPrefix("f:1:") == true)
        #expect(faults.first?.contains("element 1: info.uuid: expected a UUID") == true)
        #expect(faults.last?.hasPrefix("f:2:") == true)
        #expect(faults.last?.contains("element 2: info.minor: expected a whole number from 0 to 65535") == true)
    }

    @Test(
        "Report the position of the fault in a text that is no list of items",
        arguments: [
            ("", "f:1:1: ends too early"), ("{}", "f:1:1: expected an array"), ("[]", "f:1:1: there is no item in it"),
            ("[1]", "f:1:2: element 1: expected an object"), ("[{}]", "f:1:2: element 1: 'id' is missing"),
            ("[\n  {\"id\":\n}]", "f:3:1: expected a"),
        ])
    func broken(_ text: String, _ words: String) {
        #expect(Self.faults(text).first?.hasPrefix(words) == true, "\(Self.faults(text))")
    }

    @Test("Report one beacon under two names in one file")
    func duplicates() {
        let twice = "[" + Self.element("1", "One") + "," + Self.element("2", "Two") + "]"
        #expect(Self.faults(twice).first?.contains("'two' and 'one' are one beacon") == true)
    }

    @Test("Read CSV columns in any order, and report every invalid row with its line")
    func csv() throws {
        let good = try Self.read("major,id,minor,uuid,tags\n1,keys,2,\(Self.uuid),a b\n", csv: true)
        #expect(good.changes.map(\.id) == ["keys"])
        if case .item(let item) = good.changes[0].content { #expect(item.tags == ["a", "b"]) }
        let bad = """
            id,uuid,major,minor,majr
            keys,nonsense,1,2,
            Away!,\(Self.uuid),1,x,
            cat,\(Self.uuid),1
            dog,,,,
            away,\(Self.uuid),1,5,
            """
        let faults = Self.faults(bad, csv: true)
        #expect(faults.contains { $0.hasPrefix("f:1:1: unknown column 'majr'; did you mean 'major'?") })
        #expect(faults.contains { $0.hasPrefix("f:2:1: uuid: expected a UUID") })
        #expect(
            faults.contains { $0.hasPrefix("f:3:1: id: 'Away!' can't be an id (up to 64 of a-z, 0-9, '_' and '-')") })
        #expect(faults.contains { $0.hasPrefix("f:3:1: minor: expected a whole number") })
        #expect(faults.contains { $0.hasPrefix("f:4:1: 4 fields") || $0.hasPrefix("f:4:1: 3 fields") })
        #expect(faults.contains { $0.hasPrefix("f:5:1: an item needs") })
        #expect(faults.contains { $0.hasPrefix("f:6:1: id: 'away' is reserved") })
    }

    static let items: [Item] = {
        var keys = Item(
            id: "keys", name: "Anna's \"keys\", spare", identities: [BeaconID("iBeacon:\(uuid)-100-1")!],
            expectedInterval: .milliseconds(1500))
        (keys.tags, keys.power) = (["a", "b"], -59)
        let cat = Item(
            id: "cat",
            identities: [BeaconID("eddystone:00112233445566778899-0123456789ab")!, BeaconID("aa:bb:cc:dd:ee:ff")!])
        let bag = Item(id: "bag", name: "no", identities: [BeaconID("altBeacon:\(uuid)-0-65535")!])
        return [bag, cat, keys].map(\.published)
    }()

    @Test("Read an export back unchanged, in every form")
    func roundTrip() throws {
        let expected = Self.items.map { ItemEntry.Content.item($0) }
        #expect(try Self.read(ItemsDocument.csv(Self.items), csv: true).changes.map(\.content) == expected)
        let entries = Self.items.map { ItemEntry($0, at: .init(microseconds: 5_000_000)) }
        let document = try Self.read(
            ItemsDocument.json(entries + [ItemEntry(removed: "old", at: .init(microseconds: 7_000))]))
        #expect(document.changes.map(\.content) == expected + [.removed])
        let yaml = try ItemsFile.load(text: ItemsDocument.yaml(Self.items), file: "items.yaml")
        #expect(yaml.map(\.published) == Self.items)
    }
}
