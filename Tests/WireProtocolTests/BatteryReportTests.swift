import Bytes
import Testing
import WireProtocol

@Suite struct BatteryReportTests {
    private func text(_ report: BatteryReport) -> String {
        var json = JSONWriter()
        report.write(to: &json)
        return json.text
    }

    @Test("A report is read as it was written, with absent keys and with all")
    func both() throws {
        var report = BatteryReport(fuser: "main", grade: .fine, reason: .new, cell: "cr2032")
        #expect(text(report) == #"{"v":1,"fuser":"main","grade":"fine","reason":"new","cell":"cr2032"}"#)
        #expect(try BatteryReport(payload: Array(text(report).utf8).span) == report)
        (report.grade, report.reason, report.millivolts) = (.changeNow, .silent, 2480)
        (report.days, report.daysLow, report.daysHigh) = (5.5, 2, 9)
        (report.since, report.silentSince) = (Timestamp(microseconds: 1_000_000), Timestamp(microseconds: 2_000_000))
        (report.until, report.levels) = (Timestamp(microseconds: 86_400_000_000), [2530, 0, 2480])
        #expect(try BatteryReport(payload: Array(text(report).utf8).span) == report)
    }

    @Test("A grade of a later version, a missing one and too many levels are no report that is believed")
    func faults() throws {
        for text in [
            #"{"v":1,"fuser":"a","grade":"tomorrow"}"#, #"{"v":1,"fuser":"a"}"#, #"{"grade":"fine"}"#, "",
            #"{"v":1,"fuser":"a","grade":"fine","days":-1}"#,
            #"{"v":1,"fuser":"a","grade":"fine","battery_mv":-1}"#,
            #"{"v":1,"fuser":"a","grade":"fine","battery_percent":101}"#,
            #"{"v":1,"fuser":"a","grade":"fine","levels":[2500,9223372036854775807]}"#,
        ] {
            #expect(throws: PayloadFault.self) { try BatteryReport(payload: Array(text.utf8).span) }
        }
        let many = #"{"fuser":"a","grade":"fine","levels":["# + (1...500).map { "\($0)" }.joined(separator: ",") + "]}"
        #expect(try BatteryReport(payload: Array(many.utf8).span).levels.count == BatteryReport.levelBound)
    }

    @Test("Grades are in the order of their urgency")
    func order() {
        #expect(BatteryReport.Grade.allCases.sorted() == BatteryReport.Grade.allCases)
        #expect(BatteryReport.Grade.changeNow < .thisWeek && BatteryReport.Grade.fine < .unknown)
    }
}
