import HouseTracking
import Support
import Testing
import WireProtocol

@Suite struct IntervalTests {
    @Test("Weigh an interval as soon as all live nodes have published theirs")
    func complete() {
        var home = Home()
        home.run(2, [("kitchen", -50)])
        home.window(1003, "kitchen", -50)
        home.scan(1003, "kitchen")
        home.advance(to: 1003.01)
        #expect(home.household.nextDeadline == Home.time(1003.3))
        home.scan(1003, "hall")
        home.advance(to: 1003.02)
        #expect(home.household.nextDeadline != Home.time(1003.3), "it waits for nobody any more")
    }

    @Test("Lose no window while the messages of an interval keep coming, and wait for a second at most")
    func burst() {
        var home = Home()
        home.run(2, [("kitchen", -50)])
        home.window(1003, "kitchen", -50)
        for step in 1...8 {
            home.advance(to: 1003 + Double(step) / 10)
            home.window(1003, "hall", -80, item: "tag\(step)")
        }
        #expect(home.household.nextDeadline == Home.time(1004))
        home.advance(to: 1003.9)
        home.window(1003, "hall", -80, item: "tag9")
        #expect(home.household.nextDeadline == Home.time(1004), "and no longer")
        home.advance(to: 1004)
        #expect(home.household.counters.late == 0)
        home.window(1003, "hall", -80, item: "tag10")
        #expect(home.household.counters.late == 1)
    }

    @Test("Wait 300 ms and no more for a slow node")
    func patience() {
        var home = Home()
        home.advance(to: 1000)
        home.scan(1000, "hall")
        home.window(1001, "kitchen", -50)
        home.scan(1001, "kitchen")
        home.advance(to: 1001.2)
        #expect(home.locations.isEmpty)
        home.advance(to: 1001.3)
        #expect(home.lines == ["1001.3 keys present kitchen"])
    }

    @Test("Ignore a partial first interval, which would place keys in a room of faint reception")
    func firstInterval() {
        // The missing part of the first interval: nothing, the kitchen's window, all of the kitchen's messages.
        for missed in 0...2 {
            var home = Home()
            for node in ["kitchen", "hall"] { home.household.receive(isOnline: true, of: node) }
            home.advance(to: 1001)
            if missed == 0 { home.window(1001, "kitchen", -50) }
            if missed < 2 {
                var scan = Home.scan(1001)
                scan.windows = 1
                home.household.receive(scan, of: "kitchen", at: Home.time(1001))
            }
            home.window(1001, "hall", -75)
            home.scan(1001, "hall")
            home.advance(to: 1001.5)
            #expect(home.lines == (missed == 0 ? ["1001.5 keys present kitchen"] : []), "\(missed)")
            home.skip(to: 1001)
            home.run(20, [("kitchen", -50), ("hall", -75)])
            #expect(home.events.isEmpty && home.locations.allSatisfy { $0.room == "kitchen" }, "\(missed)")
        }
    }

    @Test("Lose no message if all arrive three seconds late")
    func slowNetwork() {
        var home = Home()
        for second in 1...30 {
            let end = 1000 + Double(second)
            home.advance(to: end + 3)
            for node in ["kitchen", "hall"] {
                home.window(end, node, node == "kitchen" ? -50 : -70)
                home.advance(to: home.now + 0.05)
                home.scan(end, node)
                home.advance(to: home.now + 0.05)
            }
        }
        // The hall's first two, before it was known.
        #expect(home.household.counters.late == 2)
        #expect(home.locations.last?.room == "kitchen")
    }

    @Test("Wait for no node that is offline or silent for three scans")
    func deadNode() {
        for isOffline in [true, false] {
            var home = Home()
            home.run(3, [("kitchen", -50)])
            if isOffline {
                home.household.receive(isOnline: false, of: "hall")
            } else {
                home.run(4, [], listening: ["kitchen"])
            }
            let end = home.now + 1
            home.advance(to: end + 0.001)
            home.window(end, "bath", -50)
            home.household.receive(isOnline: false, of: "bath")
            home.scan(end, "kitchen")
            home.advance(to: end + 0.002)
            #expect(home.household.nextDeadline != Home.time(end + 0.3))
        }
    }

    @Test("Ignore late and duplicate messages")
    func lateAndDoubled() {
        var once = Home()
        var twice = Home()
        for second in 1...40 {
            let (end, level) = (1000 + Double(second), second < 20 ? -50.0 : -80)
            once.window(end, "kitchen", level)
            once.window(end, "hall", -130 - level)
            for _ in 0..<3 {
                twice.window(end, "kitchen", level)
                twice.window(end, "hall", -130 - level)
                if second > 2 { twice.window(end - 2, "hall", -30) }
            }
            for node in ["kitchen", "hall"] {
                once.scan(end, node)
                twice.scan(end, node)
                twice.scan(end, node)
            }
            once.advance(to: end)
            twice.advance(to: end)
        }
        #expect(once.lines == twice.lines && !once.events.isEmpty)
        #expect(once.household.counters.late == 0)
        #expect(twice.household.counters.late == 3 * 38)
    }

    @Test("Count and drop messages of a wrong clock")
    func wrongClock() {
        var home = Home()
        for offset in [3600.0, -3600, 61, -61, 30, 1e12, -1e12] {
            home.window(1000 + offset, "kitchen", -50)
            home.scan(1000 + offset, "kitchen")
        }
        #expect(home.household.counters.offClock == 14 && home.household.counters.processed == 0)
        #expect(home.household.nextDeadline == nil)
        home.run(2, [("kitchen", -50)])
        #expect(home.locations.last?.room == "kitchen")
    }

    @Test("Continue after a clock is set back by an hour")
    func clockSetBack() {
        var home = Home()
        home.run(10, [("kitchen", -50)])
        home.advance(to: 900 - 3600)
        #expect(home.lines.last == "-2700.0 keys unknown unknown")
        home.run(3, [("hall", -50)])
        #expect(home.locations.last?.room == "hall" && home.events.isEmpty)
        #expect(home.household.counters.late == 0)
        let isCalm = home.sleep(until: -2000)
        #expect(isCalm)
        #expect(home.locations.last?.state == .unknown)
    }

    @Test("Accept the others' windows beside a node whose clock runs ahead by seconds")
    func aheadClock() {
        var home = Home(["kitchen", "hall", "den"])
        for second in 1...60 {
            let end = 1000 + Double(second)
            home.window(end + 4, "den", -60)
            home.scan(end + 4, "den")
            home.advance(to: end)
            home.window(end, "kitchen", -50)
            home.scan(end, "kitchen")
            home.advance(to: end + 0.05)
            home.window(end, "hall", -70)
            home.scan(end, "hall")
            home.advance(to: end + 0.1)
        }
        #expect(home.household.counters.late == 0)
    }

    @Test("Refuse a node intervals that it opens ahead of time, and make nothing of the other nodes late")
    func manyAhead() {
        var home = Home(["kitchen", "hall", "den"])
        for second in 1...30 {
            let end = 1000 + Double(second)
            home.advance(to: end)
            if second % 5 == 1 {
                for step in 0..<70 { home.scan(end + 4.9 + Double(step) / 1000, "den") }
            }
            home.window(end, "kitchen", -50)
            for node in ["kitchen", "hall"] { home.scan(end, node) }
            home.advance(to: end + 0.4)
        }
        #expect(home.household.counters.late == 0)
        #expect(home.household.counters.overfull >= 6, "70 less the 64 that a node may have open")
        #expect(home.locations.last?.room == "kitchen" && home.events.isEmpty)
    }

    @Test("Leave no deadline in the past, so that the fuser's loop never spins")
    func noSpin() {
        let seed: UInt64 = 31
        var random = SeededGenerator(seed: seed)
        var home = Home(["a", "b", "c"])
        for _ in 0..<3_000 {
            let step = [0, 0.05, 0.3, 1, 1, 1, 20].randomElement(using: &random)!
            let isCalm = home.sleep(until: home.now + step)
            #expect(isCalm, "seed \(seed) at \(home.now)")
            if let next = home.household.nextDeadline { #expect(next > Home.time(home.now)) }
            let end = (home.now + Double.random(in: -5...5, using: &random)).rounded(.up)
            let node = ["a", "b", "c", "d"].randomElement(using: &random)!
            switch Int.random(in: 0..<8, using: &random) {
            case 0: home.household.receive(isOnline: Bool.random(using: &random), of: node)
            case 1, 2, 3: home.window(end, node, -60)
            case 4: home.household.receive(Home.info(["x", "y"].randomElement(using: &random)!), of: node)
            default: home.scan(end, node)
            }
            home.advance(to: home.now)
            if let next = home.household.nextDeadline { #expect(next > Home.time(home.now), "seed \(seed)") }
        }
        #expect(
            home.events.map(\.seq) == Array(1...UInt64(max(1, home.events.count))).prefix(home.events.count).map { $0 })
    }

    @Test("Count nodes beyond the bound, and continue with the known ones")
    func manyNodes() {
        var home = Home([])
        for number in 0..<1_100 {
            home.household.receive(Home.info("room-\(number % 10)"), of: "node-\(number)")
        }
        #expect(home.household.counters.overfull == 1_100 - 1_024)
        home.window(1000, "node-1099", -50)
        home.scan(1000, "node-1099")
        #expect(home.household.counters.unplaced == 2)
        home.run(1, [("node-3", -50)], listening: ["node-3"])
        #expect(home.locations.last?.room == "room-3")
    }

    @Test("Bound the memory of a node that names ever new rooms")
    func manyRooms() {
        var home = Home([])
        for number in 0..<1_200 { home.household.receive(Home.info("room-\(number)"), of: "node") }
        #expect(home.household.rooms.count == 1_024)
        #expect(home.household.counters.overfull == 1_200 - 1_024)
    }

    @Test("Track the first 100,000 items, and count the others")
    func manyItems() {
        var home = Home()
        for number in 0..<100_003 { home.window(1000, "kitchen", -50, item: "item-\(number)") }
        #expect(home.household.counters.overfull == 3)
        #expect(home.household.counters.processed == 100_000)
    }

    @Test("Leave half of the places to items that are registered")
    func unregisteredItems() {
        var home = Home()
        func hear(_ item: String, isRegistered: Bool) {
            let window = Home.window(1000, "kitchen", -50, item: item)
            home.household.receive(window, at: Home.time(1000), isRegistered: isRegistered)
        }
        for number in 0..<50_001 { hear("item-\(number)", isRegistered: false) }
        #expect(home.household.counters.overfull == 1)
        hear("keys", isRegistered: true)
        #expect(home.household.counters.overfull == 1 && home.household.items.last == "keys")
        home.household.expectItem("item-7", at: Home.time(1000))
        for item in ["item-50000", "item-50001"] { hear(item, isRegistered: false) }
        #expect(home.household.counters.overfull == 2 && home.household.items.last == "item-50000")
    }

    @Test("Publish no location for windows of unregistered beacons")
    func unregistered() {
        var home = Home()
        home.now(1000)
        home.window(1000, "kitchen", -50, item: nil)
        home.scan(1000, "kitchen")
        home.advance(to: 1001)
        #expect(home.locations.isEmpty)
    }
}

extension Home {
    fileprivate mutating func now(_ seconds: Double) { advance(to: seconds) }
}
