import Alerts
import Testing

@Suite struct TimeZoneRulesTests {
    @Test("Apply each change from its second on, and the last one without an end")
    func table() {
        let rules = TimeZoneRules(offset: 3600, changes: [.init(at: 1000, to: 7200), .init(at: 2000, to: 10800)])
        #expect(
            [.min, 999, 1000, 1999, 2000, .max].map { rules.offset(at: $0) } == [3600, 3600, 7200, 7200, 10800, 10800])
        #expect([.min, 999, 1000, 2000].map { rules.nextChange(after: $0) } == [1000, 1000, 2000, nil])
        #expect(TimeZoneRules.utc.offset(at: 0) == 0 && TimeZoneRules.utc.nextChange(after: 0) == nil)
    }
}
