import Bytes
import WireProtocol
import Support

@testable import Fuser
import HouseTracking
import RoomEstimation

/// Fusers of one house and their broker on a virtual clock; what each would keep, and the nodes that speak to them.
///
/// A kitchen and a hall with a node each, and an attic without one, in which both hear the keys alike.
struct FuserFleet {
    /// What outlives a fuser that has a state.
    struct Kept {
        var lessons: [Lesson] = []
        var undone: [UndoneLesson] = []
        var record = HouseholdRecord()
    }

    private(set) var fusers: [String: FuserPipeline] = [:]
    private(set) var kept: [String: Kept] = [:]
    var broker = InMemoryBroker()
    let topics = Topics()
    private(set) var now = 1000.0
    private var random = SeededGenerator(seed: 7)
    /// Whether nothing is learned for the time being.
    var isSlow = false
    /// The rooms that fusers told of the keys, one after the other, and their events.
    private(set) var told: [String] = []
    private(set) var events: [ItemEvent] = []
    /// What fusers complained of.
    private(set) var complaints: [String] = []

    private static let levels: [String: [(String, Double)]] = [
        "kitchen": [("kitchen", -55), ("hall", -75)], "hall": [("kitchen", -75), ("hall", -55)],
        "attic": [("kitchen", -84), ("hall", -86)],
    ]

    init() {
        broker.connect("nodes")
        for node in ["kitchen", "hall"] {
            let info = NodeInfo(
                version: "1", room: node, adapter: "hci0", started: time, epoch: "e", window: 1, publishesAll: false,
                registry: "")
            publish(topics.nodeInfo(node), retained: true) { info.write(to: &$0) }
        }
    }

    var time: Timestamp { Timestamp(microseconds: 1_000_000_000_000).advanced(bySeconds: now) }

    /// Starts a fuser with what it kept, or as one that is new.
    mutating func start(_ name: String, asNew: Bool = false) {
        if asNew { kept[name] = nil }
        let kept = kept[name] ?? Kept()
        var settings = Household.Settings(fuser: name, epoch: "0000000\(name)")
        for room in ["kitchen", "hall", "attic"] { settings.house.addRoom(room) }
        let fuser = FuserPipeline(
            settings: settings, remembering: kept.record, lessons: kept.lessons, undoneLessons: kept.undone)
        fusers[name] = fuser
        connect(name)
    }

    /// Connects a fuser, as one does whose broker has come back.
    mutating func connect(_ name: String) {
        guard let fuser = fusers[name] else { return }
        broker.connect(name)
        var outbox: [Message] = []
        fuser.connected(at: time, &outbox)
        for subscription in fuser.subscriptions {
            broker.subscribe(name, to: subscription.filter, qos: subscription.qos)
        }
        for message in outbox { broker.publish(message) }
        pass(0.1)
    }

    mutating func stop(_ name: String) {
        fusers[name] = nil
        broker.disconnect(name)
    }

    /// Sets the clock of all machines, and says so.
    mutating func setClock(by seconds: Double) {
        now += seconds
        for name in fusers.keys { fusers[name]?.clockStepped(by: .seconds(seconds)) }
    }

    /// Lets time pass without a word of nodes.
    mutating func pass(_ seconds: Double) {
        now += seconds
        for _ in 0..<4 {
            for name in fusers.keys.sorted() { turn(name) }
        }
    }

    /// Seconds in a room, with levels that sway.
    mutating func stay(in room: String, _ seconds: Int) {
        for _ in 0..<seconds {
            now += 1
            for node in ["kitchen", "hall"] {
                for (other, level) in Self.levels[room, default: []] where other == node {
                    var window = Window(
                        seq: UInt64(now), from: time.advanced(bySeconds: -1), to: time, node: node, epoch: "e",
                        id: "00000000000a", item: "keys", count: 1)
                    let level = level + Double.random(in: -3...3, using: &random)
                    window.rssi = Window.Levels(
                        mean: level, median: level, minimum: Int(level), maximum: Int(level), deviation: nil)
                    publish(topics.window(beacon: "keys", node: node)) { window.write(to: &$0) }
                }
                let scan = Scan(
                    from: time.advanced(bySeconds: -1), to: time, seq: UInt64(now), registry: "", epoch: "e")
                publish(topics.scan(node)) { scan.write(to: &$0) }
            }
            pass(0)
        }
    }

    /// Has a fuser taught that the keys are in a room, in which they stay so long.
    mutating func teach(_ name: String, _ room: String, _ seconds: Int = 30) throws {
        stay(in: room, 3)
        _ = try ask(name, .start(item: "keys", room: room, for: .seconds(seconds), walk: nil))
        stay(in: room, seconds + 3)
    }

    @discardableResult
    mutating func ask(_ name: String, _ learning: FuserCommand.Learning) throws -> FuserAnswer? {
        guard let fuser = fusers[name] else { return nil }
        var outbox: [Message] = []
        let answer = try fuser.performLearning(learning, at: time, &outbox)
        for message in outbox { broker.publish(message) }
        pass(0)
        return answer
    }

    /// What a fuser lists of its lessons.
    func list(_ name: String) throws -> TaughtReport {
        var (fuser, outbox) = (fusers[name], [Message]())
        guard case .taught(let report) = try fuser?.performLearning(.list, at: time, &outbox) else {
            return TaughtReport()
        }
        return report
    }

    /// The rooms that a fuser was taught, as it lists them.
    func taught(_ name: String) throws -> [String] { try list(name).lessons.map { "\($0.id) \($0.room)" } }

    /// The lessons that a fuser lists as left out.
    func notUsed(_ name: String) throws -> [String] { try list(name).leftOut.map { "\($0.item) \($0.room)" } }

    /// Has a fuser forget the keys.
    mutating func purge(_ name: String, before moment: Timestamp? = nil) -> PurgeReport {
        guard let fuser = fusers[name] else { return PurgeReport() }
        var outbox: [Message] = []
        defer { for message in outbox { broker.publish(message) } }
        return fuser.purgeItem("keys", before: moment, at: time, &outbox)
    }

    func why(_ name: String) throws -> Explanation? { try fusers[name]?.explain("keys", at: time) }

    // MARK: Pieces

    private mutating func turn(_ name: String) {
        guard var fuser = fusers[name] else { return }
        var outbox: [Message] = []
        for message in broker.takeMessages(for: name) { fuser.receive(message, at: time, &outbox) }
        fuser.advance(to: time, &outbox)
        if !isSlow, let task = fuser.takeLearning() { fuser.applyLearned(task.run()) }
        let effects = fuser.takeEffects(at: time)
        for change in effects.lessons {
            switch change {
            case .added(let lesson): kept[name, default: Kept()].lessons.append(lesson)
            case .undone(let id): kept[name]?.lessons.removeAll { $0.id == id }
            }
        }
        if let undone = effects.undone { kept[name, default: Kept()].undone = undone }
        events += effects.events.map(\.event)
        told += outbox.filter { $0.topic == topics.room("keys") }.map { String(decoding: $0.payload, as: UTF8.self) }
        for event in effects.events { outbox.append(fuser.message(event.event, of: event.item)) }
        complaints += fuser.takeComplaints().map(\.words)
        fusers[name] = fuser
        for message in outbox { broker.publish(message) }
    }

    private mutating func publish(_ topic: String, retained: Bool = false, _ write: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        write(&json)
        broker.publish(Message(topic: topic, payload: json.bytes, retained: retained))
    }
}
