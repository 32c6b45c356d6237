import Bytes

/// How good answers were, over any number of items and houses.
struct Tally {
    /// Seconds that pass before anything is judged.
    static let warmUp = 120.0

    private var seconds = 0
    private var right = 0
    private var secondsElsewhere = 0
    private var rightElsewhere = 0
    private var latencies: [Double] = []
    private var missed = 0
    private var flaps = 0
    private var carriedSeconds = 0
    private var falseMoves = 0
    private var stillSeconds = 0
    /// Items at rest, and those of them whose answer moved.
    private var stillItems = 0
    private var movedItems = 0

    /// Takes in the answers for one item of a house, those after so many seconds and a time to warm up.
    mutating func add(_ answers: Answers, _ item: HeardHouse.Item, in house: HeardHouse, after taught: Int) {
        let from = house.begin.advanced(bySeconds: Double(taught) + Self.warmUp)
        judgeSeconds(answers, item, house, from)
        let changes = zip(answers, answers.dropFirst()).map(\.1).filter { $0.at >= from }
        if item.isStill {
            stillSeconds += Int(house.end.seconds(since: from))
            falseMoves += changes.count
            stillItems += 1
            if !changes.isEmpty { movedItems += 1 }
        } else {
            judgeMoves(answers, changes, item, house, from)
        }
    }

    private mutating func judgeSeconds(
        _ answers: Answers, _ item: HeardHouse.Item, _ house: HeardHouse, _ from: Timestamp
    ) {
        var (answer, stay) = (0, 0)
        var time = from.advanced(byMicroseconds: 500_000)
        while time < house.end {
            defer { time = time.advanced(bySeconds: 1) }
            while stay < item.stays.count, item.stays[stay].end <= time { stay += 1 }
            while answer < answers.count, answers[answer].at <= time { answer += 1 }
            guard stay < item.stays.count, let room = item.stays[stay].room else { continue }
            let isRight = answer > 0 && answers[answer - 1].room == room
            if !item.isStill { carriedSeconds += 1 }
            if house.hasNode[room] {
                seconds += 1
                right += isRight ? 1 : 0
            } else {
                secondsElsewhere += 1
                rightElsewhere += isRight ? 1 : 0
            }
        }
    }

    /// A change is a flap but for the first one to a stay's own room, from 2 s before it to 5 s after it. A stay of 10 s or
    /// more has a latency: until the answer is right and stays so for 5 s.
    private mutating func judgeMoves(
        _ answers: Answers, _ changes: Answers, _ item: HeardHouse.Item, _ house: HeardHouse, _ from: Timestamp
    ) {
        var credited: Set<Int> = []
        for change in changes {
            let inside = item.stays.contains { $0.start <= change.at && change.at < $0.end && $0.room != nil }
            guard inside else { continue }
            let stay = item.stays.indices.first { index in
                item.stays[index].room == change.room && !credited.contains(index)
                    && change.at >= item.stays[index].start.advanced(bySeconds: -2)
                    && change.at < item.stays[index].end.advanced(bySeconds: 5)
            }
            if let stay { credited.insert(stay) } else { flaps += 1 }
        }
        for (before, stay) in zip(item.stays, item.stays.dropFirst()) {
            guard let room = stay.room, house.hasNode[room], before.room != nil, stay.start >= from,
                stay.end.seconds(since: stay.start) >= 10
            else { continue }
            if let found = Self.found(room, answers, stay.start, stay.end) {
                latencies.append(found.seconds(since: stay.start))
            } else {
                missed += 1
            }
        }
    }

    private static func found(_ room: Int, _ answers: Answers, _ start: Timestamp, _ end: Timestamp) -> Timestamp? {
        for (index, answer) in answers.enumerated() where answer.room == room {
            let until = index + 1 < answers.count ? answers[index + 1].at : end
            guard until > start else { continue }
            let begin = max(start, answer.at)
            guard begin < end else { return nil }
            if min(until, end).seconds(since: begin) >= 5 || until >= end { return begin }
        }
        return nil
    }

    /// The share of seconds in rooms with a node for which the answer was right.
    var accuracy: Double { Double(right) / Double(max(1, seconds)) }
    /// The same, in rooms without one.
    var accuracyElsewhere: Double? { secondsElsewhere > 0 ? Double(rightElsewhere) / Double(secondsElsewhere) : nil }
    /// Over all seconds in rooms.
    var accuracyAnywhere: Double { Double(right + rightElsewhere) / Double(max(1, seconds + secondsElsewhere)) }
    /// Of what is carried.
    var flapsAnHour: Double { Double(flaps) / (Double(max(1, carriedSeconds)) / 3600) }
    /// Of what lies still.
    var falseMovesAnHour: Double { Double(falseMoves) / (Double(max(1, stillSeconds)) / 3600) }
    /// The share of things at rest whose answer ever moved.
    var restless: Double { Double(movedItems) / Double(max(1, stillItems)) }
    /// The share of stays that were never told.
    var missedShare: Double { Double(missed) / Double(max(1, missed + latencies.count)) }

    /// Seconds from a true crossing to the right answer, of those that were told.
    func latency(_ share: Double) -> Double? {
        let sorted = latencies.sorted()
        return sorted.isEmpty ? nil : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }
}
