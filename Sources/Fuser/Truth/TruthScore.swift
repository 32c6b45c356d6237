internal import Bytes

/// The worth of the answers during a walk, measured by the true rooms.
///
/// | figure | meaning |
/// |---|---|
/// | accuracy | the share of the time in which the answer was the true room |
/// | settled | the same, later than 10 s after the item came to a room |
/// | flaps | changes of the answer, other than the first one to a stay's room from 2 s before it to 5 s after it |
/// | lag | from coming to a room, for at least 10 s, until the answer is right for 5 s; the whole stay if it never is |
struct TruthScore: Hashable {
    /// The answer from a moment on; nil where there is none.
    struct Answer: Hashable {
        var room: String?
        var from: Timestamp

        /// Answers that each differ from the one before, made of visits in the order of time.
        static func answers(_ visits: [(room: String, from: Timestamp, to: Timestamp?)]) -> [Answer] {
            var answers: [Answer] = []
            for (index, visit) in visits.enumerated() {
                if answers.last?.room != visit.room { answers.append(Answer(room: visit.room, from: visit.from)) }
                let next = index + 1 < visits.count ? visits[index + 1].from : nil
                if let end = visit.to, next.map({ $0 > end }) ?? true { answers.append(Answer(room: nil, from: end)) }
            }
            return answers
        }
    }

    /// The time after which an answer has settled.
    static let settling: Duration = .seconds(10)
    /// The times before and after a stay in which a change to its room is none too many.
    static let early: Duration = .seconds(2), late: Duration = .seconds(5)
    /// The time for which an answer must be right to count as found.
    static let holding: Duration = .seconds(5)
    /// The shortest stay that has a lag.
    static let shortestVisit: Duration = .seconds(10)

    /// The time with a true room.
    private(set) var duration: Duration = .zero
    /// The shares of accuracy; nil where there was no such time.
    private(set) var accuracy: Double?, settled: Double?
    /// The number of flaps.
    private(set) var flaps = 0
    /// The median of the lags; nil where no stay has one.
    private(set) var lag: Duration?

    /// Measures answers by the stays of a walk.
    init(_ stays: [TruthWalk.Stay], _ answers: [Answer]) {
        let spans = answers.enumerated().map { index, answer in
            let end = index + 1 < answers.count ? answers[index + 1].from : Timestamp(microseconds: .max)
            return (room: answer.room, from: answer.from, to: end)
        }
        func share(after pause: Duration) -> (right: Duration, all: Duration) {
            var (right, all) = (Duration.zero, Duration.zero)
            for stay in stays {
                let from = min(stay.from.advanced(by: pause), stay.to)
                all += stay.to.duration(since: from)
                for span in spans where span.room == stay.room && span.from < stay.to && span.to > from {
                    right += min(span.to, stay.to).duration(since: max(span.from, from))
                }
            }
            return (right, all)
        }
        let (whole, calm) = (share(after: .zero), share(after: Self.settling))
        duration = whole.all
        accuracy = whole.all > .zero ? whole.right / whole.all : nil
        settled = calm.all > .zero ? calm.right / calm.all : nil
        flaps = Self.flaps(stays, answers)
        let lags = zip(stays, stays.dropFirst()).compactMap { before, stay -> Duration? in
            guard stay.to.duration(since: stay.from) >= Self.shortestVisit, before.to == stay.from else { return nil }
            let found = spans.first { span in
                let (from, to) = (max(span.from, stay.from), min(span.to, stay.to))
                guard span.room == stay.room, from < to else { return false }
                return to.duration(since: from) >= Self.holding || to == stay.to
            }
            return found.map { max($0.from, stay.from).duration(since: stay.from) }
                ?? stay.to.duration(since: stay.from)
        }
        lag = lags.isEmpty ? nil : lags.sorted()[lags.count / 2]
    }

    private static func flaps(_ stays: [TruthWalk.Stay], _ answers: [Answer]) -> Int {
        var found: Set<Int> = []
        var flaps = 0
        for answer in answers.dropFirst() {
            guard stays.contains(where: { $0.from <= answer.from && answer.from < $0.to }) else { continue }
            let stay = stays.indices.first { index in
                let stay = stays[index]
                return stay.room == answer.room && !found.contains(index)
                    && stay.from.advanced(by: -early) <= answer.from && answer.from < stay.to.advanced(by: late)
            }
            if let stay { found.insert(stay) } else { flaps += 1 }
        }
        return flaps
    }
}
