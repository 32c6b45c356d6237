import Bytes
@testable import RoomEstimation
import Testing

@Suite("Lessons of slow beacons")
struct BridgesTests {
    private func hop(_ second: Int, _ levels: [Int: Double] = [:]) -> Hop {
        Hop(
            end: Timestamp(microseconds: Int64(second) * 1_000_000),
            readings: levels.map { Hop.Reading(node: $0.key, level: $0.value, count: 1) })
    }

    private func bridges(_ hops: [Hop], longest: Double = 70) -> [[Int: Double]] {
        Recording(hops: hops, rooms: []).bridges(longest: longest).map {
            Dictionary(uniqueKeysWithValues: $0.map { ($0.node, $0.level) })
        }
    }

    @Test("Interpolate levels between two packets, and use a node of only one of them near it")
    func between() {
        let hops = [hop(1, [0: -60, 1: -80]), hop(2), hop(3), hop(4), hop(5, [0: -80, 2: -50])]
        #expect(bridges(hops) == [[:], [0: -65, 1: -80], [0: -70, 2: -50], [0: -75, 2: -50], [:]])
    }

    @Test("Interpolate neither between distant packets or a guide's stays, nor before or after all packets")
    func apart() {
        let seldom = [hop(1), hop(2, [0: -60]), hop(3), hop(4), hop(5, [0: -60]), hop(6)]
        let filled = bridges(seldom, longest: 3).count { !$0.isEmpty }
        #expect(filled == 2)
        #expect(bridges(seldom, longest: 2) == [[Int: Double]](repeating: [:], count: 6))
        // A stay that ended at 3 s, and one that began a minute later.
        let stays = [hop(2, [0: -60]), hop(3), hop(63), hop(64, [0: -60])]
        #expect(bridges(stays) == [[Int: Double]](repeating: [:], count: 4))
        #expect(bridges([]).isEmpty)
    }

    @Test("Learn places from interpolated levels, without counting them as packets")
    func samples() throws {
        var house = House()
        for room in ["kitchen", "hall"] { house.addNode(room, room: house.addRoom(room)) }
        let hops = (0..<41).map { $0 % 10 == 0 ? hop($0, [0: -60]) : hop($0) }
        let recording = Recording(hops: hops, rooms: hops.indices.map { $0 < 30 ? 0 : nil })
        let samples = Samples([recording], in: house)
        #expect(samples.all.count == 30 && samples.heard == 3)
        let lessons = try #require(TrainedModel([recording], in: house))
        var plain = Parameters()
        plain.lessons.longestBridge = 0
        let unbridged = try #require(TrainedModel([recording], in: house, parameters: plain))
        #expect(lessons.share == unbridged.share)
    }

    /// A person who walks along a row of rooms and back, half a metre a second, with a beacon of a packet every ten
    /// seconds.
    private func walk(_ toy: inout ToyHouse, laps: Int) -> Recording {
        let path = (0..<laps * 48).map { second in
            let way = Double(second % 48) / 2
            return way < 12 ? way : 24 - way
        }
        let hops = path.enumerated().map { second, place in
            second % 10 == 0 ? toy.hop(at: place, second: second) : hop(second)
        }
        return Recording(hops: hops, rooms: path.map { min(2, Int($0 / 4)) })
    }

    @Test("Answer no worse with bridges than by the packets alone", arguments: [1, 2, 3] as [UInt64])
    func worth(seed: UInt64) throws {
        var plain = Parameters()
        plain.lessons.longestBridge = 0
        var right = (with: 0.0, without: 0.0)
        for house in 0..<4 {
            var toy = ToyHouse(rooms: 3, nodesIn: [0, 2], seed: seed * 10 + UInt64(house))
            let taught = (0..<4).map { _ in walk(&toy, laps: 4) }
            let tried = walk(&toy, laps: 40)
            let lessons = try #require(TrainedModel(taught, in: toy.house))
            let unbridged = try #require(TrainedModel(taught, in: toy.house, parameters: plain))
            right.with += accuracy(tried, Locator(house: toy.house, lessons: lessons)) / 4
            right.without += accuracy(tried, Locator(house: toy.house, lessons: unbridged)) / 4
        }
        #expect(right.with > right.without - 0.005, "\(right), seed \(seed)")
    }
}
