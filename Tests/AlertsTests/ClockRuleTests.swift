import Testing

@testable import Alerts

@Suite struct ClockRuleTests {
    /// Changes of one year, such as `1774746000 7200`.
    private static func changes(_ text: String, in year: Int = 2026) -> [String]? {
        ClockRule(text)?.changes(in: year).map { "\($0.second) \($0.offset)" }
    }

    @Test("Change the clocks at the moments of well-known rules")
    func rules() {
        // Vienna: 2026-03-29T01:00Z and 2026-10-25T01:00Z. New York: 2026-03-08T07:00Z and 2026-11-01T06:00Z.
        #expect(Self.changes("CET-1CEST,M3.5.0,M10.5.0/3") == ["1774746000 7200", "1792890000 3600"])
        #expect(Self.changes("EST5EDT,M3.2.0,M11.1.0") == ["1772953200 -14400", "1793512800 -18000"])
        // Dublin's winter time is the exception to its standard time.
        #expect(Self.changes("IST-1GMT0,M10.5.0,M3.5.0/1") == ["1774746000 3600", "1792890000 0"])
        // Nuuk changes before its midnight: 2026-03-29T01:00Z.
        #expect(Self.changes("<-02>2<-01>,M3.5.0/-1,M10.5.0/0") == ["1774746000 -3600", "1792890000 -7200"])
        #expect(Self.changes("<+0545>-5:45") == [])
    }

    @Test("Count days with and without the 29th of February")
    func days() {
        // The first of March 2024 and 2025, and the 29th of February 2024.
        #expect(Self.changes("A0B,J60/0,J365/0", in: 2024)?.first == "1709251200 3600")
        #expect(Self.changes("A0B,J60/0,J365/0", in: 2025)?.first == "1740787200 3600")
        #expect(Self.changes("A0B,59/0,J365/0", in: 2024)?.first == "1709164800 3600")
        #expect(Self.changes("A0B,59/0,J365/0", in: 2025)?.first == "1740787200 3600")
    }

    @Test("Let summer time that lasts all year end where it begins again")
    func allYear() {
        #expect(Self.changes("EST5EDT,0/0,J365/25", in: 2026) == ["1767243600 -14400", "1798779600 -18000"])
        #expect(Self.changes("EST5EDT,0/0,J365/25", in: 2027)?.first == "1798779600 -14400")
    }

    @Test(arguments: [
        "", "CET", "-1", "CET-25", "CET-1x", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
        "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J365", "CET-1CEST,J1,J366",
        "CET-1CEST,M3.5.0,M10.5.0/168", "CET-1CEST,M3.5.0,M10.5.0/3:60", "CET-1CEST,M3.5.0,M10.5.0/3 ", "<+01-1",
        "<>-1", "CET-99999999999999999999",
    ])
    func otherTextsAreNoRules(text: String) {
        #expect(ClockRule(text) == nil)
    }
}
