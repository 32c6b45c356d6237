import Alerts
import Support
import Testing

@Suite struct TimeZoneRulesTests {
    static let june = Int64(1_780_272_000)
    static let december = Int64(1_796_083_200)

    @Test(arguments: [
        ("UTC0", 0, 0), ("CET-1CEST,M3.5.0,M10.5.0/3", 7200, 3600), ("EST5EDT,M3.2.0,M11.1.0", -14400, -18000),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", 3600, 0), ("<+0330>-3:30", 12600, 12600),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -3600, -7200), ("AEST-10AEDT,M10.1.0,M4.1.0/3", 36000, 39600),
        ("XXX3YYY,J60/0,J300/0", -7200, -10800), ("EST5EDT,0/0,J365/25", -14400, -14400),
        ("XXX3YYY4:30:15,J60/0,J300/0", -16215, -10800),
    ])
    func aRuleGivesSummerAndWinterTime(text: String, summer: Int, winter: Int) throws {
        let rules = TimeZoneRules(try #require(PosixTimeZone(text)))
        #expect(rules.offset(at: Self.june) == summer && rules.offset(at: Self.december) == winter)
    }

    @Test(arguments: [
        "", "A1", "CET", "CET-1CEST", "CET-1CEST,", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-26",
        "CET-1CEST,M3.5.0,M10.5.0/3x", "<CET-1", "CET-1CEST,J0,J5", "CET-1CEST,366,5", "CET99999999999999999999",
        "CET-1CEST,M3.5.0/168,M10.5.0",
    ])
    func otherTextsAreRefused(text: String) {
        #expect(PosixTimeZone(text) == nil)
    }

    @Test func clocksChangeAtTheMomentTheRuleSays() throws {
        let rules = TimeZoneRules(try #require(PosixTimeZone("CET-1CEST,M3.5.0,M10.5.0/3")))
        // 2026-03-29T01:00:00Z and 2026-10-25T01:00:00Z.
        #expect(rules.nextChange(after: 1_767_225_600) == 1_774_746_000)
        #expect(rules.nextChange(after: 1_774_746_000) == 1_792_890_000)
        #expect(rules.offset(at: 1_774_745_999) == 3600 && rules.offset(at: 1_774_746_000) == 7200)
        #expect(rules.offset(at: 1_792_889_999) == 7200 && rules.offset(at: 1_792_890_000) == 3600)
    }

    /// A file of version 2: an hour east until 1000, two until 2000, then by the rule in the text.
    static func file(footer: String) -> [UInt8] {
        func number(_ value: Int64, _ size: Int) -> [UInt8] {
            (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
        }
        func header(times: Int64, types: Int64, characters: Int64) -> [UInt8] {
            Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
                + [0, 0, 0, times, types, characters].flatMap { number($0, 4) }
        }
        let types = number(3600, 4) + [0, 0] + number(7200, 4) + [1, 0]
        return header(times: 0, types: 1, characters: 1) + number(0, 4) + [0, 0, 0]
            + header(times: 2, types: 2, characters: 4) + number(1000, 8) + number(2000, 8) + [1, 0] + types
            + Array("ABC\u{0}".utf8) + Array("\n\(footer)\n".utf8)
    }

    static func rules(_ file: [UInt8]) -> TimeZoneRules? { TimeZoneRules(tzif: file.span) }

    @Test func aFileGivesItsChangesAndThenItsRule() throws {
        let rules = try #require(Self.rules(Self.file(footer: "XXX-3")))
        #expect([0, 999, 1000, 1999].map { rules.offset(at: $0) } == [3600, 3600, 7200, 7200])
        #expect(rules.offset(at: 2000) == 10800 && rules.nextChange(after: 0) == 1000)
        let plain = try #require(Self.rules(Self.file(footer: "")))
        #expect(plain.offset(at: 2000) == 3600 && plain.nextChange(after: 2000) == nil)
        #expect(Self.rules(Self.file(footer: "nonsense")) == nil)
    }

    @Test func aFileThatEndsEarlyIsRefused() {
        let file = Self.file(footer: "XXX-3")
        for count in 0..<file.count {
            #expect(Self.rules(Array(file.prefix(count))) == nil, "\(count) bytes")
        }
    }

    @Test func aMangledFileIsNoFault() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5000 {
            var file = Self.file(footer: "CET-1CEST,M3.5.0,M10.5.0/3")
            for _ in 0...3 { file[.random(in: 0..<file.count, using: &random)] = .random(in: 0...255, using: &random) }
            guard let rules = TimeZoneRules(tzif: file.span) else { continue }
            let moment = Int64.random(in: -400_000_000_000...400_000_000_000, using: &random)
            #expect(abs(rules.offset(at: moment)) <= 172_800, "seed \(seed)")
            if let next = rules.nextChange(after: moment) { #expect(next > moment, "seed \(seed)") }
        }
    }
}
