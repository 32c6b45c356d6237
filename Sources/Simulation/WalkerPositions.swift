internal import Bytes

/// The positions of all walkers at a time. Each walker's last walk is cached: in order of time, it is made once a
/// visit.
struct WalkerPositions {
    private let wanderers: [Wanderer]
    private var walks: [Walk?]

    init(_ wanderers: [Wanderer]) {
        self.wanderers = wanderers
        walks = [Walk?](repeating: nil, count: wanderers.count)
    }

    var walkers: Range<Int> { wanderers.indices }

    /// The position of a walker's feet, and its heading.
    mutating func state(of walker: Int, at time: Timestamp) -> (feet: Point, heading: Point) {
        let walk = wanderers[walker].walk(at: time, known: walks[walker])
        walks[walker] = walk
        return walk.state(at: time, unrest: wanderers[walker].unrest)
    }

    func bodyLoss(of walker: Int) -> Double {
        wanderers[walker].bodyLoss
    }
}
