/// k-means with seeded starts (k-means++: Arthur and Vassilvitskii 2007). The same points give the same clusters.
struct Clustering {
    private var random: UInt64 = 0

    /// The cluster of each point, of at most `count` clusters, some of which may stay empty: the closest result of so
    /// many starts.
    mutating func clusters(_ points: [[Double]], count: Int, rounds: Int, tries: Int = 1) -> [Int] {
        guard count > 1, points.count > 1 else { return [Int](repeating: 0, count: points.count) }
        var best: (clusters: [Int], distance: Double)?
        for _ in 0..<max(1, tries) {
            let found = clusters(points, count: count, rounds: rounds)
            if found.distance < best?.distance ?? .infinity { best = found }
        }
        return best?.clusters ?? [Int](repeating: 0, count: points.count)
    }

    /// The clusters from one start, and the sum of the squared distances from their centres.
    private mutating func clusters(
        _ points: [[Double]], count: Int, rounds: Int
    ) -> (clusters: [Int], distance: Double) {
        var centres = starts(points, count)
        var cluster = points.map { nearest($0, centres).index }
        for _ in 0..<rounds {
            var sums = [[Double]](repeating: [Double](repeating: 0, count: points[0].count), count: count)
            var sizes = [Double](repeating: 0, count: count)
            for (point, index) in zip(points, cluster) {
                for column in point.indices { sums[index][column] += point[column] }
                sizes[index] += 1
            }
            for index in 0..<count where sizes[index] > 0 { centres[index] = sums[index].map { $0 / sizes[index] } }
            let moved = points.map { nearest($0, centres).index }
            if moved == cluster { break }
            cluster = moved
        }
        var distance = 0.0
        for (point, index) in zip(points, cluster) {
            for column in point.indices {
                let difference = point[column] - centres[index][column]
                distance += difference * difference
            }
        }
        return (cluster, distance)
    }

    /// Points as centres to start from: each next one is drawn by its squared distance from those chosen.
    private mutating func starts(_ points: [[Double]], _ count: Int) -> [[Double]] {
        var centres = [points[min(points.count - 1, Int(draw() * Double(points.count)))]]
        while centres.count < count {
            let distances = points.map { nearest($0, centres).distance }
            var rest = draw() * distances.reduce(0, +)
            let chosen = distances.firstIndex {
                rest -= $0
                return rest < 0
            }
            centres.append(points[chosen ?? points.count - 1])
        }
        return centres
    }

    private func nearest(_ point: [Double], _ centres: [[Double]]) -> (index: Int, distance: Double) {
        var best = (index: 0, distance: Double.infinity)
        for (index, centre) in centres.enumerated() {
            var distance = 0.0
            for column in point.indices {
                let difference = point[column] - centre[column]
                distance += difference * difference
            }
            if distance < best.distance { best = (index, distance) }
        }
        return best
    }

    /// A number in 0..<1 (SplitMix64).
    private mutating func draw() -> Double {
        random &+= 0x9E37_79B9_7F4A_7C15
        var mixed = random
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
    }
}
