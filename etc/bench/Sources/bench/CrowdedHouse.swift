import Bytes
import CBench
import Fuser
import HouseTracking
import RoomEstimation
import WireProtocol

/// A house full of items in a process of its own, so that what it keeps resident is its own: `bench --crowd KIND,ITEMS,NODES`.
///
/// `KIND` is `untaught`, `placed` (its nodes have a place), `taught`, `messages`, or `still` and
/// `still-taught`, where everything lies and nothing is kept.
/// It answers on standard output: to `cost N` with microseconds of processor time and allocations a window over N seconds
/// of the house, to `load N` with the share of one core that they take, and the bytes that the house keeps resident.
struct CrowdedHouse {
    /// Seconds of each room's lesson.
    private static let lesson = 30
    private static let lessonsAtOnce = 8

    private var crowd: Crowd
    /// A household alone …
    private var household: Household?
    /// … or with its messages, from their payloads to what is published and kept.
    private var pipeline: FuserPipeline?
    private let isStill: Bool
    private let topics = Topics()
    private var before = 0.0
    private var messages: [Message] = []
    private var outbox: [Message] = []
    private var told = 0

    init?(_ description: String) {
        let words = description.split(separator: ",")
        guard words.count == 3, let items = Int(words[1]), let nodes = Int(words[2]), nodes > 6, items >= 2 * nodes
        else {
            return nil
        }
        var settings = Household.Settings(fuser: "main", epoch: "f00d")
        if words[0] == "placed" { Self.place(nodes, in: &settings.house) }
        isStill = words[0].hasPrefix("still")
        crowd = Crowd(items: items, nodes: nodes, seed: 11)
        // What the messages of a second take is the bench's.
        crowd.pass()
        if words[0] == "messages" { write() }
        before = bench_resident_bytes()
        switch words[0] {
        case "untaught", "placed", "taught", "still", "still-taught": household = Household(settings: settings)
        case "messages": pipeline = FuserPipeline(settings: settings)
        default: return nil
        }
        for node in 0..<nodes { furnish(node) }
        if words[0].hasSuffix("taught"), words[0] != "untaught" { teach() }
        crowd.gait = .tours
        _ = live(nodes + 2)
        crowd.gait = isStill ? .lies : .walks
        _ = live(isStill ? 120 : 20)
    }

    /// Puts the nodes on a ring, four metres apart.
    private static func place(_ nodes: Int, in house: inout House) {
        let radius = 4 * Double(nodes) / (2 * Double.pi)
        for node in 0..<nodes {
            let angle = 2 * Double.pi * Double(node) / Double(nodes)
            let place = House.Position(x: radius * Mathematics.cos(angle), y: radius * Mathematics.sin(angle), z: 1)
            house.addNode(Crowd.node(node), room: house.addRoom(Crowd.info(node).room), position: place)
        }
    }

    /// Answers until nobody asks any more.
    mutating func serve() {
        while let line = readLine() {
            let words = line.split(separator: " ")
            guard words.count == 2, let seconds = Int(words[1]), seconds > 0 else { return }
            let spent = live(seconds)
            if words[0] == "cost" {
                bench_answer(spent.seconds * 1e6 / Double(spent.windows), spent.allocations / Double(spent.windows))
            } else {
                bench_answer(spent.seconds / Double(seconds), bench_resident_bytes() - before)
            }
        }
    }

    /// Lets seconds pass; what they cost.
    private mutating func live(_ seconds: Int) -> (seconds: Double, allocations: Double, windows: Int) {
        var spent = (seconds: 0.0, allocations: 0.0, windows: 0)
        for _ in 0..<seconds {
            crowd.pass()
            if pipeline != nil { write() }
            spent.windows += crowd.windows.count
            let (begin, asked) = (bench_cpu_seconds(), bench_allocations())
            if pipeline == nil { receive() } else { receiveMessages() }
            spent.seconds += bench_cpu_seconds() - begin
            spent.allocations += Double(bench_allocations() - asked)
        }
        return spent
    }

    /// Hands a second's windows and scans to the household one by one, as a fuser does.
    private mutating func receive() {
        let time = crowd.end.advanced(byMicroseconds: 50_000)
        for window in crowd.windows {
            household?.receive(window, at: time)
            household?.advance(to: time) { _ in told += 1 }
        }
        for node in 0..<crowd.nodes {
            household?.receive(crowd.scan, of: Crowd.node(node), at: time)
            household?.advance(to: time) { _ in told += 1 }
        }
        if !isStill { _ = household?.takeRecord(at: time) }
    }

    private mutating func receiveMessages() {
        let time = crowd.end.advanced(byMicroseconds: 50_000)
        for message in messages { pipeline?.receive(message, at: time, &outbox) }
        pipeline?.advance(to: time, &outbox)
        _ = pipeline?.takeEffects(at: time, remembers: true)
        told += outbox.count
        outbox.removeAll(keepingCapacity: true)
    }

    /// Writes a second's messages.
    private mutating func write() {
        messages.removeAll(keepingCapacity: true)
        for window in crowd.windows {
            let topic = topics.window(beacon: window.item ?? window.id, node: window.node)
            messages.append(message(topic) { window.write(to: &$0) })
        }
        let scan = crowd.scan
        for node in 0..<crowd.nodes { messages.append(message(topics.scan(Crowd.node(node))) { scan.write(to: &$0) }) }
    }

    private func message(_ topic: String, _ write: (inout JSONWriter) -> Void) -> Message {
        var json = JSONWriter()
        write(&json)
        return Message(topic: topic, payload: json.bytes)
    }

    private mutating func furnish(_ node: Int) {
        let info = Crowd.info(node)
        household?.receive(info, of: Crowd.node(node))
        let told = message(topics.nodeInfo(Crowd.node(node))) { info.write(to: &$0) }
        pipeline?.receive(told, at: crowd.end, &outbox)
    }

    /// Has items that lie still teach the rooms, a few at once: for more there is no room to be sure of.
    private mutating func teach() {
        _ = live(2)
        for first in stride(from: 0, to: crowd.nodes, by: Self.lessonsAtOnce) {
            for node in first..<min(first + Self.lessonsAtOnce, crowd.nodes) { learn(from: 2 * node) }
            _ = live(Self.lesson + 2)
        }
        guard let task = household?.takeLearning() else { fatalError("nothing was taught") }
        household?.applyLearned(task.run())
    }

    private mutating func learn(from item: Int) {
        do throws(TeachingFault) {
            _ = try household?.startLesson(
                of: Crowd.item(item), in: "room-\(crowd.room(of: item))", for: .seconds(Self.lesson),
                walk: nil,
                at: crowd.end)
        } catch {
            fatalError("no lesson of \(Crowd.item(item)): \(error)")
        }
    }
}
