import Testing

@testable import Operator

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

    @Test("Columns are found by name, in any order, among others")
    func columns() throws {
        #expect(try rows("x,a,b\n1,2,3\n4,5,6\n") == [["3", "2"], ["6", "5"]])
    }

    @Test("Quotes, doubled quotes, commas and line ends in quotes, carriage returns, byte order mark, no last line end")
    func forms() throws {
        #expect(
            try rows("\u{FEFF}a,b\r\n\"x,\"\"y\"\"\",\"2\r\n3\"\r\n\r\n,\n\"\",\"q\"")
                == [["2\r\n3", "x,\"y\""], ["", ""], ["q", ""]])
    }

    @Test("A fault names file and line")
    func faults() {
        #expect(fault("") == "f.csv: empty; expected the columns b, a")
        #expect(fault("\na,c\n") == "f.csv:2: no column b")
        #expect(fault("a,b\n1,2\n3\n") == "f.csv:3: 1 fields, where the first row has 2")
        #expect(fault("a,b\n1,2,3\n") == "f.csv:2: 3 fields, where the first row has 2")
        #expect(fault("a,b\n\"1,2\n") == "f.csv:2: a quote is not closed")
        #expect(fault("a,b\n\"1\"x,2\n") == "f.csv:2: text follows a closing quote")
        #expect(fault("a,b\n1\",2\n") == "f.csv:2: a quote inside a field that doesn't begin with one")
    }

    @Test("A line inside quotes counts for the faults that follow")
    func lines() {
        #expect(fault("a,b\n\"1\n\n2\",3\n4\n") == "f.csv:5: 1 fields, where the first row has 2")
    }

    @Test("Bytes that are no UTF-8 are a fault, not a trap")
    func notUTF8() {
        let bytes: [UInt8] = Array("a,b\n".utf8) + [0xFF, 0x2C, 0x31]
        #expect(throws: InputFault(file: "f.csv", line: 2, message: "not UTF-8")) {
            var csv = try CSVReader(bytes.span, file: "f.csv", columns: ["a"])
            _ = try csv.next()
        }
    }

    @Test("Every truncation of a file gives rows or a fault, never a trap")
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
