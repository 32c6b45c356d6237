/// k-means with seeded starts (k-means++: Arthur and Vassilvitskii 2007). The same points give the same clusters.
struct Clustering {
    private var random: UInt64 = 0

    /// The cluster of each point, of at most `count` clusters; some may stay empty.
    mutating func clusters(_ points: [[Double]], count: Int, rounds: Int) -> [Int] {
        guard count > 1, points.count > 1 else { return [Int](repeating: 0, count: points.count) }
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
        return cluster
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
