import HouseTracking
import WireProtocol
import Support

/// Twelve things that move about in a house of five rooms, drawn by a seed: the windows of its nodes second by second.
struct LivelyHouse {
    static let rooms = ["bath", "den", "hall", "kitchen", "porch"]
    static let start = 1000.0

    /// The windows of each second: the thing, the node and the level.
    private(set) var seconds: [[(item: Int, node: Int, level: Double)]] = []
    /// The true place of each thing, by its start.
    private(set) var truth: [Line] = []

    init(seed: UInt64, seconds count: Int) {
        var random = SeededGenerator(seed: seed)
        var lives: [(room: Int?, turn: Int)] = (0..<12).map { _ in
            (.random(in: 0..<5, using: &random), .random(in: 25...120, using: &random))
        }
        truth = lives.map { Line(places: [(Self.start, $0.room.map { Self.rooms[$0] } ?? "away")]) }
        for second in 1...count {
            var heard: [(item: Int, node: Int, level: Double)] = []
            for item in lives.indices {
                if lives[item].turn <= second {
                    lives[item] = Self.next(lives[item].room, second, &random)
                    truth[item].note(lives[item].room.map { Self.rooms[$0] } ?? "away", Self.start + Double(second - 1))
                }
                guard let room = lives[item].room else { continue }
                for node in 0..<5 where Int.random(in: 0..<100, using: &random) >= (node == room ? 10 : 40) {
                    let level = (node == room ? -56 : -80) + Double.random(in: -6...6, using: &random)
                    heard.append((item, node, level.rounded()))
                }
            }
            seconds.append(heard)
        }
    }

    private static func next(_ before: Int?, _ second: Int, _ random: inout SeededGenerator) -> (room: Int?, turn: Int)
    {
        if before != nil, Int.random(in: 0..<6, using: &random) == 0 {
            return (nil, second + .random(in: 90...150, using: &random))
        }
        var room = before
        while room == before { room = .random(in: 0..<5, using: &random) }
        return (room, second + .random(in: 25...120, using: &random))
    }

    /// A place of an item, by its start.
    struct Line {
        var places: [(at: Double, word: String)] = []

        mutating func note(_ word: String, _ at: Double) {
            if places.last?.word != word { places.append((at, word)) }
        }

        /// True if it was in a place at any moment between two.
        func has(_ word: String, _ from: Double, _ to: Double) -> Bool {
            places.last { $0.at <= from }?.word == word
                || places.contains { $0.word == word && from < $0.at && $0.at <= to }
        }
    }
}

/// A household in it, with a store of exactly the rows it has returned.
struct LivelyFuser {
    private(set) var lines: [String: LivelyHouse.Line] = [:]
    private(set) var events: [(item: Int, event: ItemEvent)] = []
    private var household: Household
    private var items: [String: HouseholdRecord.Item] = [:]
    private var nodes: [String: HouseholdRecord.Node] = [:]

    init() {
        household = Household(settings: Household.Settings(fuser: "main", epoch: "f00d"))
        introduce()
    }

    /// Kills it, and starts it again with the rows of the store.
    mutating func restart() {
        let record = HouseholdRecord(
            items: items.values.sorted { $0.id < $1.id }, nodes: nodes.values.sorted { $0.id < $1.id })
        household = Household(settings: household.settings, remembering: record)
        introduce()
    }

    private mutating func introduce() {
        for node in LivelyHouse.rooms {
            household.receive(Home.info(node), of: node)
            household.receive(isOnline: true, of: node)
        }
    }

    mutating func run(_ second: Int, _ house: LivelyHouse) {
        let end = LivelyHouse.start + Double(second)
        let heard = house.seconds[second - 1]
        for word in heard {
            let window = Home.window(end, LivelyHouse.rooms[word.node], word.level, item: "item-\(word.item)")
            household.receive(window, at: Home.time(end))
        }
        for (node, name) in LivelyHouse.rooms.enumerated() {
            var scan = Home.scan(end)
            scan.windows = heard.count { $0.node == node }
            household.receive(scan, of: name, at: Home.time(end))
        }
        var told: [Household.Outcome] = []
        household.advance(to: Home.time(end)) { told.append($0) }
        for outcome in told {
            switch outcome {
            case .location(let item, let location): lines[item, default: .init()].note(location.placeText, end)
            case .event(let item, let event): events.append((Int(item.dropFirst(5)) ?? 0, event))
            default: break
            }
        }
        let record = household.takeRecord(at: Home.time(end))
        for item in record.items { items[item.id] = item }
        for node in record.nodes { nodes[node.id] = node }
    }
}
