import Alerts
import Bytes
import HouseTracking
import Identity
import Integrations
import Metrics
import Testing
import WireProtocol

@testable import Fuser

@Suite("Cloned items: the alert with its evidence, and an answer that does not flap")
struct CloneWatchTests {
    private var fused = Fused()
    private var events: [ItemEvent] = []
    private var second = 0
    private var memory: String?

    init() {
        for node in ["hall", "kitchen"] { fused.info(node) }
        fused.connect(at: 0)
        register("keys")
        live(for: 700)
    }

    private mutating func register(_ item: String) {
        let change = ItemChange(ItemEntry(Item(id: item, identities: [.address(0x0A0A)]), at: Fused.time(0)))
        fused.receive(
            Message(topic: fused.topics.itemConfig(item), payload: change.payload, retained: true), at: 0.2)
    }

    /// Hears the keys once a second; `rooms` gives the room of each second.
    private mutating func live(
        for seconds: Int, returns: Int? = nil, id: String = "0123456789ab",
        hall offset: Double = 0, ahead: Double = 0, in rooms: (Int) -> String = { _ in "kitchen" }
    ) {
        for _ in 0..<seconds {
            second += 1
            for node in ["hall", "kitchen"] {
                let level = (node == rooms(second) ? -50 : -80) + (node == "hall" ? offset : 0)
                let shift = node == "hall" ? ahead : 0
                fused.interval(
                    node, Double(second) + shift, ["keys"], late: 0.1 - shift, level: level, returns: returns, id: id)
            }
            let effects = fused.pipeline.takeEffects(at: Fused.time(Double(second) + 0.5))
            fused.outbox += effects.states
            events += effects.events.map(\.event)
            memory = effects.alerts ?? memory
        }
    }

    private var location: Location? {
        fused.texts(fused.topics.location("keys")).last.flatMap { try? Location(payload: Array($0.utf8).span) }
    }

    private var standing: [ItemAlerts.Alert] {
        let text = fused.texts(fused.topics.itemAlert("keys")).last ?? ""
        return (try? ItemAlerts(payload: Array(text.utf8).span))?.alerts ?? []
    }

    @Test("Two addresses in turn are published with the evidence, explained, and over ten minutes after the last")
    mutating func story() throws {
        #expect(standing.isEmpty && location?.confidence ?? 0 > 0.6)
        live(for: 60, returns: 2)
        let alert = try #require(events.first { $0.kind == .alert })
        #expect(alert.rule == "cloned" && alert.alert == "cloned-keys" && alert.count == 1)
        #expect(alert.evidence?.contains("two addresses") == true)
        #expect(standing.map(\.rule) == ["cloned"] && standing.first?.evidence == alert.evidence)
        #expect(try fused.pipeline.explain("keys", at: Fused.time(Double(second))).cloned == alert.evidence)
        #expect(fused.pipeline.described("keys").hasAlerts)
        live(for: 60)
        #expect(location?.confidence ?? 1 <= 0.5 && location?.room == "kitchen")
        live(for: 600)
        #expect(events.last?.kind == .cleared && events.last?.reason == "over" && standing.isEmpty)
        live(for: 60)
        #expect(location?.confidence ?? 0 > 0.6)
    }

    @Test("While it is suspected, an item that seems to jump every few seconds stays in its room")
    mutating func staysInItsRoom() {
        live(for: 30, returns: 2)
        let moves = events.count { $0.kind.isMove }
        live(for: 300, returns: 2) { second in second / 15 % 2 == 0 ? "hall" : "kitchen" }
        #expect(events.count { $0.kind.isMove } == moves)
        live(for: 150, returns: 2) { _ in "hall" }
        #expect(location?.room == "hall", "one that stays elsewhere is followed, a minute later")
    }

    @Test("Of an item that is heard by its key as well, the key alone counts, and the confidence stays")
    mutating func leansOnTheKey() {
        live(for: 30, returns: 2)
        for _ in 0..<100 {
            live(for: 1, id: "irk:keys")
            live(for: 1, returns: 2) { _ in "hall" }
        }
        #expect(location?.room == "kitchen" && location?.confidence ?? 0 > 0.6)
    }

    @Test("A node whose clock is wrong hides no clone", arguments: [3600.0, -690])
    mutating func wrongClock(ahead: Double) {
        live(for: 60, ahead: ahead)
        live(for: 60, returns: 2, ahead: ahead)
        #expect(standing.map(\.rule) == ["cloned"])
    }

    @Test("Windows of a wrong time hide no clone where no scan tells the node's offset")
    mutating func wrongClockWithoutScans() {
        for _ in 0..<20 {
            live(for: 5, returns: 2)
            fused.window("hall", Double(second) + 3600, of: "keys", at: Double(second) + 0.6)
        }
        #expect(standing.map(\.rule) == ["cloned"])
    }

    @Test("A node whose offset is changed makes no clone of what it hears louder from then on")
    mutating func offset() {
        live(for: 1200)
        #expect(standing.isEmpty)
        fused.info("hall", offset: 30)
        live(for: 60, hall: 30)
        #expect(standing.isEmpty && location?.confidence ?? 0 > 0.6)
    }

    @Test("Silence holds the alert back")
    mutating func silenced() throws {
        _ = try fused.pipeline.silence("keys", for: .seconds(1000), at: Fused.time(Double(second)))
        live(for: 60, returns: 2)
        #expect(!events.contains { $0.kind == .alert })
    }

    @Test("An alert of an earlier run ends where this one finds no clone within ten minutes")
    mutating func restart() throws {
        live(for: 60, returns: 2)
        let memory = try #require(memory)
        fused = Fused(alertMemory: memory)
        for node in ["hall", "kitchen"] { fused.info(node) }
        fused.connect(at: Double(second))
        register("keys")
        live(for: 30)
        #expect(standing.map(\.rule) == ["cloned"])
        live(for: 620)
        #expect(standing.isEmpty && events.last { $0.alert != nil }?.kind == .cleared)
    }

    @Test("Windows of items without a place are counted and warned of at each power of ten; the others are watched on")
    mutating func full() {
        let (clones, turn) = (
            fused.pipeline.clones, Turn(at: Fused.time(Double(second)), in: fused.pipeline.house)
        )
        func hear(_ item: String) {
            let window = Window(
                seq: 1, from: Fused.time(0), to: Fused.time(1), node: "hall", epoch: "e", id: "0123456789ab",
                item: item, count: 1)
            clones.windowAccepted(window, of: item, isRegistered: true, turn)
        }
        func samples(_ pipeline: FuserPipeline) -> [MetricFamily.Sample]? {
            pipeline.metrics.first { $0.name == "whereabouts_clone_windows_dropped_total" }?.samples
        }
        func words(_ pipeline: FuserPipeline) -> [String] {
            pipeline.takeComplaints().filter { $0.key == "clones left out" }.map(\.words)
        }
        // The keys have a place.
        for number in 1..<20_000 { hear("item-\(number)") }
        #expect(samples(fused.pipeline) == [MetricFamily.Sample(.number(0))] && words(fused.pipeline).isEmpty)
        hear("late")
        let one = "not watched for clones so far: 1 or more windows of more items or nodes than there is room for"
        #expect(words(fused.pipeline) == [one])
        for _ in 0..<8 { hear("late") }
        #expect(samples(fused.pipeline) == [MetricFamily.Sample(.number(9))] && words(fused.pipeline).isEmpty)
        hear("late")
        #expect(words(fused.pipeline).count == 1)
        live(for: 60, returns: 2)
        #expect(standing.map(\.rule) == ["cloned"])
    }

    @Test("Items that nobody registered are not watched, nor any where that is switched off")
    func unwatched() {
        var fused = Fused()
        fused.info("kitchen")
        for second in 1...900 {
            fused.interval("kitchen", Double(second), ["keys"], returns: second > 700 ? 2 : nil)
        }
        #expect(fused.texts(fused.topics.itemAlert("keys")).isEmpty)
    }
}
