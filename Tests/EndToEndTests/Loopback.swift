import Agent
import Bytes
import Configuration
import Crypto
import Fuser
import HouseTracking
import Identity
import Integrations
import RoomEstimation
import WireProtocol
import Simulation
import Support

/// The whole system in one process: the nodes of a simulated house, a broker in memory and a fuser, on a virtual clock.
struct Loopback {
    /// An answer as a subscriber saw it.
    struct Seen {
        var at: Timestamp
        var item: String
        var location: Location
    }

    /// The length of a turn of the clock: the delay that an answer may have for want of finer steps.
    static let step: Int64 = 50_000

    let house: SimulatedHouse
    private(set) var begin: Timestamp
    private(set) var seen: [Seen] = []
    /// True to compute `digest`.
    var isDigested = false
    /// SHA-256 of everything published, in order.
    private(set) var digest = ""
    private var broker = InMemoryBroker()
    private var nodes: [(adapter: Adapter, delay: Int64, pipeline: NodePipeline, held: [Held])]
    private var neighbours: [(adapter: Adapter, node: ESPresenseNode)] = []
    private var fuser: FuserPipeline
    private(set) var now: Timestamp
    private var outbox: [Message] = []

    /// A node's message that is not at the broker yet.
    private struct Held {
        var due: Timestamp
        var message: Message
    }

    /// A house of `etc/examples/simulation`, from a moment on, in another world if a seed is given.
    init(
        _ name: String, from seconds: Double = 1_795_248_000, seed: UInt64? = nil, foreign: Set<String> = []
    ) throws {
        var scenario = try Self.scenario(name)
        if let seed { scenario.seed = seed }
        try self.init(scenario, from: seconds, foreign: foreign)
    }

    /// The scenario of a file of `etc/examples/simulation`.
    static func scenario(_ name: String) throws -> Scenario {
        try ScenarioFile.read("\(Repository.root)/etc/examples/simulation/\(name).yaml")
    }

    /// A house of that description, from a moment on.
    ///
    /// - Parameters:
    ///   - foreign: nodes that are ESPresense's.
    ///   - isDrawn: true if the fuser knows the rooms' outlines and the nodes' places.
    ///   - awayAfter: the fuser's `away_after` in seconds, if it is not its default.
    init(
        _ scenario: Scenario, from seconds: Double = 1_795_248_000, foreign: Set<String> = [], isDrawn: Bool = false,
        awayAfter: Double? = nil
    ) throws {
        house = try SimulatedHouse(scenario)
        let begin = Timestamp(microseconds: Int64(seconds) * 1_000_000)
        (self.begin, now) = (begin, begin)
        let registry = Registry(items: Self.items(of: scenario))
        neighbours = scenario.nodes.filter { foreign.contains($0.id) }.map { node in
            (Adapter(node: node.id, from: begin), ESPresenseNode(room: node.id))
        }
        nodes = scenario.nodes.filter { !foreign.contains($0.id) }.enumerated().map { index, node in
            let settings = NodeSettings(node: node.id, room: node.room, version: "0", adapter: "simulation")
            var pipeline = NodePipeline(settings: settings, registry: registry, epoch: "e\(index)", started: begin)
            pipeline.description.clock = NodeClock(start: begin, origin: begin, speed: 1)
            // Each publishes at its own moment in the first quarter of a window.
            return (Adapter(node: node.id, from: begin), Int64(index) * 80_000, pipeline, [])
        }
        var settings = Household.Settings(fuser: "main", epoch: "f")
        if let awayAfter { settings.awayAfter = .seconds(awayAfter) }
        for room in scenario.rooms { settings.house.addRoom(room.id, floor: room.floor) }
        for door in scenario.doors {
            if let one = settings.house.room(door.from), let other = settings.house.room(door.to) {
                settings.house.join(one, other)
            }
        }
        if isDrawn { Self.draw(scenario, in: &settings.house) }
        for node in scenario.nodes where foreign.contains(node.id) {
            settings.roomOfNode[IntegrationSystem.espresense.nodeID(node.id)] = node.room
        }
        fuser = FuserPipeline(settings: settings, items: foreign.isEmpty ? [] : Self.items(of: scenario))
        if !foreign.isEmpty { fuser.listen(to: IntegrationInputs([.espresense: "espresense"])) }
        start()
    }

    private static func draw(_ scenario: Scenario, in house: inout House) {
        for room in scenario.rooms {
            house.draw(house.addRoom(room.id), outline: room.polygon.map { House.Corner(x: $0.x, y: $0.y) })
        }
        for node in scenario.nodes {
            let place = node.position
            house.addNode(
                node.id, room: house.room(node.room), position: House.Position(x: place.x, y: place.y, z: place.z))
        }
    }

    private static func items(of scenario: Scenario) -> [Item] {
        scenario.beacons.compactMap { beacon in
            let identity: BeaconID? =
                switch beacon.kind {
                case .iBeacon(let uuid, let major, let minor): .iBeacon(uuid: uuid, major: major, minor: minor)
                case .altBeacon(_, let uuid, let major, let minor): .altBeacon(uuid: uuid, major: major, minor: minor)
                case .eddystoneUID(let namespace, let instance):
                    .eddystone(namespace, instance)
                case .addressOnly: nil
                }
            return identity.map { Item(id: beacon.id, identities: [$0]) }
        }
    }

    private mutating func start() {
        broker.connect("recorder")
        broker.subscribe("recorder", to: "#")
        broker.connect("fuser")
        for (filter, qos) in fuser.subscriptions { broker.subscribe("fuser", to: filter, qos: qos) }
        for index in nodes.indices {
            let status = fuser.topics.nodeStatus(nodes[index].adapter.node)
            broker.publish(Message(topic: status, text: "online", qos: .atLeastOnce, retained: true))
            broker.publish(nodes[index].pipeline.info())
        }
    }

    /// Lets so many seconds pass.
    mutating func run(seconds: Double) throws {
        let end = now.advanced(bySeconds: seconds)
        while now < end {
            let next = now.advanced(byMicroseconds: Self.step)
            for index in nodes.indices { publish(node: index, until: next) }
            for index in neighbours.indices { publish(neighbour: index, until: next) }
            now = next
            for message in broker.takeMessages(for: "fuser") { fuser.receive(message, at: now, &outbox) }
            fuser.advance(to: now, &outbox)
            for message in outbox { broker.publish(message) }
            outbox.removeAll(keepingCapacity: true)
            try record()
        }
    }

    private mutating func publish(node index: Int, until next: Timestamp) {
        var messages: [Message] = []
        for event in nodes[index].adapter.takeEvents(before: next, in: house) {
            nodes[index].pipeline.receive(event.bytes.span, at: event.at, &messages)
        }
        nodes[index].pipeline.advance(to: next, &messages)
        let due = now.advanced(byMicroseconds: nodes[index].delay)
        nodes[index].held += messages.map { Held(due: due, message: $0) }
        for held in nodes[index].held where held.due <= now { broker.publish(held.message) }
        nodes[index].held.removeAll { $0.due <= now }
    }

    private mutating func publish(neighbour index: Int, until next: Timestamp) {
        for event in neighbours[index].adapter.takeEvents(before: next, in: house) {
            if let message = neighbours[index].node.receive(event.bytes.span, at: event.at) { broker.publish(message) }
        }
    }

    private mutating func record() throws {
        for message in broker.takeMessages(for: "recorder") {
            if isDigested {
                let topic = Array(message.topic.utf8) + [0, message.retained ? 1 : 0]
                digest = SHA256.hex((Array(digest.utf8) + topic + message.payload).span, digits: 64)
            }
            guard case .location(let item) = fuser.topics.kind(of: message.topic) else { continue }
            seen.append(Seen(at: now, item: item, location: try Location(payload: message.payload.span)))
        }
    }

    /// The fuser's answer to `learn` now.
    @discardableResult
    mutating func learn(_ learning: FuserCommand.Learning) throws -> FuserAnswer {
        try fuser.performLearning(learning, at: now, &outbox)
    }

    /// Learns from the lessons at once, and uses the result; true if there was anything.
    @discardableResult
    mutating func takeLessons(_ parameters: Parameters = Parameters()) -> Bool {
        guard let task = fuser.takeLearning() else { return false }
        fuser.applyLearned(task.run(parameters))
        return true
    }

    /// The reasons for an item's location.
    func explain(_ item: String) throws -> Explanation { try fuser.explain(item, at: now) }

    /// The quality of the answers, item by item.
    func scores(warmUp seconds: Double = 20) -> [Score] {
        let from = begin.advanced(bySeconds: seconds)
        let rooms = Set(house.scenario.nodes.map(\.room))
        let truth = house.truthChanges(from: begin, until: now)
        return Set(seen.map(\.item)).sorted().map { item in
            Score(
                item: item, truth: truth.filter { $0.item == item },
                answers: seen.filter { $0.item == item }.map { ($0.at, $0.location.placeText) }, from: from, until: now,
                roomsWithNode: rooms)
        }
    }

    /// Windows and scans dropped on the way so far, for any reason.
    var leftOut: UInt64 {
        let counters = fuser.counters
        return counters.late + counters.offClock + counters.overfull + counters.doubled + counters.unplaced
            + fuser.refused + UInt64(broker.dropped)
    }
}

/// The HCI events of a node's adapter in a simulated house.
///
/// The house makes links and walks anew each time that it is asked: it is asked for ten seconds at once.
private struct Adapter {
    struct Event {
        let at: Timestamp
        let bytes: [UInt8]
    }

    let node: String
    private var events: [Event] = []
    /// The number of events that were taken.
    private var taken = 0
    private var known: Timestamp

    init(node: String, from begin: Timestamp) { (self.node, known) = (node, begin) }

    /// Removes and returns the events before a moment, in order.
    mutating func takeEvents(before end: Timestamp, in house: SimulatedHouse) -> ArraySlice<Event> {
        if known < end {
            events.removeFirst(taken)
            taken = 0
            let next = end.advanced(bySeconds: 10)
            house.receptions(node: node, from: known, until: next) { time, event in
                events.append(Event(at: time, bytes: Array(copying: event)))
            }
            known = next
        }
        let first = taken
        while taken < events.count, events[taken].at < end { taken += 1 }
        return events[first..<taken]
    }
}
