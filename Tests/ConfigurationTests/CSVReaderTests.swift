import Testing

@testable import Configuration

@Suite("Comma-separated values")
struct CSVReaderTests {
    /// The rows of a text, of columns b and a.
    private func rows(_ text: String) throws -> [[String]] {
        let bytes = Array(text.utf8)
        var csv = try CSVReader(bytes.span, file: "f.csv", columns: ["b", "a"])
        var rows: [[String]] = []
        while try csv.next() { rows.append(csv.fields) }
        return rows
    }

    private func fault(_ text: String) -> String? {
        do {
            _ = try rows(text)
            return nil
        } catch { return "\(error)" }
    }

    @Test("Find columns by name, in any order, among others")
    func columns() throws {
        #expect(try rows("x,a,b\n1,2,3\n4,5,6\n") == [["3", "2"], ["6", "5"]])
    }

    @Test(
        "Read quotes, quoted commas and line ends, a byte order mark, and a last line without an end; skip empty rows"
    )
    func forms() throws {
        #expect(
            try rows("\u{FEFF}a,b\r\n\"x,\"\"y\"\"\",\"2\r\n3\"\r\n\r\n,\n\"\",\"q\"")
                == [["2\r\n3", "x,\"y\""], ["q", ""]])
    }

    @Test("Name file and line in a fault")
    func faults() {
        #expect(fault("") == "f.csv: empty; expected the columns b, a")
        #expect(fault("\na,c\n") == "f.csv:2: no column b; the first row, separated by ',', has: a, c")
        #expect(fault("a,b\n1,2\n3\n") == "f.csv:3: 1 field, where the first row has 2")
        #expect(
            fault("a,b\n1,2,3\n")
                == "f.csv:2: 3 fields, where the first row has 2; a field with a comma in it needs quotes")
        #expect(fault("a,b\n\"1,2\n") == "f.csv:2: a quote is not closed")
        #expect(fault("a,b\n\"1\"x,2\n") == "f.csv:2: text follows a closing quote")
        #expect(fault("a,b\n1\",2\n") == "f.csv:2: a quote inside a field that doesn't begin with one")
    }

    @Test(
        "Separate by the character that finds the columns, or by the one that a first line declares",
        arguments: [
            "a;b\n1;2", "a\tb\n1\t2", "sep=;\r\na;b\r\n1;2\r\n", "\"sep=|\"\na|b\n1|2", "\"a\";\"b\"\r1;2\r",
            " A , \"B\" \n 1\u{A0}, \"2\" \n,\n", "a;b\n;\n1;2\n;\n",
        ])
    func separators(_ text: String) throws {
        #expect(try rows(text) == [["2", "1"]])
    }

    @Test("Name the separator and the columns of a file that lacks one, and a duplicate column")
    func headers() {
        #expect(
            fault("x;y;z\n1;2;3\n")
                == "f.csv:1: no column b, a; the first row, separated by ';', has: x, y, z; the first row must name the columns"
        )
        #expect(fault("a\tc\n1\t2\n") == "f.csv:1: no column b; the first row, separated by tabs, has: a, c")
        #expect(fault("a,b,A\n1,2,3\n") == "f.csv:1: the column 'a' is given twice; leave one out")
    }

    /// The number in a field of a file with some separator, or the reason for which it is none.
    private func decimal(_ field: String, _ separator: Character) -> String {
        let bytes = Array("b\(separator)a\n\"\(field)\"\(separator)0\n".utf8)
        do {
            var csv = try CSVReader(bytes.span, file: "f.csv", columns: ["b", "a"])
            _ = try csv.next()
            return "\(try csv.number(0))"
        } catch { return "\(error)" }
    }

    @Test("Read a decimal comma if it can be nothing else")
    func decimals() {
        #expect(decimal("12,5", ";") == "12.5")
        #expect(decimal("1,234", ";") == "1.234")
        #expect(decimal("-59,0", ",") == "-59.0")
        #expect(decimal("\u{2212}59", ",") == "-59.0")
        #expect(decimal("1e3", ",") == "1000.0")
        #expect(decimal("1,234", ",").hasSuffix("may be a fraction or thousands; write a point for the decimal mark"))
        #expect(decimal("1.234,5", ";").hasSuffix("has separators between thousands; write the number without them"))
        #expect(decimal("1 234", ",").hasSuffix("has separators between thousands; write the number without them"))
        #expect(decimal("many", ",").hasSuffix("'many' is not a number"))
    }

    @Test("Count a line inside quotes for the faults that follow")
    func lines() {
        #expect(fault("a,b\n\"1\n\n2\",3\n4\n") == "f.csv:5: 1 field, where the first row has 2")
    }

    @Test("Report bytes that are no UTF-8 as a fault, without a trap")
    func notUTF8() {
        let bytes: [UInt8] = Array("a,b\n".utf8) + [0xFF, 0x2C, 0x31]
        #expect(throws: InputFault(file: "f.csv", line: 2, message: "not UTF-8")) {
            var csv = try CSVReader(bytes.span, file: "f.csv", columns: ["a"])
            _ = try csv.next()
        }
    }

    @Test("Read rows or a fault from every truncation of a file, without a trap")
    func truncations() {
        let text = "\u{FEFF}a,b\r\n\"x,\"\"y\"\"\",\"2\r\n3\"\r\n,\n"
        let whole = Array(text.utf8)
        for length in 0...whole.count {
            let bytes = Array(whole.prefix(length))
            do {
                var csv = try CSVReader(bytes.span, file: "f.csv", columns: ["b", "a"])
                while try csv.next() { #expect(csv.fields.count == 2) }
            } catch { #expect(error.file == "f.csv") }
        }
    }
}
