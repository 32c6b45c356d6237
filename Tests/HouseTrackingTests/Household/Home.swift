import Bytes
import HouseTracking
import RoomEstimation
import WireProtocol

/// A household on a virtual clock that receives windows and scans, and answers lines.
///
/// Nodes are in rooms of their own names. Intervals last a second; their messages arrive as their interval ends.
struct Home {
    var household: Household
    /// The published messages, such as `10 keys present kitchen`, `20 keys moved hall<kitchen #1/1`, `20 hall: keys`.
    var lines: [String] = []
    var locations: [Location] = []
    var events: [ItemEvent] = []
    var occupancy: [String: [String]] = [:]
    /// The stays of items, such as `keys hall 1020.0`.
    var stays: [String] = []
    /// Lessons that are to be stored.
    var lessons: [Lesson] = []
    private(set) var now = 1000.0

    init(
        _ nodes: [String] = ["kitchen", "hall"], rooms: [String] = [], fuser: String = "main", awayAfter: Double = 60
    ) {
        var settings = Household.Settings(fuser: fuser, epoch: "f00d")
        for room in rooms { settings.house.addRoom(room) }
        settings.awayAfter = .seconds(awayAfter)
        household = Household(settings: settings)
        for node in nodes { household.receive(Self.info(node), of: node) }
    }

    /// The same house after its fuser was killed and started again so many seconds later, with the state it had
    /// returned for storage; the lines published before are cleared.
    mutating func restart(
        after seconds: Double, with record: HouseholdRecord, lessons: [Lesson] = [],
        rooms: [String] = ["kitchen", "hall"]
    ) {
        household = Household(settings: household.settings, remembering: record, lessons: lessons)
        for room in rooms { household.receive(Self.info(room), of: room) }
        (lines, locations, events, stays) = ([], [], [], [])
        now += seconds
    }

    /// The whole record, as in a store.
    func record() -> HouseholdRecord {
        var copy = household
        copy.rememberAll()
        return copy.takeRecord(at: Self.time(now), isLast: true)
    }

    static func time(_ seconds: Double) -> Timestamp { Timestamp(microseconds: 0).advanced(bySeconds: seconds) }

    static func info(_ room: String) -> NodeInfo {
        NodeInfo(
            version: "1", room: room, adapter: "test", started: time(0), epoch: "e", window: 1, publishesAll: false,
            registry: "")
    }

    static func window(_ end: Double, _ node: String, _ level: Double, item: String? = "keys") -> Window {
        var window = Window(
            seq: UInt64(max(0, end)), from: time(end - 1), to: time(end), node: node, epoch: "e", id: "00000000000a",
            item: item, count: 1)
        window.expected = 1
        window.rssi = Window.Levels(
            mean: level, median: level, minimum: Int(level), maximum: Int(level), deviation: nil)
        return window
    }

    static func scan(_ end: Double) -> Scan {
        Scan(from: time(end - 1), to: time(end), seq: UInt64(max(0, end)), registry: "", epoch: "e")
    }

    mutating func window(_ end: Double, _ node: String, _ level: Double, item: String? = "keys") {
        household.receive(Self.window(end, node, level, item: item), at: Self.time(now))
    }

    mutating func scan(_ end: Double, _ node: String) {
        household.receive(Self.scan(end), of: node, at: Self.time(now))
    }

    mutating func advance(to seconds: Double) {
        now = seconds
        note { household, body in household.advance(to: Self.time(seconds), body) }
    }

    /// Lets time pass without running.
    mutating func skip(to seconds: Double) { now = max(now, seconds) }

    /// Serves shards from now on, others having given their last sign of life at `ends`.
    mutating func serve(_ shards: ShardSet, ends: [String: Timestamp] = [:]) {
        let time = Self.time(now)
        note { household, body in household.serveShards(shards, ends: ends, at: time, body) }
    }

    /// Runs a call of the household, and records what it publishes.
    mutating func note(_ body: (inout Household, (Household.Outcome) -> Void) -> Void) {
        var outcomes: [Household.Outcome] = []
        body(&household) { outcomes.append($0) }
        for outcome in outcomes { take(outcome, at: now) }
    }

    /// Records an outcome.
    mutating func take(_ outcome: Household.Outcome, at seconds: Double) {
        switch outcome {
        case .location(let item, let location):
            locations.append(location)
            lines.append("\(seconds) \(item) \(location.state) \(location.placeText)")
        case .event(let item, let event):
            events.append(event)
            let rooms = "\(event.room ?? "-")<\(event.previous ?? "-")"
            lines.append("\(seconds) \(item) \(event.kind) \(rooms) #\(event.seq)/\(event.itemSeq)")
        case .occupancy(let room, let occupants):
            occupancy[room] = occupants.items
        case .stay(let item, let room, let from, _): stays.append("\(item) \(room ?? "?") \(from.seconds)")
        case .lessonAdded(let lesson): lessons.append(lesson)
        case .lessonUndone(let id, _): lessons.removeAll { $0.id == id }
        }
    }

    /// Intervals of one item: levels by node (absent: silent), and the nodes whose scan arrives.
    mutating func run(
        _ seconds: Int, _ levels: [(String, Double)], listening: [String] = ["kitchen", "hall"], item: String = "keys"
    ) {
        for _ in 0..<seconds {
            now += 1
            for (node, level) in levels { window(now, node, level, item: item) }
            for node in listening { scan(now, node) }
            advance(to: now)
        }
    }

    /// Lets time pass as a program would: sleeping until each deadline. Traps on nothing; false where it would spin.
    mutating func sleep(until seconds: Double) -> Bool {
        while let deadline = household.nextDeadline, deadline <= Self.time(seconds) {
            let before = deadline
            advance(to: max(now, deadline.seconds))
            if let next = household.nextDeadline, next <= max(before, Self.time(now)) { return false }
        }
        advance(to: max(now, seconds))
        return true
    }
}
