import HomeFiles

/// An answer that holds from a moment of a session on, in seconds.
struct TimedAnswer: Sendable {
    var time: Double
    var room: Int
    var confidence: Double
}

/// The figures of answers against the truth, by the rules of evaluate_rooms.py.
struct Figures: Sendable {
    private(set) var right = 0
    private(set) var seconds = 0
    private var settled = (right: 0, seconds: 0)
    private(set) var flaps = 0
    private var latencies: [Double] = []
    /// By tenths of the confidence: the sum of the confidences, and the number of right answers.
    private var bins = [(stated: Double, right: Double)](repeating: (0, 0), count: 10)

    var accuracy: Double { Double(right) / Double(max(1, seconds)) }
    var settledAccuracy: Double { Double(settled.right) / Double(max(1, settled.seconds)) }
    var ece: Double { bins.reduce(0) { $0 + ($1.stated - $1.right).magnitude } / Double(max(1, seconds)) }
    /// The median time to a right answer that stays for five seconds; nil without a visit.
    var latency: Double? {
        latencies.isEmpty ? nil : latencies.sorted()[min(latencies.count - 1, latencies.count / 2)]
    }

    mutating func add(_ other: Figures) {
        right += other.right
        seconds += other.seconds
        settled.right += other.settled.right
        settled.seconds += other.settled.seconds
        flaps += other.flaps
        latencies += other.latencies
        for bin in bins.indices {
            bins[bin].stated += other.bins[bin].stated
            bins[bin].right += other.bins[bin].right
        }
    }

    /// Scores the answers of one tag in one session, in order of time.
    mutating func score(_ answers: [TimedAnswer], truth stays: [Stay]) {
        var visits: [Stay] = []
        for stay in stays {
            if let last = visits.last, last.room == stay.room, stay.start - last.end < 10 {
                visits[visits.count - 1].end = stay.end
            } else {
                visits.append(stay)
            }
        }
        scoreSeconds(answers, stays, visits)
        scoreVisits(answers, visits)
        scoreChanges(answers, stays, visits)
    }

    private mutating func scoreSeconds(_ answers: [TimedAnswer], _ stays: [Stay], _ visits: [Stay]) {
        for stay in stays {
            var second = stay.start.rounded(.down) + 0.5
            if second < stay.start { second += 1 }
            while second < stay.end {
                let answer = Self.answer(answers, at: second)
                let isRight = answer?.room == stay.room
                right += isRight ? 1 : 0
                seconds += 1
                let start = visits.last { $0.start <= second }?.start ?? stay.start
                if second - start >= 10 {
                    settled.right += isRight ? 1 : 0
                    settled.seconds += 1
                }
                let confidence = answer?.confidence ?? 0
                let bin = min(9, Int(confidence * 10))
                bins[bin].stated += confidence
                bins[bin].right += isRight ? 1 : 0
                second += 1
            }
        }
    }

    private mutating func scoreVisits(_ answers: [TimedAnswer], _ visits: [Stay]) {
        var before: Double?
        for visit in visits {
            defer { before = visit.end }
            guard let end = before, visit.start - end < 10, visit.end - visit.start >= 10 else { continue }
            var held: Double?
            var first: Double?
            var time = visit.start
            while time < visit.end, first == nil {
                held = Self.answer(answers, at: time)?.room == visit.room ? held ?? time : nil
                if let held, time - held >= 5 || time + 0.25 >= visit.end { first = held }
                time += 0.25
            }
            latencies.append((first ?? visit.end) - visit.start)
        }
    }

    private mutating func scoreChanges(_ answers: [TimedAnswer], _ stays: [Stay], _ visits: [Stay]) {
        var credited: Set<Int> = []
        for (before, next) in zip(answers, answers.dropFirst()) where before.room != next.room {
            guard stays.contains(where: { $0.start <= next.time && next.time < $0.end }) else { continue }
            let visit = visits.indices.first {
                visits[$0].room == next.room && visits[$0].start - 2 <= next.time && next.time < visits[$0].end + 5
                    && !credited.contains($0)
            }
            if let visit { credited.insert(visit) } else { flaps += 1 }
        }
    }

    private static func answer(_ answers: [TimedAnswer], at time: Double) -> TimedAnswer? {
        var (low, high) = (0, answers.count)
        while low < high {
            let middle = (low + high) / 2
            if answers[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? answers[low - 1] : nil
    }
}
