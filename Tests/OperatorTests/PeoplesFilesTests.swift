import Bytes
import Configuration
import Foundation
import Identity
import WireProtocol
import Support
import Testing

@testable import Operator
import RoomEstimation

/// Files and words as people write them: each input with the message and the exit status that it gets. The table is printed.
@Suite struct PeoplesFilesTests {
    private static let uuid = "48534442-4c45-4144-80c0-1800fffffff0"

    /// A file of items, and the ids that are read from it or a part of the fault.
    struct FileRow: CustomTestStringConvertible, Sendable {
        var title: String
        var bytes: [UInt8]
        var ending = "csv"
        /// The ids, separated by spaces; nil if the file is rejected.
        var ids: String?
        var fault = ""

        var testDescription: String { title }
    }

    private static func text(_ title: String, _ text: String, _ ids: String? = nil, fault: String = "") -> FileRow {
        let text = text.replacingOccurrences(of: "U,", with: uuid + ",").replacingOccurrences(
            of: "U;", with: uuid + ";"
        )
        .replacingOccurrences(of: "U\t", with: uuid + "\t")
        return FileRow(title: title, bytes: Array(text.utf8), ids: ids, fault: fault)
    }

    private static func utf16(_ text: String, _ order: String.Encoding) -> [UInt8] {
        Array(text.data(using: order) ?? Data())
    }

    private static let plain = "id;uuid;major;minor\r\nkeys;\(uuid);100;1\r\n"

    static let files: [FileRow] = [
        text("commas", "id,uuid,major,minor\nkeys,U,100,1\n", "keys"),
        text("semicolons, CR LF", "id;uuid;major;minor\r\nkeys;U;100;1\r\n", "keys"),
        text("tabs", "id\tuuid\tmajor\tminor\nkeys\tU\t100\t1\n", "keys"),
        text("CR alone", "id;uuid;major;minor\rkeys;U;100;1\r", "keys"),
        text("sep=;", "sep=;\r\nid;uuid;major;minor\r\nkeys;U;100;1\r\n", "keys"),
        text("capitals, spaces, quotes", "\"ID\", Name ,UUID,Major,\"Minor \"\nkeys, Keys ,U,100,1\n", "keys"),
        text("header with a hyphen", "id,uuid,major,minor,Expected Interval\nkeys,U,100,1,5s\n", "keys"),
        text("decimal commas", "id;uuid;major;minor;power\nkeys;U;100,0;1,00;-59,0\n", "keys"),
        text("decimal commas in quotes", "id,uuid,major,minor,power\nkeys,U,\"100,0\",1,\"-59,0\"\n", "keys"),
        text("empty rows at the end", "id;uuid;major;minor\nkeys;U;100;1\n;;;\n;;;\n", "keys"),
        text("tags with commas in quotes", "id,tags,uuid,major,minor\nkeys,\"anna, pet\",U,100,1\n", "keys"),
        FileRow(title: "UTF-8 with a mark", bytes: [0xEF, 0xBB, 0xBF] + Array(plain.utf8), ids: "keys"),
        FileRow(title: "UTF-16LE with a mark", bytes: [0xFF, 0xFE] + utf16(plain, .utf16LittleEndian), ids: "keys"),
        FileRow(title: "UTF-16BE with a mark", bytes: [0xFE, 0xFF] + utf16(plain, .utf16BigEndian), ids: "keys"),
        FileRow(
            title: "UTF-16LE without", bytes: utf16(plain, .utf16LittleEndian),
            fault: "f.csv:1:2: UTF-16LE without a byte order mark; save it"),
        FileRow(
            title: "Latin-1", bytes: Array("id;name\nkeys;Schl".utf8) + [0xFC] + Array("ssel\n".utf8),
            fault: "f.csv:2:10: not UTF-8: byte 0xFC, 'ü' in Windows-1252 (Latin-1); save it"),
        FileRow(
            title: "a workbook", bytes: Array("PK\u{3}\u{4}".utf8), fault: "f.csv:1:1: a spreadsheet or another ZIP"),
        text(
            "thousands", "id,uuid,major,minor\nkeys,U,\"1,234\",1\n",
            fault: "may be a fraction or thousands; write the number without"),
        text("more thousands", "id;uuid;major;minor\nkeys;U;1.234,0;1\n", fault: "has separators between thousands"),
        text(
            "scientific", "id;uuid;major;minor\nkeys;U;1E+02;1\n", fault: "is in scientific notation; format the column"
        ),
        text(
            "no whole number", "id;uuid;major;minor\nkeys;U;100,5;1\n",
            fault: "found '100,5', which is not a whole number"),
        text(
            "mangled digits", "id;namespace;instance\nkeys;1,12E+17;0\n",
            fault: "a spreadsheet made a number of it: format the column as text"),
        text(
            "a bare comma in a name", "id,name,address\nkeys,Keys, spare,a4:c1:38:00:11:22\n",
            fault: "f.csv:2:1: 4 fields, where the first row has 3; a field with a comma in it needs quotes"),
        text(
            "no id column", "Nr;uuid;major;minor\nkeys;U;100;1\n",
            fault: "f.csv:1:1: no column id; the first row, separated by ';', has: Nr, uuid, major, minor"),
        text("no header", "keys;a4:c1:38:00:11:22\n", fault: "the first row must name the columns"),
        text(
            "a misspelt column", "id;adress\nkeys;a4:c1:38:00:11:22\n",
            fault: "f.csv:1:1: unknown column 'adress'; did you mean 'address'?"),
        text(
            "a column twice", "id;Address;address\nkeys;a4:c1:38:00:11:22;\n",
            fault: "the column 'address' is given twice"),
        text(
            "capitals and spaces", "id;address\nAnna Keys;a4:c1:38:00:11:22\n",
            fault: "f.csv:2:1: id: 'Anna Keys' can't be an id (up to 64 of a-z, 0-9, '_' and '-'); 'anna-keys' would do"
        ),
        text("umlauts", "id;address\nKüche;a4:c1:38:00:11:22\n", fault: "'kueche' would do"),
        text(
            "a proposal that is taken below", "id;address\nAnna Keys;a4:c1:38:00:11:22\nanna-keys;a4:c1:38:00:11:23\n",
            fault: "'anna-keys-2' would do"),
        text(
            "a misspelt kind of key", "id;key\nkeys;ikr\n",
            fault: "key: expected one of irk, eid, fmdn, bthome; did you mean 'irk'?"),
        FileRow(
            title: "JSON in UTF-16",
            bytes: [0xFF, 0xFE] + utf16("[{\"id\":\"keys\",\"address\":\"a4:c1:38:00:11:22\"}]", .utf16LittleEndian),
            ending: "json", ids: "keys"),
        FileRow(
            title: "JSON with capitals",
            bytes: Array(
                "[{\"id\":\"Anna Keys\",\"address\":\"a4:c1:38:00:11:22\"},\n{\"id\":\"anna-keys\",\"address\":\"a4:c1:38:00:11:23\"}]"
                    .utf8), ending: "json",
            fault:
                "f.json:1:8: element 1: id: 'Anna Keys' can't be an id (up to 64 of a-z, 0-9, '_' and '-'); 'anna-keys-2' would do"
        ),
        FileRow(
            title: "YAML with a mark",
            bytes: [0xEF, 0xBB, 0xBF] + Array("- {id: keys, address: \"a4:c1:38:00:11:22\"}\n".utf8), ending: "yaml",
            ids: "keys"),
        FileRow(
            title: "YAML in UTF-16",
            bytes: [0xFE, 0xFF] + utf16("- {id: keys, address: \"a4:c1:38:00:11:22\"}\n", .utf16BigEndian),
            ending: "yaml", ids: "keys"),
        FileRow(
            title: "YAML with a name that is too long",
            bytes: Array(
                "- {id: keys, name: \(String(repeating: "n", count: 129)), address: \"a4:c1:38:00:11:22\"}\n".utf8),
            ending: "yaml", fault: "f.yaml:1:"),
        FileRow(
            title: "YAML without an item", bytes: Array("[]\n".utf8), ending: "yaml", fault: "there is no item in it"),
        FileRow(
            title: "YAML with capitals",
            bytes: Array(
                "- {id: Anna Keys, address: \"a4:c1:38:00:11:22\"}\n- {id: anna-keys, address: \"a4:c1:38:00:11:23\"}\n"
                    .utf8), ending: "yaml",
            fault: "f.yaml:1:8: 'Anna Keys' can't be an id (up to 64 of a-z, 0-9, '_' and '-'); 'anna-keys-2' would do"),
    ]

    @Test("Read an unambiguous file of items, and reject any other with the remedy", arguments: files)
    func file(_ row: FileRow) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(row.bytes, to: "f." + row.ending)
        do {
            let ids = try ItemsDocument.read(path).changes.map(\.id).joined(separator: " ")
            print("| \(row.title) | read: \(ids) | 0 |")
            #expect(ids == row.ids)
        } catch let faults as ConfigurationFaults {
            let words = faults.description.replacingOccurrences(of: folder.path + "/", with: "")
            print("| \(row.title) | \(words) | \(ConfigurationFaults.exitStatus) |")
            #expect(row.ids == nil && words.contains(row.fault), "\(words)")
        }
    }

    @Test("Preserve numbers through decimal commas")
    func values() throws {
        let row = "keys;\(Self.uuid);100,0;1,00;-59,0\n"
        let document = ItemsDocument(Array(("id;uuid;major;minor;power\n" + row).utf8), .csv, file: "f")
        try document.check()
        let expected = Item(id: "keys", identities: [try #require(BeaconID("iBeacon:\(Self.uuid)-100-1"))])
        guard case .item(let item)? = document.changes.first?.content else {
            Issue.record("no item")
            return
        }
        #expect(item.power == -59)
        #expect(item.identities == expected.identities)
    }

    @Test("Read the same files in locate, and report unreadable parts")
    func locate() throws {
        let folder = try TemporaryFolder()
        let home = try folder.write(
            Array(#"{"rooms":["hall"],"receivers":{"n":{"room":"hall"}}}"#.utf8), to: "home.json")
        let house = try HomeFile.read(home)
        let text = "T_s;Session;Tag;Receiver;RSSI dBm\r\n12,5;s;keys;n;-59,5\r\n"
        let good = try folder.write([0xFF, 0xFE] + Self.utf16(text, .utf16LittleEndian), to: "good.csv")
        let packets = try SightingsFile(good, in: house).packets.values.flatMap { $0 }
        #expect(packets.map(\.level) == [-59.5])
        #expect(packets.first?.at.microseconds == 12_500_000)
        let bad = try folder.write(Array("t;x\n1;2\n".utf8), to: "bad.csv")
        #expect(throws: InputFault.self) { try SightingsFile(bad, in: house) }
        let utf16 = try folder.write(
            [0xFF, 0xFE] + Self.utf16("{\"rooms\":[\"hall\"]}", .utf16LittleEndian), to: "h.json")
        #expect(try HomeFile.read(utf16).rooms.count == 1)
    }
}
