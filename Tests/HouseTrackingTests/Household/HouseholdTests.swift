import HouseTracking
import WireProtocol
import Testing

@Suite struct HouseholdTests {
    private static let atKitchen = [("kitchen", -50.0), ("hall", -75.0)]
    private static let atHall = [("kitchen", -75.0), ("hall", -50.0)]

    @Test("Publish the first answer after a start as a state, without an event")
    func determined() {
        var home = Home()
        home.run(5, Self.atKitchen)
        #expect(home.lines.first == "1001.0 keys present kitchen")
        #expect(home.events.isEmpty)
        #expect(home.occupancy == ["kitchen": ["keys"]])
        #expect(home.household.rooms == ["kitchen", "hall"])
    }

    @Test("Publish a move once, with the room before")
    func move() throws {
        var home = Home()
        home.run(20, Self.atKitchen)
        home.run(40, Self.atHall)
        #expect(home.events.count == 1)
        let event = try #require(home.events.first)
        #expect(event.kind == .moved && event.room == "hall" && event.previous == "kitchen")
        #expect(event.at > Home.time(1020) && event.at < Home.time(1030))
        #expect(home.occupancy == ["kitchen": [], "hall": ["keys"]])
        let last = try #require(home.locations.last)
        #expect(last.room == "hall" && last.previous == "kitchen" && last.since == event.at)
        #expect(
            last.reason.first?.node == "hall"
                && last.rooms.map(\.room)
                    == ["kitchen", "hall"].filter { room in last.rooms.contains { $0.room == room } }
        )
    }

    @Test("Publish a silent item as quiet, then away, and its return as an arrival")
    func awayAndBack() throws {
        var home = Home(awayAfter: 60)
        home.run(20, Self.atKitchen)
        home.run(70, [])
        // While it is quiet, its answer may be published again, with less and less confidence.
        #expect(home.lines.first { $0.contains("quiet") } == "1030.0 keys quiet kitchen")
        #expect(home.lines.suffix(2) == ["1080.0 keys away away", "1080.0 keys left -<kitchen #1/1"])
        #expect(home.occupancy["kitchen"] == [])
        home.run(3, Self.atHall)
        #expect(home.lines.suffix(2).contains("1091.0 keys arrived hall<- #2/2"))
        #expect(home.occupancy == ["kitchen": [], "hall": ["keys"]])
        #expect(Set(home.events.map(\.id)).count == 2)
        #expect(home.events.allSatisfy { $0.fuser == "main" && $0.epoch == "f00d" })
    }

    @Test("Publish a quiet item as present on its next packet, without a move")
    func quietAndBack() {
        var home = Home()
        home.run(10, Self.atKitchen)
        home.run(20, [])
        home.run(2, Self.atKitchen)
        #expect(home.lines.last == "1031.0 keys present kitchen")
        #expect(home.events.isEmpty)
    }

    @Test("Keep an item present while it sends only telemetry")
    func telemetryOnly() {
        var home = Home()
        home.run(10, Self.atKitchen)
        for second in 1...100 {
            let end = 1010 + Double(second)
            var window = Home.window(end, "kitchen", -50)
            (window.rssi, window.count) = (nil, 0)
            home.advance(to: end - 0.01)
            home.household.receive(window, at: Home.time(end))
            for node in ["kitchen", "hall"] { home.scan(end, node) }
            home.advance(to: end)
        }
        #expect(home.locations.last?.state == .present && home.events.isEmpty)
    }

    @Test("Count silence only while a node listens")
    func silenceUnheard() {
        var home = Home()
        home.run(10, Self.atKitchen)
        home.run(5, [])
        // Both nodes are down for less than it takes to be deaf: their silence does not count.
        home.run(9, [], listening: [])
        home.run(4, [])
        #expect(!home.lines.contains { $0.contains("quiet") })
        home.run(2, [])
        #expect(home.lines.last?.hasSuffix("keys quiet kitchen") == true)
        #expect(home.events.isEmpty)
    }

    @Test("Publish unknown, and no departure, without any node")
    func deaf() {
        var home = Home()
        home.run(10, Self.atKitchen)
        let isCalm = home.sleep(until: 1200)
        #expect(isCalm)
        #expect(home.lines.last == "1020.0 keys unknown unknown")
        #expect(home.events.isEmpty && home.occupancy["kitchen"] == [])
        #expect(home.household.nextDeadline == nil)
        home.run(3, Self.atHall)
        #expect(home.locations.last?.room == "hall")
        #expect(home.events.isEmpty, "after an outage it is determined where it is; it has not moved")
    }

    @Test("Publish a departure for an item that is absent when nodes are back, and away for one that was")
    func goneMeanwhile() {
        var home = Home()
        home.run(10, Self.atKitchen)
        _ = home.sleep(until: 1100)
        #expect(home.locations.last?.state == .unknown)
        home.run(59, [])
        #expect(home.locations.last?.state == .unknown)
        home.run(2, [])
        #expect(home.locations.last?.state == .away && home.locations.last?.previous == "kitchen")
        #expect(home.events.map(\.kind) == [.left] && home.events[0].previous == "kitchen")
        #expect(home.events[0].notBefore == Home.time(1010))
        _ = home.sleep(until: 1300)
        #expect(home.locations.last?.state == .unknown)
        home.run(61, [])
        #expect(home.locations.last?.state == .away && home.events.count == 1)
    }

    @Test("Treat all nodes offline like all nodes gone")
    func allOffline() {
        var home = Home()
        home.run(10, Self.atKitchen)
        for node in ["kitchen", "hall"] { home.household.receive(isOnline: false, of: node) }
        let isCalm = home.sleep(until: 1100)
        #expect(isCalm)
        #expect(home.locations.last?.state == .unknown)
    }

    @Test("Move an item to the room of a live node while the other node is down")
    func nodeDown() {
        var home = Home()
        home.run(20, Self.atKitchen)
        home.run(10, Self.atKitchen, listening: ["kitchen"])
        #expect(home.events.isEmpty)
        home.household.receive(isOnline: false, of: "kitchen")
        home.run(20, [("hall", -55)], listening: ["hall"])
        #expect(home.locations.last?.room == "hall")
    }

    @Test("Publish the same moves with the same ids from two fusers with another order of messages")
    func nodeOrder() {
        var one = Home(fuser: "a")
        var other = Home(["hall", "kitchen"], fuser: "b")
        for (levels, seconds) in [
            (Self.atKitchen, 20), (Self.atHall, 30), ([("kitchen", -60.0), ("hall", -60)], 5), ([], 70),
        ] {
            one.run(seconds, levels)
            other.run(seconds, levels.reversed(), listening: ["hall", "kitchen"])
        }
        #expect(one.lines == other.lines)
        #expect(one.events.map(\.id) == other.events.map(\.id))
        #expect(one.events.map(\.kind) == [.moved, .left])
    }

    @Test("Number events without gaps, over all items and for each")
    func numbering() {
        var home = Home(awayAfter: 20)
        for _ in 0..<3 {
            for item in ["keys", "bag", "cat"] { home.run(15, Self.atKitchen, item: item) }
            for item in ["keys", "bag", "cat"] { home.run(15, Self.atHall, item: item) }
        }
        #expect(home.events.count > 6)
        #expect(home.events.map(\.seq) == (1...UInt64(home.events.count)).map { $0 })
        let perItem = Dictionary(grouping: home.lines.filter { $0.contains("#") }) { $0.split(separator: " ")[1] }
        for (_, lines) in perItem {
            #expect(lines.enumerated().allSatisfy { $1.hasSuffix("/\($0 + 1)") })
        }
    }

    @Test("Publish an occupancy with all items of a room, in order")
    func occupancy() {
        var home = Home()
        for item in ["keys", "bag", "cat"] { home.run(1, Self.atKitchen, item: item) }
        #expect(home.occupancy == ["kitchen": ["bag", "cat", "keys"]])
        home.run(20, Self.atHall, item: "bag")
        #expect(home.occupancy["hall"]?.contains("bag") == true && home.occupancy["kitchen"]?.contains("bag") == false)
    }

    @Test("Publish the distances of the last minute, and none of a place where the item was before")
    func distances() {
        var home = Home()
        func hear(at node: String, for seconds: Int) {
            for _ in 0..<seconds {
                home.skip(to: home.now + 1)
                var window = Home.window(home.now, node, -50)
                window.distance = .init(metres: 2, low: 1, high: 4)
                home.household.receive(window, at: Home.time(home.now))
                for node in ["kitchen", "hall"] { home.scan(home.now, node) }
                home.advance(to: home.now)
            }
        }
        hear(at: "kitchen", for: 20)
        hear(at: "hall", for: 20)
        #expect(home.locations.last?.distances.map(\.node) == ["hall", "kitchen"])
        hear(at: "hall", for: 400)
        #expect(home.locations.last?.distances.map(\.node) == ["hall"])
    }
}
