@testable import RoomEstimation
import Testing

@Suite("Nodes of different sensitivity, without lessons")
struct UnlikeNodesTests {
    /// The share of right answers in a room over the last 20 minutes, for a node that receives 16 dB less than its
    /// neighbours.
    private func shareFound(_ parameters: Parameters, seed: UInt64) -> Double {
        var toy = ToyHouse(rooms: 3, nodesIn: [0, 1, 2], seed: seed)
        let recording = toy.stays((0..<40).map { [0, 1, 2, 1][$0 % 4] }, seconds: 60)
        var locator = Locator(house: toy.house, parameters: parameters)
        var (right, all) = (0, 0)
        for (second, hop) in recording.hops.enumerated() {
            let readings = hop.readings.compactMap { reading in
                var reading = reading
                if reading.node == 1 { reading.level -= 16 }
                return reading.level > -95 ? reading : nil
            }
            let room = locator.weigh(Hop(end: hop.end, readings: readings)).room
            guard second >= 1200, recording.rooms[second] == 1 else { continue }
            all += 1
            if room == 1 { right += 1 }
        }
        return Double(right) / Double(all)
    }

    @Test("Answer the room of an insensitive node once its usual level is known", arguments: [1, 2, 3] as [UInt64])
    func badEar(seed: UInt64) {
        var with = Parameters()
        // They, too, detect a node of weak reception, in time.
        with.fingerprints.share = 0
        var without = with
        without.nearness.offsetHops = .infinity
        #expect(shareFound(with, seed: seed) > shareFound(without, seed: seed) + 0.1)
    }

    @Test("Treat no node as loud after an hour beside it")
    func longStay() {
        func found(_ parameters: Parameters) -> Double {
            var right = 0
            for seed in 1...6 as ClosedRange<UInt64> {
                var toy = ToyHouse(rooms: 3, nodesIn: [0, 1, 2], seed: seed)
                var locator = Locator(house: toy.house, parameters: parameters)
                for second in 1...3600 { locator.weigh(toy.hop(at: 2, second: second)) }
                for second in 3601...3660 { locator.weigh(toy.hop(at: 10, second: second)) }
                right += (3661...3960).count { locator.weigh(toy.hop(at: 2.9, second: $0)).room == 0 }
            }
            return Double(right) / 1800
        }
        var without = Parameters()
        without.nearness.lift = 0
        #expect(found(Parameters()) > 0.93)
        #expect(found(without) < 0.6)
    }

    @Test("Follow an item of one packet a minute that may have moved between two")
    func slowBeacon() {
        func chanceOfRest(after seconds: Double) -> Double {
            var rest = ChangePointDetector(parameters: Parameters())
            rest.use(isTaught: false)
            rest.insert(at: 0)
            rest.insert(at: 1)
            for packet in 1...8 {
                let levels = packet < 8 ? [-60.0, -75] : [-71.0, -66]
                rest.weigh(
                    levels.map { .level($0, variance: 26) }, usual: [(-70, 0.1), (-70, 0.1)], after: seconds)
            }
            return rest.chance(after: 1)
        }
        #expect(chanceOfRest(after: 1) > 0.95)
        #expect(chanceOfRest(after: 60) < 0.9)
    }
}
