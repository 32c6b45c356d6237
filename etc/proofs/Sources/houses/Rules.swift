import Bytes
import RoomEstimation

/// Changes of the room answered, in order of time.
typealias Answers = [(at: Timestamp, room: Int)]

/// Home Assistant's `mqtt_room`: the node that reported last keeps the item until another is nearer, or it says nothing
/// for a while.
struct MQTTRoom {
    private let timeout: Double
    private var node: Int?
    private var distance = 0.0
    private var at = Timestamp(microseconds: 0)

    init(timeout: Double = 5) { self.timeout = timeout }

    /// Takes what a node says, in whatever grows with distance; gives the node that has the item now.
    mutating func report(_ reporter: Int, distance new: Double, at time: Timestamp) -> Int {
        if node == nil || node == reporter || new < distance || time.seconds(since: at) >= timeout {
            (node, distance, at) = (reporter, new, time)
        }
        return node ?? reporter
    }
}

/// The nearest node by the mean of its window, `mqtt_room`'s way.
func nearestNode(_ hops: [Hop], in house: House) -> Answers {
    var rule = MQTTRoom()
    var answers: Answers = []
    for hop in hops {
        for reading in hop.readings {
            let node = rule.report(reading.node, distance: -reading.level, at: hop.end)
            answers.tell(house.nodes[node].room, at: hop.end)
        }
    }
    return answers
}

/// ESPresense's nodes before `mqtt_room`, by the facts of its firmware (4.0): of each packet's last 15 s the mean of what
/// lies within 1.5 interquartile ranges of the quartiles, as a distance; told at multiples of 5 s, or half of that earlier
/// where it moved half a metre; not told beyond 16 m.
struct ESPresenseNode {
    static let memory = 15.0
    static let spacing = 5.0
    static let step = 0.5
    static let farthest = 16.0
    static let absorption = 2.7

    private var levels: [(at: Timestamp, level: Double)] = []
    private var next: Timestamp?
    private var told = 0.0

    /// Takes a packet; gives the distance that is to be told, if any.
    mutating func hear(_ level: Double, claimed: Double, at time: Timestamp) -> Double? {
        levels.append((time, level))
        levels.removeAll { time.seconds(since: $0.at) > Self.memory }
        let sorted = levels.map(\.level).sorted()
        let (low, high) = (Self.quantile(0.25, sorted), Self.quantile(0.75, sorted))
        let fence = 1.5 * (high - low)
        let kept = sorted.filter { $0 >= low - fence && $0 <= high + fence }
        let smooth = kept.reduce(0, +) / Double(kept.count)
        let distance = Mathematics.exp((claimed - smooth) / (10 * Self.absorption) * 2.302_585_092_994_046)
        guard distance <= Self.farthest else { return nil }
        if let next, time < next {
            guard (distance - told).magnitude >= Self.step, next.seconds(since: time) <= Self.spacing / 2 else {
                return nil
            }
        }
        told = distance
        next = time.floor(toMultipleOf: Int64(Self.spacing * 1e6)).advanced(bySeconds: Self.spacing)
        return distance
    }

    private static func quantile(_ share: Double, _ sorted: [Double]) -> Double {
        let place = share * Double(sorted.count - 1)
        let below = Int(place)
        let above = min(sorted.count - 1, below + 1)
        return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
    }
}

/// What Home Assistant would show of an item that such nodes hear.
func espresense(_ item: HeardHouse.Item, in house: House) -> Answers {
    var nodes = [ESPresenseNode](repeating: ESPresenseNode(), count: house.nodes.count)
    var rule = MQTTRoom()
    var answers: Answers = []
    for packet in item.packets {
        guard let distance = nodes[packet.node].hear(packet.level, claimed: item.claimed, at: packet.at) else {
            continue
        }
        let node = rule.report(packet.node, distance: distance, at: packet.at)
        answers.tell(house.nodes[node].room, at: packet.at)
    }
    return answers
}

/// The product's own locator, with or without lessons.
func locator(_ hops: [Hop], in house: House, lessons: TrainedModel? = nil) -> Answers {
    var locator = Locator(house: house, lessons: lessons)
    var answers: Answers = []
    for hop in hops { answers.tell(locator.weigh(hop).room, at: hop.end) }
    return answers
}

extension Answers {
    /// Adds an answer where it differs from the one before.
    mutating func tell(_ room: Int?, at time: Timestamp) {
        guard let room, last?.room != room else { return }
        append((time, room))
    }
}
