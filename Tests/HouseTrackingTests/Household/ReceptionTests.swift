import Bytes
import Testing
import WireProtocol

@testable import HouseTracking

@Suite("Reception of a household, by node and room")
struct ReceptionTests {
    private static func home(measures: Bool = true) -> Home {
        var home = Home()
        var settings = home.household.settings
        settings.measuresReception = measures
        home.household = Household(settings: settings)
        for node in ["kitchen", "hall"] { home.household.receive(Home.info(node), of: node) }
        return home
    }

    @Test("Give the median level at each node of what is in each room")
    func medians() throws {
        var home = Self.home()
        home.run(40, [("kitchen", -55), ("hall", -75)])
        home.run(60, [("kitchen", -81), ("hall", -60)])
        let report = home.household.receptionReport
        let levels = Dictionary(report.levels.map { ("\($0.node) \($0.room)", $0.dBm) }) { one, _ in one }
        #expect(Set(levels.keys) == ["kitchen kitchen", "kitchen hall", "hall kitchen", "hall hall"])
        for (key, level) in ["kitchen kitchen": -55.0, "hall kitchen": -75, "kitchen hall": -81, "hall hall": -60] {
            #expect(abs(try #require(levels[key]) - level) <= 2, "\(key)")
        }
        #expect(report.packets.allSatisfy { $0.received == $0.expected }, "Nothing was lost.")
    }

    @Test("Give with each node's distance in an explanation the time that it is of")
    func age() throws {
        var home = Self.home()
        for second in 1...5 {
            var window = Home.window(home.now + 1, "hall", -75)
            window.distance = Window.Distance(metres: 4, low: 3, high: 5)
            if second <= 3 { home.household.receive(window, at: Home.time(home.now)) }
            home.run(1, [("kitchen", -55)])
        }
        #expect(home.now == 1005)
        home.run(20, [("kitchen", -55)], listening: ["kitchen"])
        let nodes = try #require(home.household.explain("keys", at: Home.time(home.now))).nodes
        #expect(nodes.first { $0.node == "kitchen" }?.heard == Home.time(1025))
        let hall = try #require(nodes.first { $0.node == "hall" })
        #expect(hall.heard == Home.time(1003) && hall.level == nil && hall.state == .missing)
    }

    @Test("Count packets as lost once their silence ends in the room")
    func losses() throws {
        var home = Self.home()
        home.run(60, [("kitchen", -55), ("hall", -75)])
        for _ in 0..<30 {
            home.run(3, [])
            home.run(1, [("kitchen", -55), ("hall", -75)])
        }
        let before = try #require(home.household.receptionReport.packets.first { $0.room == "kitchen" })
        #expect(before.expected - before.received > 80 && before.received > 80, "\(before)")
        // It leaves the house: that is no loss.
        home.run(200, [])
        #expect(home.household.receptionReport.packets.first { $0.room == "kitchen" } == before)
    }

    @Test("Count the levels of a node anew once its offset has changed")
    func changedOffset() {
        var home = Self.home()
        home.run(40, [("kitchen", -55), ("hall", -75)])
        var info = Home.info("hall")
        info.offset = 6
        home.household.receive(info, of: "hall")
        #expect(!home.household.receptionReport.levels.contains { $0.node == "hall" })
        home.run(30, [("kitchen", -55), ("hall", -69)])
        #expect(home.household.receptionReport.levels.contains { $0.node == "hall" && abs($0.dBm + 69) <= 2 })
    }

    @Test("Measure nothing where nobody can look")
    func switchedOff() {
        var home = Self.home(measures: false)
        home.run(40, [("kitchen", -55), ("hall", -75)])
        let report = home.household.receptionReport
        #expect(report.levels.isEmpty && report.packets.isEmpty && report.since == nil)
    }

    @Test("Forget what is older than an hour, and bound the pairs of node and room")
    func bounds() {
        var table = ReceptionTable()
        func observation(_ node: Int) -> ObservationTable.Observation {
            .init(node: node, level: -70, count: 1, expected: 1, distance: nil, epoch: "e", seq: 1, length: 1_000_000)
        }
        for node in 0..<5000 {
            table.record([observation(node)], inRoom: 0, expected: 2, at: Home.time(1000))
        }
        #expect(table.medians().count == ReceptionTable.capacity)
        table.record([observation(1)], inRoom: 1, expected: 1, at: Home.time(1000 + 1900))
        #expect(table.counts().count == 2 && table.medians().count <= 2)
        table.record([observation(1)], inRoom: 1, expected: 1, at: Home.time(1000 + 4000))
        #expect(table.counts().first { $0.room == 0 }?.expected == 0)
        table.record([observation(1)], inRoom: 1, expected: 1, at: Home.time(100_000))
        #expect(table.counts().map(\.expected) == [1], "After a long time it begins anew.")
        table.record([observation(1)], inRoom: 1, expected: 1, at: Home.time(5))
        #expect(table.counts().map(\.expected) == [1], "A clock that was set back begins anew, too.")
    }
}
