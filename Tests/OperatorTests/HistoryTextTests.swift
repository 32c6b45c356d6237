import Bytes
import WireProtocol
import Testing

@testable import Operator
import System

@Suite struct HistoryTextTests {
    static let start = Timestamp(microseconds: 1_795_248_000_000_000)

    static func time(_ seconds: Double) -> Timestamp { start.advanced(bySeconds: seconds) }

    static let report = HistoryReport(
        item: "keys", now: time(100_000),
        visits: [
            .init(room: "kitchen", from: time(0), to: time(59.5), confidence: 0.934),
            .init(room: "away", from: time(59.5), to: time(7300), confidence: 0.96),
            .init(room: "hall", from: time(7300), to: nil, confidence: 1),
        ])

    @Test("Print begin, end, length and room of visits in the time of the zone")
    func table() {
        let names = NameBook(configuration: nil, environment: [:])
        let lines = HistoryText.table(Self.report, names: names)
        let clock = { (seconds: Double) in String(LocalTime.text(Self.time(seconds)).prefix(19)) }
        #expect(lines.count == 4)
        #expect(lines[0].split(separator: " ").map(String.init) == ["FROM", "TO", "FOR", "ROOM", "SURE"])
        #expect(lines[1] == "\(clock(0))  \(clock(59.5))  1 min 0 s  kitchen   93 %")
        #expect(lines[2] == "\(clock(59.5))  \(clock(7300))  2 h 0 min  away      96 %")
        #expect(lines[3] == "\(clock(7300))  lasts                  1 d 1 h  hall     100 %", "\(lines[3])")
        let nothing = HistoryReport(item: "keys", now: Self.time(0))
        #expect(HistoryText.table(nothing, names: names) == ["nothing is known of keys in that time"])
    }

    @Test("Print ISO 8601 and Unix seconds for programs, without an end for a present visit")
    func machines() {
        #expect(
            HistoryText.csv(Self.report) == [
                "item,room,from,to,from_unix,to_unix,seconds,confidence",
                "keys,kitchen,2026-11-21T08:00:00.000Z,2026-11-21T08:00:59.500Z,1795248000,1795248059.5,59.5,0.934",
                "keys,away,2026-11-21T08:00:59.500Z,2026-11-21T10:01:40.000Z,1795248059.5,1795255300,7240.5,0.96",
                "keys,hall,2026-11-21T10:01:40.000Z,,1795255300,,92700,1",
            ])
        let json = HistoryText.json(Self.report)
        #expect(json.hasPrefix(#"{"item":"keys","visits":[{"room":"kitchen","from":"2026-11-21T08:00:00.000Z","#))
        #expect(
            json.hasSuffix(
                #"{"room":"hall","from":"2026-11-21T10:01:40.000Z","from_unix":1795255300,"seconds":92700,"confidence":1}]}"#
            ), "\(json)")
    }

    @Test(
        "Print a duration in its two largest units",
        arguments: [
            (0.0, "0 s"), (59.4, "59 s"), (60, "1 min 0 s"), (3599, "59 min 59 s"), (3600, "1 h 0 min"),
            (86_400, "1 d 0 h"), (1e300, "11574074 d 1 h"), (-5, "0 s"),
        ])
    func length(_ seconds: Double, _ text: String) {
        #expect(HistoryText.length(seconds) == text)
    }

    @Test("Read a moment as a date, a date with a time, Unix seconds, or a duration ago")
    func moments() {
        let now = Self.time(0)
        #expect(MomentText.moment("2h", now: now) == Self.time(-7200))
        #expect(MomentText.moment("30d", now: now) == Self.time(-30 * 86_400))
        #expect(MomentText.moment("1795248000.5", now: now) == Self.time(0.5))
        #expect(MomentText.moment("2026-11-21T08:00:43Z", now: now) == Self.time(43))
        let local = String(LocalTime.text(Self.time(60)).prefix(16))
        #expect(MomentText.moment(local, now: now) == Self.time(60))
        for text in ["", "soon", "-2h", "2026", "1e300", "99999999999999", "inf"] {
            #expect(text == "2026" || MomentText.moment(text, now: now) == nil, "\(text)")
        }
    }
}
