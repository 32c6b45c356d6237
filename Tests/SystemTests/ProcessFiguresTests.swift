import Bytes
import Testing

@testable import System

@Suite("The figures of a process")
struct ProcessFiguresTests {
    @Test("Read the kernel's line, with a name that holds blanks and parentheses")
    func line() throws {
        let fields = [
            "S", "1", "1", "1", "0", "-1", "0", "0", "0", "0", "0", "250", "50", "0", "0", "20", "0", "3", "0", "9000",
            "8192", "2",
        ]
        let figures = try #require(
            ProcessFigures(
                stat: "42 (a (b) c) " + fields.joined(separator: " ") + " 0\n", uptime: "100.5 1.0\n",
                at: Timestamp(microseconds: 1_000_000_000)))
        #expect(figures.processorSeconds == 3 && figures.threads == 3 && figures.virtualBytes == 8192)
        #expect(figures.residentBytes == 2 * 4096 || figures.residentBytes == 2 * 16384)
        #expect(figures.started == Timestamp(microseconds: 989_500_000))
    }

    @Test("Give nothing for what is no such line", arguments: ["", "42", "42 (a", "42 (a) S 1 2"])
    func others(stat: String) {
        #expect(ProcessFigures(stat: stat, uptime: "1 1", at: Timestamp(microseconds: 0)) == nil)
    }

    @Test("Read this process")
    func own() throws {
        let figures = try #require(ProcessFigures.read())
        #expect(figures.residentBytes > 1 << 20 && figures.descriptors > 2 && figures.threads >= 1)
        #expect(figures.descriptorLimit >= figures.descriptors && figures.processorSeconds > 0)
    }
}
