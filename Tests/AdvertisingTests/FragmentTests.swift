import Advertising
import Support
import Testing

@Suite struct FragmentTests {
    private static func report(_ address: UInt64, sid: UInt8? = 1) -> AdvertisingReport {
        AdvertisingReport(
            eventType: [], address: DeviceAddress(address, .random), rssi: -50, secondaryPHY: .le1M, advertisingSID: sid
        )
    }

    private static func events(_ address: UInt64, _ data: [UInt8], of length: Int, sid: UInt8? = 1) -> [[UInt8]] {
        AdvertisingReportEncoder.fragments(report(address, sid: sid), data.span, of: length)
    }

    private static func data(_ count: Int, from first: Int = 0) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 + first) }
    }

    @Test(arguments: [1, 2, 229, 230, 458, 1000, 1649, 1650])
    func dataInFragmentsIsHeardAsOneReport(_ count: Int) {
        var decoder = AdvertisingReportDecoder()
        let data = Self.data(count)
        let events = Self.events(7, data, of: 229)
        var heard: [Heard] = []
        for event in events { heard += decoder.hear(event).heard }
        #expect(heard == [Heard(report: Self.report(7), data: data)])
        #expect(decoder.counters.fragmentsJoined == (events.count > 1 ? UInt64(events.count) : 0))
        #expect(decoder.counters.fragmentsDropped == 0)
        #expect(decoder.counters.reports == 1)
    }

    @Test func interleavedSetsAreKeptApart() {
        var decoder = AdvertisingReportDecoder()
        // Two devices, two sets of one device, an anonymous set: their pieces are interleaved.
        let sets = [
            Self.events(1, Self.data(30, from: 1), of: 10), Self.events(2, Self.data(30, from: 2), of: 10),
            Self.events(1, Self.data(30, from: 3), of: 10, sid: 2),
            AdvertisingReportEncoder.fragments(
                AdvertisingReport(eventType: [], address: .anonymous, rssi: nil, advertisingSID: 1),
                Self.data(30, from: 4).span, of: 10),
        ]
        var heard: [Heard] = []
        for piece in 0..<3 {
            for set in sets { heard += decoder.hear(set[piece]).heard }
        }
        #expect(heard.map(\.data) == (1...4).map { Self.data(30, from: $0) })
        #expect(decoder.counters.fragmentsJoined == 12)
    }

    @Test func aWholeReportOfAnotherSetPassesBetweenFragments() {
        var decoder = AdvertisingReportDecoder()
        let events = Self.events(1, Self.data(20), of: 10)
        #expect(decoder.hear(events[0]).heard.isEmpty)
        #expect(decoder.hear(Fixture.extended).heard.count == 1)
        #expect(decoder.hear(Fixture.legacy).heard.count == 1)
        #expect(decoder.hear(events[1]).heard.map(\.data) == [Self.data(20)])
    }

    @Test func tooMuchDataIsDroppedWholeAndCounted() {
        var decoder = AdvertisingReportDecoder()
        let events = Self.events(1, Self.data(1651), of: 200)
        for event in events { #expect(decoder.hear(event).heard.isEmpty) }
        #expect(decoder.counters.fragmentsDropped == UInt64(events.count))
        // Pieces after the overflow must not pass for a new advertisement, and the next one is received again.
        let endless = Self.events(1, Self.data(4000), of: 200)
        for event in endless { #expect(decoder.hear(event).heard.isEmpty) }
        #expect(decoder.counters.fragmentsDropped == UInt64(events.count + endless.count))
        let next = Self.events(1, Self.data(300), of: 200)
        #expect(next.flatMap { decoder.hear($0).heard }.map(\.data) == [Self.data(300)])
    }

    @Test func anAbandonedBeginningIsNotJoinedToALaterAdvertisement() {
        var decoder = AdvertisingReportDecoder()
        let events = Self.events(1, Self.data(30), of: 10)
        _ = decoder.hear(events[0], at: 10)
        _ = decoder.hear(events[1], at: 10.5)
        // After more than a second the same set sends again.
        let later = events.flatMap { decoder.hear($0, at: 11.6).heard }
        #expect(later.map(\.data) == [Self.data(30)])
        #expect(decoder.counters.fragmentsDropped == 2)
        #expect(decoder.counters.fragmentsJoined == 3)
    }

    @Test func aClockThatStepsBackBreaksNothing() {
        var decoder = AdvertisingReportDecoder()
        let events = Self.events(1, Self.data(20), of: 10)
        _ = decoder.hear(events[0], at: 1e12)
        #expect(decoder.hear(events[1], at: -1e12).heard.map(\.data) == [Self.data(20)])
    }

    @Test func theOldestSetGivesWayWhereTooManyAreOpen() {
        var decoder = AdvertisingReportDecoder()
        let bound = AdvertisingReportDecoder.maximumOpenSets
        let sets = (0...bound).map { Self.events(UInt64($0), Self.data(20, from: $0), of: 10) }
        for (index, set) in sets.enumerated() { _ = decoder.hear(set[0], at: Double(index) / 100) }
        #expect(decoder.counters.fragmentsDropped == 1)
        let heard = sets.dropFirst().flatMap { decoder.hear($0[1], at: 0.5).heard }
        #expect(heard.count == bound)
        #expect(heard.allSatisfy { $0.data.count == 20 })
    }

    @Test func whatIsIncompleteAtTheEndIsCounted() {
        var decoder = AdvertisingReportDecoder()
        _ = decoder.hear(Self.events(1, Self.data(30), of: 10)[0])
        _ = decoder.hear(Self.events(2, Self.data(30), of: 10)[0])
        decoder.abandonFragments()
        #expect(decoder.counters.fragmentsDropped == 2)
        #expect(decoder.hear(Self.events(1, Self.data(5), of: 10)[0]).heard.map(\.data) == [Self.data(5)])
    }

    @Test func dataThatTheControllerCutShortKeepsItsBeginning() {
        var decoder = AdvertisingReportDecoder()
        var events = Self.events(1, Self.data(20), of: 10)
        events[1][4] = 0x40
        let heard = events.flatMap { decoder.hear($0).heard }
        #expect(heard.map(\.data) == [Self.data(20)])
        #expect(heard.map(\.report.dataStatus) == [.truncated])
        #expect(decoder.counters.truncatedByController == 1)
    }
}
