import Bytes
import Testing

@testable import Simulation

@Suite("The truth of a simulated house")
struct TruthTests {
    let house: SimulatedHouse

    init() throws {
        house = try SimulatedHouse(Flat.scenario())
    }

    @Test("place an item in the room with the outline around it")
    func truthIsGeometry() throws {
        var seen: Set<String> = []
        for step in 0..<4_000 {
            let time = Flat.start.advanced(bySeconds: Double(step) * 1.7)
            for item in ["keys", "cat", "drill"] {
                let position = try #require(house.position(item, at: time))
                let room = house.truth(item, at: time)
                let holding = house.plan.rooms.filter { $0.outline.contains(position) }.map(\.id)
                if holding.isEmpty {
                    // Outside, or on an outline to the last digit.
                    #expect(room == nil || house.plan.rooms.contains { $0.outline.distanceToOutline(position) < 0.3 })
                } else {
                    #expect(holding == [room])
                }
                seen.insert("\(item) \(room ?? "away")")
            }
        }
        #expect(seen.contains("keys away") && seen.contains("keys bedroom") && seen.contains("cat kitchen"))
        #expect(!seen.contains("cat away") && !seen.contains("drill hall"))
        #expect(house.truth("nothing", at: Flat.start) == nil)
    }

    @Test("move a walker in 50 ms no farther than it can walk")
    func motionIsContinuous() {
        for (item, pace) in [("keys", 2.5), ("cat", 4.0)] {
            var before = house.position(item, at: Flat.start) ?? Point(x: 0, y: 0)
            for step in 1..<20_000 {
                let place = house.position(item, at: Flat.start.advanced(bySeconds: Double(step) * 0.05)) ?? before
                #expect(place.distance(to: before) < pace * 0.05, "\(item) at step \(step)")
                before = place
            }
        }
    }

    @Test("cover the interval with truth without a gap, with each crossing exact to 50 ms")
    func changesAreExact() {
        let end = Flat.start.advanced(bySeconds: 1_200)
        let changes = house.truthChanges(from: Flat.start, until: end)
        #expect(changes.map(\.start) == changes.map(\.start).sorted())
        for item in ["keys", "cat", "drill", "visitor"] {
            let own = changes.filter { $0.item == item }
            #expect(own.first?.start == Flat.start && own.last?.end == end)
            for (before, after) in zip(own, own.dropFirst()) {
                #expect(before.end == after.start)
                #expect(before.room != after.room)
            }
            for stretch in own {
                #expect(house.truth(item, at: stretch.start) == stretch.room)
                #expect(house.truth(item, at: stretch.end.advanced(byMicroseconds: -50_000)) == stretch.room)
            }
        }
        #expect(changes.count { $0.item == "keys" } > 20)
        #expect(changes.count { $0.item == "drill" } == 1)
    }

    @Test("return the same truth in pieces as for the whole")
    func truthInPieces() {
        func moments(_ intervals: [TruthInterval]) -> Set<String> {
            Set(intervals.filter { $0.item == "keys" }.map { "\($0.start.microseconds / 2_000) \($0.room ?? "")" })
        }
        let end = Flat.start.advanced(bySeconds: 600)
        let whole = moments(house.truthChanges(from: Flat.start, until: end))
        var pieces: Set<String> = []
        for piece in 0..<6 {
            let from = Flat.start.advanced(bySeconds: Double(piece) * 100)
            pieces.formUnion(moments(house.truthChanges(from: from, until: from.advanced(bySeconds: 100))))
        }
        #expect(whole.subtracting(pieces).count <= 2)
    }

    @Test("keep the lengths and the order of the plan's stays")
    func staysKeepTheirBounds() {
        let own = house.truthChanges(from: Flat.start, until: Flat.start.advanced(bySeconds: 3_600))
            .filter { $0.item == "keys" }.dropFirst().dropLast()
        let living = own.filter { $0.room == "living" }.map { $0.end.seconds(since: $0.start) }
        #expect(living.count > 8)
        // A few metres of the way lie in the room as well.
        #expect(living.allSatisfy { (20...110).contains($0) })
        let order = own.compactMap { $0.room == "hall" ? nil : $0.room ?? "away" }
        let next = ["kitchen": "living", "living": "bedroom", "bedroom": "away", "away": "kitchen"]
        for (before, after) in zip(order, order.dropFirst()) { #expect(next[before] == after) }
    }

    @Test("write a table row for a spreadsheet")
    func rows() {
        let row = TruthInterval(
            item: "keys", start: Timestamp(microseconds: 1_500_000), end: Timestamp(microseconds: 2_012_345), room: nil)
        #expect(row.csvRow == "1.500,2.012,keys,away")
        #expect(TruthInterval.csvHeader == "start_s,end_s,item,room")
    }

    @Test("convert the shared clock both ways, exactly at speed 1")
    func clock() {
        let wall = Timestamp(microseconds: 1_790_000_000_123_457)
        #expect(Scenario().clock().simulated(at: wall) == wall)
        var scenario = Scenario(start: Timestamp(microseconds: 1_000), origin: wall, speed: 60)
        #expect(scenario.clock().simulated(at: wall.advanced(bySeconds: 2)).microseconds == 120_001_000)
        #expect(scenario.clock().wallTime(at: Timestamp(microseconds: 120_001_000)) == wall.advanced(bySeconds: 2))
        #expect(scenario.clock(speed: 10).simulated(at: wall.advanced(bySeconds: 2)).microseconds == 20_001_000)
        scenario.start = nil
        #expect(scenario.clock().simulated(at: wall) == wall)
        #expect(scenario.clock().simulated(at: Timestamp(microseconds: .max)).microseconds == .max)
    }
}
