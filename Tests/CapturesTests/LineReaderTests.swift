import Captures
import Support
import Testing

@Suite struct LineReaderTests {
    typealias Line = LineReader.Line

    func lines(_ text: [UInt8]) throws -> [Line] {
        let folder = try TemporaryFolder()
        var reader = try LineReader(path: try folder.write(text, to: "lines.txt"))
        var lines: [Line] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    @Test(
        arguments: [
            ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]), ("é\r\n", ["é\r"]),
        ] as [(String, [String])])
    func everyLineIsGivenOnceWithItsNumber(_ text: String, _ expected: [String]) throws {
        let lines = try lines(Array(text.utf8))
        #expect(lines.map(\.text) == expected)
        #expect(lines.map(\.number) == Array(1..<expected.count + 1))
    }

    @Test func aLineThatIsTooLongIsToldAndTheNextIsRead() throws {
        let most = LineReader.maximumLength
        for length in [most, most + 1, 65_535, 65_536, 300_000] {
            let long = [UInt8](repeating: 0x61, count: length)
            let lines = try lines(Array("1\n".utf8) + long + Array("\n3\n".utf8) + long)
            #expect(lines.count == 4)
            #expect(lines.map(\.number) == [1, 2, 3, 4])
            #expect(lines[1].text?.utf8.count == (length > most ? nil : length), "\(length)")
            #expect(lines[2].text == "3", "\(length)")
            #expect(lines[3].text?.utf8.count == (length > most ? nil : length), "\(length)")
        }
    }

    @Test func linesAcrossReadsStayWhole() throws {
        let expected = (0..<20_000).map { "line \($0) of a text that is longer than the buffer" }
        #expect(try lines(Array(expected.joined(separator: "\n").utf8)).compactMap(\.text) == expected)
    }
}
