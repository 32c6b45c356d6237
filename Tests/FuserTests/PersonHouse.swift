import Alerts
import Bytes
import WireProtocol
import Support

@testable import Fuser
import HouseTracking
import RoomEstimation

/// A kitchen and a hall with a node each, a person's items in them, and fusers of that house, on a virtual clock.
struct PersonHouse {
    /// What outlives a fuser.
    struct Kept {
        var record = HouseholdRecord()
        var persons: [String: PersonMemory] = [:]
        var alerts: String?
    }

    static let anna = Person(id: "anna", name: "Anna", items: ["phone", "keys"])

    private(set) var fusers: [String: FuserPipeline] = [:]
    private(set) var kept: [String: Kept] = [:]
    private(set) var events: [FuserEffects.Event] = []
    private(set) var stays: [FuserEffects.Stay] = []
    private(set) var complaints: [String] = []
    var broker = InMemoryBroker()
    let topics = Topics()
    private(set) var now = 1000.0
    /// Fusers to whom the broker delivers no answers.
    var withoutAnswers: Set<String> = []

    init() {
        broker.connect("nodes")
        broker.connect("reader")
        broker.subscribe("reader", to: "whereabouts/#")
        for node in ["kitchen", "hall"] {
            let info = NodeInfo(
                version: "1", room: node, adapter: "hci0", started: time, epoch: "e", window: 1, publishesAll: false,
                registry: "")
            publish(topics.nodeInfo(node), retained: true) { info.write(to: &$0) }
            broker.publish(Message(topic: topics.nodeStatus(node), text: "online", qos: .atLeastOnce, retained: true))
        }
    }

    var time: Timestamp { Timestamp(microseconds: 1_000_000_000_000).advanced(bySeconds: now) }

    mutating func start(
        _ name: String = "main", persons: [Person] = [anna], shards: ClosedRange<UInt8> = 0...255,
        alerts: [AlertRule] = []
    ) {
        var settings = Household.Settings(fuser: name, epoch: "0000000\(name)")
        for room in ["kitchen", "hall"] { settings.house.addRoom(room) }
        let kept = kept[name] ?? Kept()
        fusers[name] = FuserPipeline(
            settings: settings, shards: shards, alerts: alerts, remembering: kept.record, alertMemory: kept.alerts,
            persons: persons, personMemory: kept.persons.sorted { $0.key < $1.key }.map(\.value))
        broker.connect(name)
        with(name) { fuser, wall, outbox in
            fuser.serveShards(ShardSet(shards), after: [:], at: wall, &outbox)
            fuser.connected(at: wall, &outbox)
        }
        for subscription in fusers[name]?.subscriptions ?? [] {
            broker.subscribe(name, to: subscription.filter, qos: subscription.qos)
        }
        turn()
    }

    mutating func stop(_ name: String) {
        fusers[name] = nil
        broker.disconnect(name)
    }

    /// A fuser's state is lost.
    mutating func forgetAll(of name: String) { kept[name] = nil }

    /// Why an item is where it is, as far as that is a refusal.
    func why(_ item: String, _ name: String = "main") -> String {
        do throws(CommandFault) {
            _ = try fusers[name]?.explain(item, at: time)
            return ""
        } catch {
            return "\(error)"
        }
    }

    /// Has a fuser serve shards, others having given their last sign of life so many seconds ago.
    mutating func serve(_ name: String, _ shards: ShardSet, after silences: [String: Double] = [:]) {
        let silences = silences.mapValues { Duration.seconds($0) }
        with(name) { fuser, wall, outbox in fuser.serveShards(shards, after: silences, at: wall, &outbox) }
        turn()
    }

    /// Lives for so many seconds, in which each item that is named is heard in a room.
    mutating func live(_ seconds: Int, _ rooms: [String: String]) {
        for _ in 0..<seconds {
            now += 1
            for node in ["kitchen", "hall"] {
                for (item, room) in rooms.sorted(by: { $0.key < $1.key }) {
                    var window = Window(
                        seq: UInt64(now), from: time.advanced(bySeconds: -1), to: time, node: node, epoch: "e",
                        id: "00000000000a", item: item, count: 1)
                    let level = room == node ? -55 : -80
                    window.rssi = Window.Levels(
                        mean: Double(level), median: Double(level), minimum: level, maximum: level, deviation: nil)
                    publish(topics.window(beacon: item, node: node)) { window.write(to: &$0) }
                }
                let scan = Scan(
                    from: time.advanced(bySeconds: -1), to: time, seq: UInt64(now), registry: "", epoch: "e")
                publish(topics.scan(node)) { scan.write(to: &$0) }
            }
            turn()
        }
    }

    /// Lets time pass without a word of nodes.
    mutating func pass(_ seconds: Double) {
        now += seconds
        turn()
    }

    /// What the broker retains on a topic; nil where that is nothing.
    func retained(_ topic: String) -> [UInt8]? {
        var broker = broker
        broker.connect("late")
        broker.subscribe("late", to: topic)
        return broker.takeMessages(for: "late").first?.payload
    }

    func text(_ topic: String) -> String? { retained(topic).map { String(decoding: $0, as: UTF8.self) } }

    func location(_ item: String) -> Location? {
        retained(topics.location(item)).flatMap { try? Location(payload: $0.span) }
    }

    func occupancy(_ room: String) -> Occupancy? {
        retained(topics.occupancy(room)).flatMap { try? Occupancy(payload: $0.span) }
    }

    /// What a fuser's state holds of a person, as a text; nil where that is nothing.
    func remembered(of person: String, by name: String = "main") -> String? {
        (kept[name]?.persons[person]?.bytes).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Events of an item or a person, in words.
    func story(of item: String) -> [String] {
        events.filter { $0.item == item }.map { entry in
            let event = entry.event
            let place = event.alert ?? "\(event.previous ?? "-")→\(event.room ?? "-")"
            return "\(event.fuser) \(event.kind) \(place) #\(event.itemSeq)"
        }
    }

    mutating func with(_ name: String, _ body: (inout FuserPipeline, Timestamp, inout [Message]) -> Void) {
        guard var fuser = fusers[name] else { return }
        var outbox: [Message] = []
        body(&fuser, time, &outbox)
        fusers[name] = fuser
        for message in outbox { broker.publish(message) }
    }

    // MARK: Pieces

    private mutating func turn() {
        for _ in 0..<4 {
            now += 0.1
            for name in fusers.keys.sorted() { turn(name) }
        }
        now -= 0.4
    }

    private mutating func turn(_ name: String) {
        var messages = broker.takeMessages(for: name)
        if withoutAnswers.contains(name) { messages.removeAll { $0.topic.hasSuffix("/location") } }
        var effects = FuserEffects()
        var words: [String] = []
        with(name) { fuser, wall, outbox in
            for message in messages { fuser.receive(message, at: wall, &outbox) }
            fuser.advance(to: wall, &outbox)
            effects = fuser.takeEffects(at: wall)
            for event in effects.events { outbox.append(fuser.message(event.event, of: event.item)) }
            words = fuser.takeComplaints().map(\.words)
        }
        keep(effects, of: name)
        complaints += words
        events += effects.events
        stays += effects.stays
    }

    private mutating func keep(_ effects: FuserEffects, of name: String) {
        var next = kept[name] ?? Kept()
        for item in effects.record.items {
            next.record.items.removeAll { $0.id == item.id }
            next.record.items.append(item)
        }
        for node in effects.record.nodes {
            next.record.nodes.removeAll { $0.id == node.id }
            next.record.nodes.append(node)
        }
        for memory in effects.persons { next.persons[memory.person] = memory }
        for person in effects.gonePersons { next.persons[person] = nil }
        next.alerts = effects.alerts ?? next.alerts
        kept[name] = next
    }

    private mutating func publish(_ topic: String, retained: Bool = false, _ write: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        write(&json)
        broker.publish(Message(topic: topic, payload: json.bytes, retained: retained))
    }
}
