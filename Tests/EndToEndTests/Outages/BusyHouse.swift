import Bytes
import WireProtocol
import Support

/// A house of five rooms with a node in each, in which twelve things go from room to room, and out, as its nodes
/// publish it: drawn by a seed, one interval of a second after the other, on a clock that runs faster than real time.
struct BusyHouse {
    static let rooms = ["bath", "den", "hall", "kitchen", "porch"]
    static let items = (0..<12).map { "item-\($0)" }

    private struct Life {
        /// The room; nil while it is out.
        var room: Int?
        /// The interval with which it continues.
        var turn: Int
    }

    let clock: NodeClock
    private let topics = Topics()
    private var random: SeededGenerator
    private var lives: [Life] = []
    private var json = JSONWriter()
    /// Intervals published so far.
    private(set) var count = 0
    /// The true places of each thing, by their start.
    private(set) var truth: [String: [(at: Timestamp, word: String)]] = [:]
    /// True once all things stay in their places.
    var isStill = false

    init(seed: UInt64, origin: Timestamp, speed: Double) {
        random = SeededGenerator(seed: seed)
        clock = NodeClock(start: origin.floor(toMultipleOf: 1_000_000), origin: origin, speed: speed)
        for _ in Self.items {
            let room = Int.random(in: 0..<Self.rooms.count, using: &random)
            lives.append(Life(room: room, turn: .random(in: 25...120, using: &random)))
        }
        for index in lives.indices { note(index) }
    }

    /// The end of the next interval, in the house.
    var end: Timestamp { clock.start.advanced(bySeconds: Double(count + 1)) }

    /// Seconds in the house by which an interval is published before its end: it is weighed a third of a second after
    /// that, which is nothing on a busy machine with faster time.
    private static let lead = 1.9

    /// The real time at which it is published.
    var due: Timestamp { clock.wallTime(at: end.advanced(bySeconds: -Self.lead)) ?? end }

    /// The retained messages of the nodes.
    func introductions() -> [Message] {
        topics.introductions(of: Self.rooms, started: clock.start, on: clock)
    }

    /// The nodes' messages of the next interval: the windows, then the scans.
    mutating func tell() -> [Message] {
        let end = end
        count += 1
        var messages: [Message] = []
        var windows = [Int](repeating: 0, count: Self.rooms.count)
        for index in lives.indices {
            if lives[index].turn <= count, !isStill { go(index) }
            guard let room = lives[index].room else { continue }
            for (node, name) in Self.rooms.enumerated() {
                let isNear = node == room
                guard Int.random(in: 0..<100, using: &random) >= (isNear ? 10 : 40) else { continue }
                let level = ((isNear ? -56 : -80) + Double.random(in: -6...6, using: &random)).rounded()
                var window = Window(
                    seq: UInt64(count), from: end.advanced(bySeconds: -1), to: end, node: name, epoch: "0000000a",
                    id: "00000000000a", item: Self.items[index], count: 1)
                window.expected = 1
                window.rssi = Window.Levels(
                    mean: level, median: level, minimum: Int(level), maximum: Int(level), deviation: nil)
                windows[node] += 1
                messages.append(
                    Message(
                        topic: topics.window(beacon: Self.items[index], node: name), payload: payload(window.write)))
            }
        }
        for (node, name) in Self.rooms.enumerated() {
            var scan = Scan(
                from: end.advanced(bySeconds: -1), to: end, seq: UInt64(count), registry: "", epoch: "0000000a")
            (scan.windows, scan.clock) = (windows[node], clock)
            messages.append(Message(topic: topics.scan(name), payload: payload(scan.write)))
        }
        return messages
    }

    private mutating func note(_ index: Int) {
        let word = lives[index].room.map { Self.rooms[$0] } ?? "away"
        truth[Self.items[index], default: []].append((end.advanced(bySeconds: -1), word))
    }

    /// To another room, or out for longer than it takes to be away.
    private mutating func go(_ index: Int) {
        defer { note(index) }
        let before = lives[index].room
        if before != nil, Int.random(in: 0..<6, using: &random) == 0 {
            lives[index] = Life(room: nil, turn: count + .random(in: 90...150, using: &random))
            return
        }
        var room = before
        while room == before { room = .random(in: 0..<Self.rooms.count, using: &random) }
        lives[index] = Life(room: room, turn: count + .random(in: 25...120, using: &random))
    }

    private mutating func payload(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        json.removeAll()
        write(&json)
        return json.bytes
    }
}
