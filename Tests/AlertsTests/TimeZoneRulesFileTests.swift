import Foundation
import Support
import Testing

@testable import Alerts

@Suite struct TimeZoneRulesFileTests {
    /// A file of version 2 with an empty first block: changes in the order of their seconds, and a rule after them.
    private static func file(
        types: [Int] = [0, 3600], changes: [(second: Int64, type: UInt8)] = [], rule: String = "A0",
        leapSeconds: Int = 0
    ) -> [UInt8] {
        func big(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        func block(_ times: Int, _ types: Int, _ letters: Int) -> [UInt8] {
            Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
                + [0, 0, leapSeconds, times, types, letters].flatMap { big(UInt32($0)) }
        }
        return block(0, 1, 1) + [UInt8](repeating: 0, count: 7) + block(changes.count, types.count, 2)
            + changes.flatMap { big($0.second) } + changes.map(\.type)
            + types.flatMap { big(Int32($0)) + [0, 0] } + Array("A\0".utf8) + Array("\n\(rule)\n".utf8)
    }

    private static func rules(_ bytes: [UInt8]) -> TimeZoneRules? { TimeZoneRules(file: bytes) }

    @Test("Apply a file's changes, and the rule only after the last of them")
    func changes() {
        let bytes = Self.file(
            types: [0, 3600, 7200], changes: [(-5, 1), (1000, 2), (2000, 2), (1_780_000_000, 0)],
            rule: "CET-1CEST,M3.5.0,M10.5.0/3")
        // The rule's first change is in October 2026.
        let expected = TimeZoneRules(
            offset: 3600,
            changes: [.init(at: 1000, to: 7200), .init(at: 1_780_000_000, to: 0), .init(at: 1_792_890_000, to: 3600)])
        let rules = Self.rules(bytes)
        for second in [Int64.min, 999, 1000, 2000, 1_779_999_999, 1_780_000_000, 1_792_889_999, 1_792_890_000] {
            #expect(rules?.offset(at: second) == expected.offset(at: second), "at \(second)")
        }
        #expect(rules?.nextChange(after: 1000) == 1_780_000_000, "a change to the same offset is none")
    }

    @Test("Keep the last offset without a rule, and summer time that has no end")
    func ends() {
        #expect(Self.rules(Self.file(changes: [(1000, 1)], rule: ""))?.offset(at: .max) == 3600)
        let allYear = Self.rules(Self.file(types: [-18000], rule: "EST5EDT,0/0,J365/25"))
        #expect(allYear?.offset(at: 1_798_779_600) == -14400)
        #expect(allYear?.nextChange(after: 100_000) == 4_133_998_800, "the end of the year 2100")
    }

    @Test("Reject a file that is none, is damaged or counts leap seconds")
    func faults() {
        #expect(Self.rules([]) == nil)
        #expect(Self.rules(Array("TZif2".utf8)) == nil)
        #expect(Self.rules(Self.file(changes: [(2000, 1), (1000, 0)])) == nil, "changes out of their order")
        #expect(Self.rules(Self.file(changes: [(1000, 2)])) == nil, "a type that isn't there")
        #expect(Self.rules(Self.file(types: [100_000])) == nil, "an offset of more than a day")
        #expect(Self.rules(Self.file(rule: "CET-1CEST")) == nil, "half a rule")
        #expect(Self.rules(Self.file(leapSeconds: 1)) == nil)
    }

    @Test("Read no byte past the end of a shortened or damaged file")
    func mutations() throws {
        var random = SeededGenerator(seed: 1)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Vienna")))
        for count in bytes.indices { #expect(Self.rules(Array(bytes.prefix(count))) == nil) }
        for _ in 0..<2_000 {
            var mutated = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                mutated[Int.random(in: mutated.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = Self.rules(mutated)?.offset(at: 1_796_083_200)
        }
    }
}
