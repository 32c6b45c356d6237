import Configuration
import Support
import Testing

@Suite struct YAMLTests {
    func read(_ text: String) -> (root: YAMLNode?, faults: [String]) {
        let (root, faults) = YAMLReader.read(Array(text.utf8), file: "f")
        return (root, faults.map(\.description))
    }

    @Test func everyValueAndKeyKnowsItsPlace() throws {
        let root = try #require(read("a: 1\nbö:\n  - 'x'\n  - {c: d}\n").root)
        guard case .mapping(let pairs) = root.value, case .sequence(let list) = pairs[1].node.value else {
            Issue.record("not a map with a list")
            return
        }
        #expect(pairs[0].node.value == .scalar("1", isPlain: true))
        #expect(pairs[0].node.position.description == "f:1:4")
        #expect(pairs[1].position.description == "f:2:1" && pairs[1].key == "bö")
        #expect(list[0].value == .scalar("x", isPlain: false))
        #expect(list[1]["c"]?.position.description == "f:4:9")
    }

    @Test(arguments: [
        ("", "f:1:1: the file is empty"),
        ("# only a comment\n", "f:1:1: the file is empty"),
        ("a: 1\na: 2\n", "f:2:1: 'a' is given twice, first in line 1"),
        ("a:\n\tb: 1\n", "f:2:1: a tab in the indentation; indent with spaces"),
        ("a:\n  \t- b\n\t- c\n", "f:2:3: a tab in the indentation; indent with spaces"),
        ("a: b: c\n", "f:1:5: a ':' can't stand here; check the indentation, or put text that holds ': ' in quotes"),
        ("a: [1, 2\nb: 3\n", "f:2:2: expected ',' or ']' in the list that was opened with '['"),
        ("a: \"x\nb: 1\n", "f:1:4: the quote that opens here isn't closed"),
        (
            "a: @x\n",
            "f:1:4: a value can't begin with this character; put the text in quotes, and indent with spaces"
        ),
        ("a: *x\n", "f:1:4: aliases such as '*x' are not used here; write the value out"),
        ("a: !!str x\n", "f:1:4: tags such as '!x' are not used here; leave it out"),
        ("a: 1\n---\nb: 1\n", "f:2:1: a second document begins here; a file holds one"),
        ("[a]: 1\n", "f:1:1: a key must be plain text"),
        (
            "a: 1\n b: 2\n",
            "f:2:3: a ':' can't stand here; check the indentation, or put text that holds ': ' in quotes"
        ),
        ("a: \"\\q\"\n", "f:1:5: unknown escape; within double quotes write a backslash as '\\\\'"),
        ("a: x\u{1}\n", "f:1:5: a control character; remove it"),
    ])
    func whatIsWrongIsNamedWithItsPlaceAndAMend(text: String, fault: String) {
        #expect(read(text).faults.first == fault)
    }

    @Test func aByteThatIsNotUTF8IsNamedWhereItStands() {
        let (root, faults) = YAMLReader.read(Array("a: ö\nb: x".utf8) + [0xFF, 0x0A], file: "f")
        #expect(root == nil)
        #expect(faults.count == 1)
        #expect(
            faults.first?.description.hasPrefix("f:2:5: not UTF-8: byte 0xFF, 'ÿ' in Windows-1252 (Latin-1)") == true)
    }

    @Test("Read UTF-16 with a byte order mark and UTF-8 with one, with the places of their characters")
    func marks() {
        for (mark, isBigEndian) in [([0xFF, 0xFE] as [UInt8], false), ([0xFE, 0xFF], true)] {
            let units = "ü: ö\nb: [c".utf16.flatMap { unit -> [UInt8] in
                let pair = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
                return isBigEndian ? pair : pair.reversed()
            }
            #expect(YAMLReader.read(mark + units, file: "f").faults.isEmpty == false)
            let (root, faults) = YAMLReader.read(mark + units.dropLast(4) + units[0..<2], file: "f")
            #expect(faults.isEmpty)
            guard case .mapping(let pairs)? = root?.value else {
                Issue.record("no map")
                continue
            }
            #expect(pairs.map(\.key) == ["ü", "b"])
        }
        let (root, faults) = YAMLReader.read([0xEF, 0xBB, 0xBF] + Array("a: [b]".utf8), file: "f")
        #expect(faults.isEmpty)
        guard case .mapping(let pairs)? = root?.value else {
            Issue.record("no map")
            return
        }
        #expect(pairs.first?.node.position == ConfigurationPosition(file: "f", line: 1, column: 4))
    }

    @Test func depthAndSizeAreBounded() {
        let deep = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
        #expect(read(deep).faults == ["f:1:33: more than 32 levels of lists and maps; is it the right file?"])
        #expect(read(String(repeating: "[", count: 32) + String(repeating: "]", count: 32)).faults == [])
        #expect(read(String(repeating: "#", count: (4 << 20) + 1)).faults.count == 1)
    }

    @Test func duplicateKeysDoNotHideEachOther() {
        #expect(read("a: 1\na: 2\nb: {c: 1, c: 2}\n").faults.count == 2)
    }
}
