import Bytes
import Simulation

/// The quality of the answers for one item against the truth.
struct Score {
    let item: String
    /// Seconds in rooms that have a node.
    private(set) var seconds = 0
    private(set) var right = 0
    /// Seconds in rooms without a node, in which no answer can be right without knowledge of the house.
    private(set) var elsewhere = 0
    private(set) var rightElsewhere = 0
    /// Seconds outside the house.
    private(set) var outside = 0
    private(set) var rightOutside = 0
    /// For each stay of five seconds or more in another room with a node: seconds until the answer named it.
    private(set) var latencies: [Double] = []
    /// Such stays that were over before the answer named them.
    private(set) var missed = 0
    /// Changes of the answer to a room in which the item was not within five seconds, before or after.
    private(set) var flaps = 0
    /// Of these, those on the way through a room without a node or not a second after it, in which no answer is right.
    private(set) var passing = 0
    private(set) var hours: Double

    init(
        item: String, truth: [TruthInterval], answers: [(at: Timestamp, word: String)], from: Timestamp,
        until: Timestamp, roomsWithNode: Set<String>
    ) {
        self.item = item
        hours = until.seconds(since: from) / 3600
        func answer(at time: Timestamp) -> String { answers.last { $0.at <= time }?.word ?? "unknown" }
        var time = from
        while time < until {
            let room = truth.first { $0.start <= time && time < $0.end }?.room
            let isRight = answer(at: time) == room ?? "away"
            switch room {
            case nil: (outside, rightOutside) = (outside + 1, rightOutside + (isRight ? 1 : 0))
            case let room? where roomsWithNode.contains(room):
                (seconds, right) = (seconds + 1, right + (isRight ? 1 : 0))
            default: (elsewhere, rightElsewhere) = (elsewhere + 1, rightElsewhere + (isRight ? 1 : 0))
            }
            time = time.advanced(bySeconds: 1)
        }
        var last: String?
        for stay in truth {
            guard let room = stay.room, roomsWithNode.contains(room) else { continue }
            defer { last = room }
            guard last != nil, last != room, stay.start >= from, stay.end.seconds(since: stay.start) >= 5 else {
                continue
            }
            if answer(at: stay.start) == room {
                latencies.append(0)
            } else if let first = answers.first(where: { $0.at > stay.start && $0.at < stay.end && $0.word == room }) {
                latencies.append(first.at.seconds(since: stay.start))
            } else {
                missed += 1
            }
        }
        var word = "unknown"
        for (at, next) in answers where next != word {
            defer { word = next }
            guard at >= from, next != "away", next != "unknown" else { continue }
            let (early, late) = (at.advanced(bySeconds: -5), at.advanced(bySeconds: 5))
            let isTrue = truth.contains { $0.room == next && $0.end > early && $0.start <= late }
            if isTrue { continue }
            flaps += 1
            let before = at.advanced(bySeconds: -1)
            let isPassing = truth.contains { stay in
                stay.start <= at && stay.end > before && stay.room.map { !roomsWithNode.contains($0) } ?? false
            }
            if isPassing { passing += 1 }
        }
    }

    /// The share of seconds in rooms with a node for which the answer was right.
    var accuracy: Double { seconds == 0 ? 1 : Double(right) / Double(seconds) }
    /// The median latency; nil if nothing changed.
    var latency: Double? { latencies.isEmpty ? nil : latencies.sorted()[latencies.count / 2] }
    /// The latency at a share of all, as of several items together; nil if nothing changed.
    static func latency(_ share: Double, of scores: [Score]) -> Double? {
        let sorted = scores.flatMap(\.latencies).sorted()
        return sorted.isEmpty ? nil : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }
    var flapsAnHour: Double { Double(flaps) / hours }

    /// A line of a table.
    var row: String {
        func share(_ part: Int, _ whole: Int) -> String {
            whole == 0 ? "    –" : Self.padded(String(Double(part * 1000 / whole) / 10), 5)
        }
        let sorted = latencies.sorted()
        let middle = latency.map { "\(Double(Int($0 * 100)) / 100)" } ?? "–"
        let late = sorted.isEmpty ? "–" : "\(Double(Int(sorted[sorted.count * 9 / 10] * 100)) / 100)"
        return Self.padded(item, 8) + "  right \(share(right, seconds)) % of \(seconds) s"
            + "  no node \(share(rightElsewhere, elsewhere)) % of \(elsewhere) s"
            + "  outside \(share(rightOutside, outside)) % of \(outside) s"
            + "  latency p50 \(middle) s p90 \(late) s of \(latencies.count), missed \(missed)"
            + "  flaps \(Int(flapsAnHour)) an hour"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
