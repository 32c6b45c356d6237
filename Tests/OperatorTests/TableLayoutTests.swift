import Testing

@testable import Operator

@Suite struct TableLayoutTests {
    static let columns = [
        TableLayout.Column(title: "NAME", least: 4), TableLayout.Column(title: "N", isNumber: true),
        TableLayout.Column(title: "ID", least: 6, cutsMiddle: true, dispensable: 1),
    ]

    func lines(_ rows: [[String]], width: Int? = nil) -> [String] {
        TableLayout(Self.columns, width: width).lines(rows.map { $0.map { TableLayout.Cell($0) } })
    }

    @Test("Align columns for letters of two columns, and for marks of none")
    func wide() {
        #expect(
            lines([
                ["钥匙", "1", "a"], ["Ключи", "10", "b"], ["cafe\u{301}", "2", "c"], ["🐈‍⬛", "3", "d"], ["❤️", "4", "e"],
            ]) == [
                "NAME    N  ID",
                "钥匙    1  a",
                "Ключи  10  b",
                "cafe\u{301}    2  c",
                "🐈‍⬛      3  d",
                "❤️      4  e",
            ])
    }

    @Test("Cut text at a character's edge, with a mark")
    func cut() {
        #expect(DisplayText.cutEnd("钥匙钥匙", to: 5) == "钥匙…")
        #expect(DisplayText.cutEnd("钥匙钥匙", to: 4) == "钥…")
        #expect(DisplayText.cutEnd("abc", to: 3) == "abc")
        #expect(DisplayText.cutEnd("abcd", to: 1) == "…")
        #expect(DisplayText.cutEnd("abcd", to: 0) == "")
        #expect(DisplayText.cutMiddle("iBeacon:4853-100-1", to: 11) == "iBeac…100-1")
        #expect(DisplayText.cutMiddle("abcdef", to: 3) == "ab…")
        for width in 0...12 {
            #expect(DisplayText.width(DisplayText.cutMiddle("钥匙abc钥匙def", to: width)) <= width)
            #expect(DisplayText.width(DisplayText.cutEnd("钥匙abc钥匙def", to: width)) <= width)
        }
    }

    @Test("Shrink the widest column first, and drop one that cannot shrink enough")
    func shrinks() {
        let row = [["a long name", "1", "0123456789abcdef"]]
        #expect(lines(row) == ["NAME         N  ID", "a long name  1  0123456789abcdef"])
        #expect(lines(row, width: 24) == ["NAME       N  ID", "a long n…  1  01234…cdef"])
        #expect(lines(row, width: 15) == ["NAME  N  ID", "a l…  1  012…ef"])
        #expect(lines(row, width: 14) == ["NAME         N", "a long name  1"])
        #expect(lines(row, width: 8) == ["NAME   N", "a lo…  1"])
        #expect(lines(row, width: 3) == ["NA…", "a …"])
    }

    @Test("Leave out a column without a value in any row, and print a table without rows as its head")
    func empty() {
        #expect(lines([["a", "", "x"], ["b", "", ""]]) == ["NAME  ID", "a     x", "b"])
        #expect(lines([]) == ["NAME  N  ID"])
    }

    @Test("Keep a name from controlling the terminal")
    func controls() {
        #expect(
            lines([["\u{1B}[2Jx\ny\u{202E}", "1", "\u{9B}31m"]]) == [
                "NAME      N  ID", "\u{FFFD}[2Jx\u{FFFD}y\u{FFFD}  1  \u{FFFD}31m",
            ])
    }

    @Test("Put colours around the text alone, without a width")
    func colours() {
        let layout = TableLayout(Self.columns, width: 9, hasColours: true)
        let cells = [TableLayout.Cell("abcdef", .green), TableLayout.Cell("7", .dim), TableLayout.Cell("", .bold)]
        #expect(
            layout.lines([cells]) == [
                "\u{1B}[1mNAME\u{1B}[0m    \u{1B}[1mN\u{1B}[0m", "\u{1B}[32mabcdef\u{1B}[0m  \u{1B}[2m7\u{1B}[0m",
            ])
        #expect(TableLayout([], hasColours: false).text("a", .yellow) == "a")
    }

    @Test("Break a sentence between words, and cut a word that is too long")
    func sentence() {
        #expect(
            TableLayout([], width: 12).sentence("no node is online at mqtt://broker.example") == [
                "no node is", "online at", "mqtt://brok…",
            ])
        #expect(TableLayout([]).sentence("one line").count == 1)
    }
}
