internal import Bytes

/// The times of a walker's visits: visit `n` of all time, in O(log) at any time and without those before it.
///
/// The plan repeats with a fixed period. Each departure is moved randomly, within the limits of the stays on both sides
/// of it.
struct Timetable: Sendable {
    let stream: RandomStream
    private let ends: [Int64]
    private let play: [Double]
    private let phase: Int64

    /// A timetable; `ways` are the usual seconds of the walk before each stay.
    init(stays: [Scenario.Stay], ways: [Double], stream: RandomStream) {
        self.stream = stream
        var ends: [Int64] = []
        var total: Int64 = 0
        for (stay, way) in zip(stays, ways) {
            total += Int64(microseconds: (stay.shortest + stay.longest) / 2 + way)
            ends.append(total)
        }
        self.ends = ends
        play = stays.indices.map { index in
            let after = stays[(index + 1) % stays.count]
            return min(stays[index].longest - stays[index].shortest, after.longest - after.shortest) / 4
        }
        phase = Int64(stream.child("phase").uniform(0) * Double(total))
    }

    private var period: Int64 { ends[ends.count - 1] }

    /// The visit at a time, its walk included.
    func visit(at time: Timestamp) -> Int64 {
        let (cycle, rest) = time.advanced(byMicroseconds: -phase).floorDivided(by: period)
        let place = ends.firstIndex { $0 > rest } ?? 0
        var visit = cycle * Int64(ends.count) + Int64(place)
        while time >= end(of: visit) { visit += 1 }
        while time < end(of: visit - 1) { visit -= 1 }
        return visit
    }

    /// The end of a visit and start of the next.
    func end(of visit: Int64) -> Timestamp {
        let (cycle, place) = visit.floorDivided(by: Int64(ends.count))
        let moved = stream.uniform(visit, in: -1...1) * play[Int(place)]
        return Timestamp(
            microseconds: phase + cycle * period + ends[Int(place)] + Int64(microseconds: moved))
    }
}
