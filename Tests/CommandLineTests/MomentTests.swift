import Bytes
import System
import Testing

/// Moments as people and programs write them.
@Suite struct MomentTests {
    private static let start = Timestamp(microseconds: 1_795_248_000_000_000)

    @Test(
        "Read ISO 8601 with a zone as one moment everywhere",
        arguments: [
            ("2026-11-21T08:00:00Z", 0.0), ("2026-11-21T08:00Z", 0), ("2026-11-21 09:00:07+01:00", 7),
            ("2026-11-21T02:30:00-05:30", 0), ("2028-02-29T00:00:00Z", 40_147_200),
        ])
    func universal(_ text: String, _ seconds: Double) {
        #expect(LocalTime.moment(text) == Self.start.advanced(bySeconds: seconds))
    }

    @Test("Read a time in this machine's zone", arguments: [0.0, 1e7, -4e8, 1.5e8])
    func local(_ seconds: Double) {
        let moment = Self.start.advanced(bySeconds: seconds)
        let text = LocalTime.text(moment).prefix(19)
        #expect(LocalTime.moment(String(text)) == moment)
        #expect(LocalTime.moment(String(text.prefix(16)))?.seconds == moment.seconds - Double(text.suffix(2))!)
    }

    @Test(
        "Reject a text that is no moment",
        arguments: [
            "", "2026", "2026-11", "2026-13-01", "2026-00-01", "2026-11-32", "26-11-21", "2026-11-21T",
            "2026-11-21T8:00",
            "2026-11-21T24:00", "2026-11-21T08:60", "2026-11-21T08:00:00X", "2026-11-21T08:00:00+1",
            "2026-11-21T08:00:00Zz",
            "2026/11/21", "２０２６-11-21", "2026-11-21T08:00:00+20:00",
        ])
    func none(_ text: String) {
        #expect(LocalTime.moment(text) == nil)
    }

    @Test("Write milliseconds in UTC for programs")
    func text() {
        #expect(CalendarTime.iso8601(Self.start.advanced(bySeconds: 43.12)) == "2026-11-21T08:00:43.120Z")
        #expect(CalendarTime.iso8601(Timestamp(microseconds: -1)) == "1969-12-31T23:59:59.999Z")
    }
}
