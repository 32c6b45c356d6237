internal import Bytes

/// The rate at which items leave a room by the time that they have been there: a hall is passed in five seconds, a car
/// that came in turns round and is gone in twenty.
///
/// A chain of moves treats each second of a visit as an equally good moment to leave. Between the packets of a slow
/// beacon there is no other evidence, and lessons give better rates (a semi-Markov chain: Ferguson, Variable duration
/// models for speech, 1980). If they show few visits, all ages are drawn to the usual pace.
struct Dwell: Sendable {
    /// For each taught room a row of ages in seconds: the factor by which it is left more often than usual then.
    private let urges: [Double]
    private let ages: Int
    /// The longest visit of each room, in seconds.
    private let longest: [Int]
    private let overdue: Double

    /// Learns from the labels of recordings; nil if a guide set the length of stays, or if no visit was seen to end.
    init?(_ recordings: [Recording], rooms taught: [Int], parameters: Parameters.Dwell) {
        guard !recordings.contains(where: \.isGuided) else { return nil }
        let visits = Self.visits(recordings, rooms: taught)
        guard visits.contains(where: { $0.contains(where: \.hasEnded) }) else { return nil }
        ages = parameters.ages
        overdue = parameters.overdue
        longest = visits.map { $0.map(\.seconds).max() ?? 0 }
        let kernel = Self.kernel(ages, width: parameters.width)
        urges = visits.flatMap { Self.urges($0, kernel, prior: parameters.prior) }
    }

    /// The factor by which a room is left more often than usual after so many seconds, by its index among those taught.
    ///
    /// - Parameter resting: the probability that it rests. Then a visit longer than any that was taught is none: keys
    ///   in the hall do not pass through.
    func urge(in room: Int, after seconds: Double, resting: Double) -> Double {
        let held = seconds > overdue * Double(longest[room]) ? resting : 0
        return (1 - held) * urges[room * ages + min(ages - 1, max(0, Int(seconds)))]
    }

    private struct Visit {
        var seconds = 0
        var hasEnded = false
    }

    /// The visits of each room: unbroken runs of its label, with a flag for those that another room followed at once.
    private static func visits(_ recordings: [Recording], rooms: [Int]) -> [[Visit]] {
        var visits = [[Visit]](repeating: [], count: rooms.count)
        for recording in recordings {
            var here: Int?
            for room in recording.rooms {
                let next = room.flatMap { rooms.firstIndex(of: $0) }
                if let here, let next, next != here { visits[here][visits[here].count - 1].hasEnded = true }
                if let next {
                    if next != here { visits[next].append(Visit()) }
                    visits[next][visits[next].count - 1].seconds += 1
                }
                here = next
            }
        }
        return visits
    }

    /// The factors by which a room is left more often than usual at each age, by its visits.
    private static func urges(_ visits: [Visit], _ kernel: [[(age: Int, weight: Double)]], prior: Double) -> [Double] {
        var ends = [Double](repeating: 0, count: kernel.count)
        var seconds = ends
        for visit in visits {
            for age in 0..<min(visit.seconds, kernel.count) { seconds[age] += 1 }
            seconds[kernel.count - 1] += Double(max(0, visit.seconds - kernel.count))
            if visit.hasEnded { ends[min(visit.seconds, kernel.count) - 1] += 1 }
        }
        let ended = ends.reduce(0, +)
        guard ended > 0 else { return [Double](repeating: 1, count: kernel.count) }
        let usual = ended / seconds.reduce(0, +)
        return kernel.map { neighbours in
            var (left, spent) = (prior, prior / usual)
            for (age, weight) in neighbours {
                left += weight * ends[age]
                spent += weight * seconds[age]
            }
            return left / spent / usual
        }
    }

    /// The neighbours of each age, with weights by the ratio of their lengths.
    private static func kernel(_ ages: Int, width: Double) -> [[(age: Int, weight: Double)]] {
        let logs = (0..<ages).map { Mathematics.log(Double($0 + 1)) / width }
        return logs.map { log in
            logs.indices.compactMap { age in
                let weight = Mathematics.exp(-0.5 * (log - logs[age]) * (log - logs[age]))
                return weight > Parameters.Dwell.leastWeight ? (age, weight) : nil
            }
        }
    }
}
