import Bytes
import WireProtocol
import Testing

@testable import Agent

@Suite struct HealthCountTests {
    static func scan(_ end: Int, reports: Int = 100, gap: Int = 0, dropped: UInt64 = 0) -> Scan {
        var scan = Scan(
            from: Timestamp(microseconds: Int64(end - 1) * 1_000_000),
            to: Timestamp(microseconds: Int64(end) * 1_000_000), seq: UInt64(end), registry: "", epoch: "e")
        (scan.reports, scan.gapMilliseconds, scan.dropped) = (reports, gap, dropped)
        return scan
    }

    @Test("Report the radio's health ten seconds after the start, and then once a minute")
    func pace() {
        var count = HealthCount()
        let told = (1...200).filter { count.add(Self.scan($0)) != nil }
        #expect(told == [10, 70, 130, 190])
    }

    @Test("Report the means of a period, and its losses")
    func means() throws {
        var count = HealthCount()
        var told: [NodeHealth] = []
        for end in 1...70 {
            let scan = Self.scan(
                end, reports: end > 10 ? 50 : 100, gap: end > 40 ? 500 : 0, dropped: end > 30 ? 7 : end > 5 ? 3 : 0)
            if let health = count.add(scan) { told.append(health) }
        }
        let (first, second) = (try #require(told.first), try #require(told.last))
        #expect(first.reports == 100 && first.gap == 0 && first.dropped == 3)
        #expect(second.reports == 50 && second.gap == 0.25 && second.dropped == 4)
        #expect(second.from == first.to)
        var json = JSONWriter()
        second.write(to: &json)
        #expect(
            json.text
                == #"{"v":1,"from":10,"to":70,"reports_per_s":50,"gap":0.25,"malformed":0,"dropped":4,"spooled":0}"#)
    }

    @Test("Begin a new period with an earlier recording")
    func anew() {
        var count = HealthCount()
        let told = (Array(1000...1005) + Array(1...20)).filter { count.add(Self.scan($0)) != nil }
        #expect(told == [11])
    }
}
