import Bytes
@testable import RoomEstimation
import Testing

@Suite("Pieces of the locator")
struct PieceTests {
    @Test("Return 0 to 1 from the logistic function for any number")
    func logistic() {
        #expect(Mathematics.logistic(0) == 0.5)
        #expect(Mathematics.logistic(1e308) == 1)
        #expect(Mathematics.logistic(-1e308) >= 0)
        #expect(Mathematics.logistic(-1e308) < 1e-20)
    }

    @Test("Leave out a node's density for a gap, and nothing else")
    func marginal() {
        var two = Gaussians(nodes: 2)
        two.append(mean: [-60, -70], covariance: [16, 6, 6, 9])
        var work = [Double](repeating: 0, count: Gaussians.scratch(heard: 2))
        let one = two.fit(0, heard: [1], levels: [-76], work: &work)
        #expect(abs(one.distance - 4) < 1e-12)
        #expect(abs(one.logDeterminant - Mathematics.log(9)) < 1e-12)
        let both = two.fit(0, heard: [0, 1], levels: [-56, -76], work: &work)
        // d'C⁻¹d with C = [16 6; 6 9] and d = (4, -6): (9·16 + 2·6·24 + 16·36) / (16·9 - 36).
        #expect(abs(both.distance - 1008.0 / 108) < 1e-9)
        #expect(abs(both.logDeterminant - Mathematics.log(108)) < 1e-9)
    }

    @Test("Return a number for an invalid covariance, without a trap")
    func singular() {
        var bad = Gaussians(nodes: 2)
        bad.append(mean: [0, 0], covariance: [1, 2, 2, 1])
        var work = [Double](repeating: 0, count: Gaussians.scratch(heard: 2))
        #expect(bad.fit(0, heard: [0, 1], levels: [1, 1], work: &work).distance.isFinite)
    }

    @Test("Move a decision to the likelier room, but require more soon after a move")
    func decision() {
        var decision = Decision(pace: .init(odds: 1, hops: 50), parameters: Parameters.Decision())
        let beliefs: [(second: Int64, belief: [Double], room: Int?)] = [
            (0, [0, 0], nil), (1, [0.6, 0.4], 0), (2, [0.4, 0.6], 1), (3, [0.85, 0.15], 1), (4, [0.96, 0.04], 0),
            (11, [0.15, 0.85], 0), (12, [0.4, 0.6], 1),
        ]
        for (second, belief, room) in beliefs {
            let before = decision.room
            let moved = decision.weigh(belief, at: Timestamp(microseconds: second * 1_000_000))
            #expect(decision.room == room, "at \(second) s")
            #expect(moved == (before != room))
        }
    }

    @Test("Hold the inserted nodes in a set, within its bound")
    func nodeSet() {
        let nodes = NodeSet([0, 63, 64, 200, NodeSet.highest, NodeSet.highest + 1, -1, .max, .min])
        for node in [0, 63, 64, 200, NodeSet.highest] { #expect(nodes.contains(node)) }
        for node in [1, 65, 199, NodeSet.highest + 1, -1, Int.max, Int.min] { #expect(!nodes.contains(node)) }
        #expect(!NodeSet().contains(0))
    }

    @Test("Weigh two readings of a node in one hop by their counts")
    func doubledReading() {
        let hop = Hop(
            end: Timestamp(microseconds: 0),
            readings: [
                .init(node: 2, level: -60, count: 1), .init(node: 1, level: -70, count: 1),
                .init(node: 2, level: -64, count: 3),
            ])
        #expect(hop.readings.map(\.node) == [1, 2])
        #expect(hop.readings[1].level == -63)
        #expect(hop.readings[1].count == 4)
    }

    @Test("Put distant points into separate clusters")
    func clusters() {
        var clustering = Clustering()
        let points = (0..<30).map { [Double($0 % 3) * 20 + Double($0) * 0.01] }
        let clusters = clustering.clusters(points, count: 3, rounds: 20)
        for index in points.indices { #expect(clusters[index] == clusters[index % 3]) }
        #expect(Set(clusters).count == 3)
    }

    @Test("Cluster equal points, and fewer points than clusters")
    func equalPoints() {
        var clustering = Clustering()
        #expect(clustering.clusters([[1], [1], [1]], count: 3, rounds: 5).count == 3)
        #expect(clustering.clusters([[1]], count: 3, rounds: 5) == [0])
        #expect(clustering.clusters([], count: 2, rounds: 5).isEmpty)
    }

    @Test("Choose the closest clusters of several starts, independent of the order of points")
    func starts() {
        let groups = [[0.0, 0], [40, 0], [0, 40], [40, 40], [80, 80], [80, 0]]
        for turn in 0..<24 {
            let points = (0..<24).map { index -> [Double] in
                let centre = groups[(index * 5 + turn) % 6]
                return [centre[0] + Double((index + turn) % 3), centre[1] + Double(index % 2)]
            }
            var clustering = Clustering()
            let found = clustering.clusters(points, count: 6, rounds: 20, tries: 12)
            for one in points.indices {
                for other in points.indices {
                    #expect((found[one] == found[other]) == ((one - other) % 6 == 0), "turn \(turn)")
                }
            }
        }
    }

    @Test("Update a room or node that is found again, and retain its index")
    func houses() {
        var house = House()
        let hall = house.addRoom("hall")
        #expect(house.addRoom("hall", floor: "ground") == hall)
        #expect(house.rooms[hall].floor == "ground")
        let node = house.addNode("n", room: 99)
        #expect(house.nodes[node].room == nil)
        #expect(house.addNode("n", room: hall) == node)
        #expect(house.addNode("n") == node)
        #expect(house.nodes[node].room == hall)
        house.join(hall, 99)
        house.join(hall, hall)
        #expect(house.rooms[hall].nextTo.isEmpty)
    }
}
