import Bytes
@testable import RoomEstimation
import Support

/// A row of rooms of 4 m with a node in the middle of some, and one item that walks or rests, all from a seed.
struct ToyHouse {
    var house = House()
    /// The place of each node, in metres along the row.
    var nodes: [Double] = []
    /// The spread of a level, in dB.
    var noise = 5.0
    /// The spread of the part of a level due to causes that last for seconds, in dB.
    var lasting = 0.0
    private var causes: [Double] = []
    /// The probability that a node in range misses all packets of a second.
    var loss = 0.02
    /// Nodes that receive nothing from now on.
    var dead: Set<Int> = []
    /// The loss over a metre, in dB.
    var slope = 5.0
    /// Added to all levels: another tag.
    var offset = 0.0
    private var generator: SeededGenerator

    init(rooms: Int, nodesIn rooms_: [Int], seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        for room in 0..<rooms { house.addRoom("room-\(room)") }
        for room in rooms_ {
            house.addNode("node-\(room)", room: room)
            nodes.append(Double(room) * 4 + 2)
        }
    }

    /// A second at a place in metres along the row.
    mutating func hop(at place: Double, second: Int) -> Hop {
        var readings: [Hop.Reading] = []
        for (node, position) in nodes.enumerated() {
            if causes.count <= node { causes.append(0) }
            if lasting > 0 { causes[node] = 0.8 * causes[node] + 0.6 * lasting * generator.normal() }
            let level = -48 - slope * abs(place - position) + offset + noise * generator.normal() + causes[node]
            let lost = Double.random(in: 0..<1, using: &generator) < loss
            if !lost, level > -95, !dead.contains(node) {
                readings.append(Hop.Reading(node: node, level: level, count: 3))
            }
        }
        return Hop(end: Timestamp(microseconds: Int64(second) * 1_000_000), readings: readings)
    }

    /// Stays of so many seconds in rooms, a new place in the room every ten seconds; labelled.
    mutating func stays(_ rooms: [Int], seconds: Int, from start: Int = 1) -> Recording {
        var hops: [Hop] = []
        var labels: [Int?] = []
        var place = 0.0
        for room in rooms {
            for second in 0..<seconds {
                if second % 10 == 0 { place = Double(room) * 4 + Double.random(in: 0.5..<3.5, using: &generator) }
                hops.append(hop(at: place, second: start + hops.count))
                labels.append(room)
            }
        }
        return Recording(hops: hops, rooms: labels)
    }
}

/// The share of labelled hops that a locator answers right.
func accuracy(_ recording: Recording, _ locator: Locator) -> Double {
    var locator = locator
    var right = 0
    for (hop, room) in zip(recording.hops, recording.rooms) where locator.weigh(hop).room == room { right += 1 }
    return Double(right) / Double(recording.hops.count)
}

/// The number of moves of a locator's answer.
func moves(_ recording: Recording, _ locator: Locator) -> Int {
    var locator = locator
    return recording.hops.reduce(0) { sum, hop in locator.weigh(hop).moved ? sum + 1 : sum }
}
