import Identity
import Presence
import WireProtocol
import Support
import Testing

@Suite struct WindowTableTests {
    @Test("Align intervals to the same multiples of the window on every node, regardless of its start")
    func alignment() {
        var ear = Ear()
        ear.hear(5.25, rssi: -60)
        ear.hear(5.75, rssi: -70)
        ear.hear(6, rssi: -50)
        ear.hear(8.999999, rssi: -40)
        ear.advance(to: 9)
        #expect(ear.lines == ["5.0-6.0 #1 1 x2 -65.0", "6.0-7.0 #2 1 x1 -50.0", "8.0-9.0 #4 1 x1 -40.0"])
        var slow = Ear(length: 2.5)
        slow.hear(-0.1)
        slow.advance(to: 3)
        #expect(slow.lines == ["-2.5-0.0 #1 1 x1 -60.0"])
    }

    @Test(
        "Intervals of another length begin where the last one ended, overlap none, and are its multiples from then on")
    func change() {
        var ear = Ear()
        ear.hear(5.25)
        ear.hear(5.75)
        ear.table.length = .milliseconds(2500)
        for tenth in 60..<160 { ear.hear(Double(tenth) / 10 + 0.05) }
        ear.table.length = .milliseconds(500)
        for tenth in 160..<185 { ear.hear(Double(tenth) / 10 + 0.05) }
        #expect(
            ear.lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "5.0-6.0 #1", "6.0-10.0 #2", "10.0-12.5 #3", "12.5-15.0 #4", "15.0-17.5 #5", "17.5-18.0 #6",
            ])
        // The expectation of an interval is that of its own length.
        #expect(ear.windows.dropFirst(2).allSatisfy { abs(($0.expected ?? 0) - Double($0.count)) < 1 })
        #expect(abs((ear.windows[1].expected ?? 0) - 40) < 1)
    }

    @Test("Compute a window's figures from its reports")
    func figures() throws {
        var ear = Ear()
        for (place, level) in ([-60, -64, -61, -75] as [Int8]).enumerated() { ear.hear(Double(place) / 8, rssi: level) }
        ear.hear(0.9, rssi: nil)
        ear.hear(0.1, 2, rssi: nil)
        ear.hear(0.2, 3, rssi: -127)
        ear.close()
        let window = try #require(ear.windows.first)
        #expect(window.count == 5)
        let levels = try #require(window.rssi)
        #expect(levels.mean == -65 && levels.median == -62.5 && levels.minimum == -75 && levels.maximum == -60)
        #expect(abs(try #require(levels.deviation) - (142.0 / 3).squareRoot()) < 1e-9)
        #expect(ear.windows[1].rssi == nil && ear.windows[1].count == 1 && ear.windows[1].distance == nil)
        #expect(ear.windows[2].rssi?.deviation == nil && ear.windows[2].rssi?.median == -127)
    }

    @Test("Carry nothing of one interval over to the next")
    func freshStart() {
        var ear = Ear()
        ear.hear(0.1, rssi: -40, telemetry: Telemetry(batteryMillivolts: 3000))
        ear.hear(1.1, rssi: -80)
        ear.hear(3.1, 2, rssi: -50)
        ear.advance(to: 5)
        #expect(ear.lines == ["0.0-1.0 #1 1 x1 -40.0", "1.0-2.0 #2 1 x1 -80.0", "3.0-4.0 #4 2 x1 -50.0"])
        #expect(ear.windows[0].telemetry?.batteryMillivolts == 3000 && ear.windows[1].telemetry == nil)
    }

    @Test("Count how often an address returns after another: a rotating one does not, and another interval counts anew")
    func addressReturns() {
        var ear = Ear()
        for (place, address) in ([7, 8, 8, 7, 8] as [UInt64]).enumerated() {
            ear.hear(Double(place) / 8, sender: address)
        }
        ear.hear(1.1, sender: 8)
        ear.hear(1.2, sender: 9)
        ear.hear(1.3, sender: 9)
        ear.hear(2.1, sender: 8)
        ear.hear(3.1)
        ear.advance(to: 5)
        #expect(ear.windows.map(\.addressReturns) == [2, nil, 1, nil])
    }

    @Test("Include telemetry of a tag's other frames in its window without counting them")
    func telemetry() {
        var ear = Ear()
        ear.hear(0.1, rssi: -60)
        ear.hear(0.2, rssi: -20, counts: false, telemetry: Telemetry(batteryMillivolts: 2950, temperatureCelsius: 21.5))
        ear.hear(0.3, rssi: -20, counts: false, telemetry: Telemetry(batteryMillivolts: 2940))
        ear.hear(1.5, counts: false)
        ear.advance(to: 2)
        #expect(ear.lines == ["0.0-1.0 #1 1 x1 -60.0", "1.0-2.0 #2 1 x0"])
        #expect(ear.windows[0].telemetry == Telemetry(batteryMillivolts: 2940, temperatureCelsius: 21.5))
    }

    @Test("Return windows in the order of the beacons' first reports, named by their items")
    func order() {
        var ear = Ear()
        for minor in [3, 1, 2, 3, 1] as [UInt16] { ear.hear(0.5, minor, item: minor == 2 ? 0 : nil) }
        ear.close(items: [Item(id: "keys")])
        #expect(ear.lines.map { $0.split(separator: " ")[2] } == ["3", "1", "2"])
        #expect(ear.windows.map(\.item) == [nil, nil, "keys"])
        #expect(ear.windows.allSatisfy { $0.node == "kitchen" && $0.epoch == "e" })
    }

    @Test("Count a packet out of order in the open interval")
    func latePacket() {
        var ear = Ear()
        ear.hear(5.5)
        ear.advance(to: 6.1)
        ear.record(5.9)
        ear.record(6.2)
        ear.advance(to: 7)
        #expect(ear.lines == ["5.0-6.0 #1 1 x1 -60.0", "6.0-7.0 #2 1 x2 -60.0"])
    }

    @Test("Evict only the least recently received beacons beyond the capacity")
    func eviction() {
        var ear = Ear()
        let capacity = WindowTable.beaconCapacity
        let surplus = 1000
        for number in 0..<capacity + surplus { ear.hear(0.5, UInt16(number)) }
        ear.close()
        #expect(ear.windows.count == capacity)
        #expect(ear.windows.map(\.id) == (surplus..<capacity + surplus).map { Ear.id(UInt16($0)).text })
        #expect(ear.table.evicted == UInt64(surplus))
        // A beacon that returns within the interval has one window, of its reports since.
        ear.windows = []
        ear.table.beginInterval(at: Ear.time(1))
        ear.hear(1.1, 1, rssi: -50)
        for number in 0..<capacity { ear.hear(1.2, UInt16(20_000 + number)) }
        ear.hear(1.3, 1, rssi: -70)
        ear.close()
        #expect(ear.windows.count == capacity)
        #expect(ear.lines.last == "1.0-2.0 #2 1 x1 -70.0")
    }

    @Test("Retain the latest of ever new addresses in a long interval, in order")
    func longFlood() {
        var ear = Ear(length: 3600)
        for number in 0..<60_000 { ear.hear(Double(number) / 100, UInt16(number)) }
        ear.close()
        let capacity = WindowTable.beaconCapacity
        #expect(ear.windows.map(\.id) == (60_000 - capacity..<60_000).map { Ear.id(UInt16($0)).text })
    }

    @Test("Return one of the retained levels as the median beyond their bound, and counts and means of all")
    func sampleBound() throws {
        var ear = Ear(length: 1000)
        for number in 0..<100_000 { ear.hear(Double(number) / 200, rssi: number < 80_000 ? -60 : -80) }
        ear.hear(600, 2, rssi: -55)
        ear.close()
        #expect(ear.windows[0].count == 100_000)
        #expect(ear.windows[0].rssi?.mean == -64)
        #expect(ear.windows[0].rssi?.median == -60)
        #expect(ear.windows[0].rssi?.minimum == -80)
        let late = try #require(ear.windows[1].rssi)
        #expect((late.minimum...late.maximum).contains(Int(late.median)), "a median of no kept level is not a level")
    }
}
