import Alerts
import Bytes
import HouseTracking
import Presence
import WireProtocol

/// What a fuser keeps on its disk: it goes on with it or without it, and lives on in either case.
enum PersistentState {
    private static let start = Timestamp(microseconds: 1_795_248_000_000_000)
    private static let rooms = ["kitchen", "hall", "den"]
    /// Of so many inputs one is taken on in a house with lessons: to learn takes milliseconds.
    private static let taughtShare = 16

    /// What is believed of an item, in the form of its own.
    static func belief(_ bytes: Span<UInt8>) -> Bool {
        let belief = [UInt8](copying: bytes)
        var record = Self.record
        record.items[0].belief = belief
        let isTaught = belief.reduce(0) { $0 &+ Int($1) } % taughtShare == 0
        var household = Household(
            settings: Household.Settings(fuser: "main", epoch: "f00d"), remembering: record,
            lessons: isTaught ? lessons : [])
        let restored = household.items.isEmpty ? nil : household.explain("keys", at: start)
        for second in 1...4 { pass(second, in: &household, at: second > 2 ? "hall" : "kitchen") }
        household.rememberAll()
        let kept = household.takeRecord(at: start, isLast: true)
        precondition(kept.items.count == 1, "an item is lost by what was kept of it")
        return restored?.room == "kitchen"
    }

    /// A lesson.
    static func lesson(_ bytes: Span<UInt8>) -> Bool {
        guard let lesson = Lesson(bytes: bytes) else { return false }
        precondition(Lesson(bytes: lesson.bytes.span) == lesson, "a lesson changes by being kept")
        var household = Household(settings: Household.Settings(fuser: "main", epoch: "f00d"))
        furnish(&household)
        household.restoreLessons([lesson] + lessons)
        _ = household.taught
        let isLearned = bytes.count % taughtShare == 0
        if isLearned, let task = household.takeLearning() { household.applyLearned(task.run()) }
        for second in 1...4 { pass(second, in: &household, at: "kitchen") }
        return true
    }

    /// What alerts remember.
    static func alerts(_ bytes: Span<UInt8>) -> Bool {
        let text = String(decoding: [UInt8](copying: bytes), as: UTF8.self)
        guard let memory = AlertMemory(text: text) else { return false }
        precondition(AlertMemory(text: memory.text) == memory, "what alerts remember changes by being kept")
        var book = AlertBook(rules: [AlertRule(.leftHome, item: "keys", companions: ["phone"])])
        _ = book.restore(memory.alerts, at: start)
        _ = book.advance(to: start.advanced(byMicroseconds: 3_600_000_000))
        return true
    }

    // MARK: A house

    private static func furnish(_ household: inout Household) {
        for room in rooms {
            var info = NodeInfo(
                version: "1", room: room, adapter: "test", started: start, epoch: "e", window: 1, publishesAll: false,
                registry: "")
            info.address = "aa:bb:cc:dd:ee:ff"
            household.receive(info, of: room)
        }
    }

    private static func pass(_ second: Int, in household: inout Household, at node: String) {
        let end = start.advanced(byMicroseconds: Int64(second) * 1_000_000)
        let begin = end.advanced(byMicroseconds: -1_000_000)
        var window = Window(
            seq: UInt64(1000 + second), from: begin, to: end, node: node, epoch: "e", id: "00000000000a", item: "keys",
            count: 1)
        window.rssi = Window.Levels(mean: -60, median: -60, minimum: -60, maximum: -60, deviation: nil)
        household.receive(window, at: end)
        for room in rooms {
            let scan = Scan(from: begin, to: end, seq: UInt64(1000 + second), registry: "", epoch: "e")
            household.receive(scan, of: room, at: end)
        }
        household.advance(to: end) { outcome in
            guard case .location(_, let location) = outcome else { return }
            precondition((0...1).contains(location.confidence), "a confidence that is no probability")
            precondition(location.rooms.allSatisfy { (0...1).contains($0.probability) }, "a probability that is none")
        }
    }

    /// A house in which the keys were taught two rooms, and then lay in the kitchen.
    private static let taught: (record: HouseholdRecord, lessons: [Lesson]) = {
        var household = Household(settings: Household.Settings(fuser: "main", epoch: "f00d"))
        furnish(&household)
        var second = -60
        var lessons: [Lesson] = []
        for room in ["hall", "kitchen"] {
            for _ in 0..<10 {
                pass(second, in: &household, at: room)
                second += 1
            }
            let now = start.advanced(byMicroseconds: Int64(second) * 1_000_000)
            guard (try? household.startLesson(of: "keys", in: room, for: nil, walk: "w", at: now)) != nil else {
                continue
            }
            for _ in 0..<8 {
                pass(second, in: &household, at: room)
                second += 1
            }
            _ = try? household.stopLesson(of: "keys", keeps: true, at: now) {
                if case .lessonAdded(let lesson) = $0 { lessons.append(lesson) }
            }
        }
        if let task = household.takeLearning() { household.applyLearned(task.run()) }
        while second <= 0 {
            pass(second, in: &household, at: "kitchen")
            second += 1
        }
        household.rememberAll()
        return (household.takeRecord(at: start, isLast: true), lessons)
    }()

    private static var record: HouseholdRecord { taught.record }
    private static var lessons: [Lesson] { taught.lessons }

    // MARK: Seeds

    static var beliefSeeds: [[UInt8]] { [taught.record.items[0].belief] }

    static var lessonSeeds: [[UInt8]] { taught.lessons.map(\.bytes) }

    static var alertSeeds: [[UInt8]] {
        var book = AlertBook(rules: [AlertRule(.leftHome, item: "keys", companions: ["phone"])])
        _ = book.restore(AlertSnapshot(), at: start)
        for item in ["keys", "phone"] {
            _ = book.receive(Crossing(.item(item), .enter, at: start))
        }
        let left = start.advanced(byMicroseconds: 60_000_000)
        _ = book.receive(Crossing(.item("keys"), .exit, at: left))
        _ = book.advance(to: left.advanced(byMicroseconds: 600_000_000))
        var snapshot = book.snapshot
        snapshot.silences.append(AlertSnapshot.Silence(subject: .item("keys"), until: left))
        return [AlertMemory(snapshot).text, AlertMemory().text].map { Array($0.utf8) }
    }
}
