import Bytes
import HouseTracking
import Identity
import Integrations
import Metrics
import Store
import Support
import System
import Testing
import WireProtocol

@testable import Fuser

@Suite("Batteries of items: published, kept and handed over")
struct BatteryPublisherTests {
    private static let day = 86_400.0

    /// Hears the keys once an hour, for so many days.
    private func run(_ fused: inout Fused, days: ClosedRange<Double>, _ millivolts: (Double) -> Double) {
        for hour in Int(days.lowerBound * 24)..<Int(days.upperBound * 24) {
            let end = Double(hour) * 3600 + 60
            let level = Int((millivolts(end / Self.day) / 10).rounded() * 10)
            fused.interval("kitchen", end, ["keys"], telemetry: Telemetry(batteryMillivolts: level))
        }
    }

    private func report(_ fused: Fused, _ item: String = "keys") throws -> BatteryReport? {
        guard let text = fused.texts(fused.topics.itemBattery(item)).last, !text.isEmpty else { return nil }
        return try BatteryReport(payload: Array(text.utf8).span)
    }

    private func fused(_ name: String = "main", _ memory: [String: String] = [:]) -> Fused {
        var fused = Fused(name, batteryMemory: memory, counting: .items)
        fused.info("kitchen")
        fused.connect(at: 0.5)
        return fused
    }

    @Test("A low battery is published with its first reading, and a new one within two hours")
    func published() throws {
        var fused = fused()
        run(&fused, days: 0...0.1) { _ in 2450 }
        let low = try #require(try report(fused))
        #expect(low.grade == .thisWeek && low.reason == .low && low.millivolts == 2450 && low.fuser == "main")
        run(&fused, days: 0.1...0.4) { _ in 3000 }
        let new = try #require(try report(fused))
        #expect(new.grade == .fine && new.reason == .new && new.levels.isEmpty)
        #expect(fused.pipeline.described("keys").hasBattery)
    }

    @Test("Of an item that says nothing of its battery nothing is published")
    func silentOnes() throws {
        var fused = fused()
        for hour in 0..<30 { fused.interval("kitchen", Double(hour) * 3600 + 1, ["keys"]) }
        #expect(try report(fused) == nil && !fused.pipeline.described("keys").hasBattery)
    }

    @Test("What a battery was like outlasts a restart, and a kill costs the hours of a day at most")
    func restart() throws {
        let folder = try TemporaryFolder()
        func open(_ days: Double) throws -> FuserMemory {
            try FuserMemory(
                path: folder.file("fuser.sqlite"), history: .seconds(86400), at: Fused.time(days * Self.day),
                log: Log(level: .error, style: .plain, descriptor: 2))
        }
        var before: BatteryReport?
        do {
            let memory = try open(0)
            var fused = fused()
            for day in 0..<12 {
                run(&fused, days: Double(day)...Double(day + 1)) { 2900 - $0 * 9 }
                let now = Fused.time(Double(day + 1) * Self.day)
                _ = memory.persistEffects(fused.pipeline.takeEffects(at: now), at: now)
            }
            before = try report(fused)
            #expect(before?.grade == .thisMonth && before?.levels.count == 12)
            memory.close(at: Fused.time(12 * Self.day))
        }
        let memory = try open(12)
        let rows = memory.batteries()
        #expect(rows.keys.sorted() == ["keys"])
        var again = fused("main", rows)
        run(&again, days: 12.1...12.2) { 2900 - $0 * 9 }
        let after = try #require(try report(again))
        #expect(after.grade == before?.grade && after.reason == before?.reason)
        #expect(after.levels.prefix(12) == before?.levels.prefix(12) && after.since == before?.since)
        memory.close(at: Fused.time(13 * Self.day))
    }

    @Test("A new standby learns the days before from what the broker retains, and publishes them when it takes over")
    func handover() throws {
        var first = fused("a")
        run(&first, days: 0...9) { 2900 - $0 * 9 }
        let topic = first.topics.itemBattery("keys")
        let payload = try #require(first.outbox.last { $0.topic == topic }).payload
        var second = fused("b")
        second.pipeline.serveShards(ShardSet(), after: [:], at: Fused.time(9 * Self.day), &second.outbox)
        second.receive(Message(topic: topic, payload: payload, retained: true), at: 9 * Self.day)
        run(&second, days: 9...9.5) { 2900 - $0 * 9 }
        #expect(second.texts(topic).isEmpty, "another serves it")
        second.pipeline.serveShards(ShardSet.all, after: [:], at: Fused.time(9.5 * Self.day), &second.outbox)
        let report = try #require(try report(second))
        #expect(report.fuser == "b" && report.levels.count >= 8 && report.days != nil)
    }

    @Test("What another fuser wrote over it is published again by the one that serves it")
    func overwritten() throws {
        var fused = fused()
        run(&fused, days: 0...0.5) { _ in 2450 }
        let topic = fused.topics.itemBattery("keys")
        let count = fused.texts(topic).count
        var foreign = try #require(try report(fused))
        (foreign.fuser, foreign.grade) = ("other", .fine)
        var json = JSONWriter()
        foreign.write(to: &json)
        fused.receive(Message(topic: topic, payload: json.bytes), at: 0.5 * Self.day)
        fused.pipeline.repeatOverwritten(beside: [:], at: Fused.time(0.5 * Self.day), &fused.outbox)
        #expect(fused.texts(topic).count == count + 1)
        #expect(try report(fused)?.fuser == "main")
    }

    /// Registers the keys.
    private func register(_ item: Item, in fused: inout Fused) {
        let change = ItemChange(ItemEntry(item, at: Fused.time(1)))
        fused.receive(
            Message(topic: fused.topics.itemConfig(item.id), payload: change.payload, retained: true), at: 1)
    }

    @Test("Windows of long ago, and those of a node without a place, do not take back that an item is silent")
    func oldWindows() throws {
        var fused = fused()
        register(Item(id: "keys", identities: [.address(0x0A0A)]), in: &fused)
        run(&fused, days: 0...0.5) { _ in 2450 }
        let begin = 0.5 * Self.day
        for step in 0...312 { fused.interval("kitchen", begin + Double(step) * 300, []) }
        #expect(try report(fused)?.reason == .silent)
        let now = begin + 312 * 300
        fused.window("kitchen", begin - 3600, of: "keys", at: now + 1)
        fused.window("garage", now + 1, of: "keys", at: now + 1.1)
        #expect(try report(fused)?.reason == .silent)
        fused.window("kitchen", now + 2, of: "keys", at: now + 2.1)
        #expect(try report(fused)?.reason == .low)
    }

    @Test("The tags of an item name its battery")
    func cell() throws {
        var fused = fused()
        var item = Item(id: "keys", identities: [.address(0x0A0A)])
        item.tags = ["battery-2xaa"]
        register(item, in: &fused)
        run(&fused, days: 0.1...0.5) { _ in 2480 }
        let report = try #require(try report(fused))
        #expect(report.cell == "2xaa" && report.grade == .fine)
    }

    @Test("Metrics count batteries by grade, and name items only if they are asked to")
    func metrics() {
        var fused = fused()
        run(&fused, days: 0...10) { 2900 - $0 * 9 }
        let names = fused.pipeline.batteries.metrics.map(\.name)
        #expect(names.contains("whereabouts_batteries") && names.contains("whereabouts_item_battery_volts"))
        var plain = Fused()
        plain.info("kitchen")
        run(&plain, days: 0...0.5) { _ in 2450 }
        #expect(
            plain.pipeline.batteries.metrics.map(\.name) == [
                "whereabouts_batteries", "whereabouts_battery_messages_dropped_total",
            ])
    }

    @Test("What comes of items without a place is counted and warned of; the batteries of others are followed on")
    func full() throws {
        let row = "1 - - - - - - 0 0 -;-"
        var fused = fused("main", ["item-7": row, "item-8": row])
        fused.pipeline.batteries.capacity = 2
        register(Item(id: "keys", identities: [.address(0x0A0A)]), in: &fused)
        func samples(_ fused: Fused) -> [MetricFamily.Sample]? {
            fused.pipeline.metrics.first { $0.name == "whereabouts_battery_messages_dropped_total" }?.samples
        }
        #expect(samples(fused) == [MetricFamily.Sample(.number(0))])
        for second in 2...4 { fused.window("kitchen", Double(second), of: "keys", at: Double(second) + 0.1) }
        #expect(samples(fused) == [MetricFamily.Sample(.number(3))])
        let words = fused.pipeline.takeComplaints().filter { $0.key == "batteries left out" }.map(\.words)
        let left = "1 or more windows, readings and reports of more items than there is room for"
        #expect(words == ["left out of batteries so far: \(left)"])
        #expect(fused.pipeline.takeComplaints().isEmpty)
        fused.interval("kitchen", 5, ["item-7"], telemetry: Telemetry(batteryMillivolts: 2450))
        #expect(try report(fused, "item-7")?.reason == .low)
        #expect(samples(fused) == [MetricFamily.Sample(.number(3))])
    }
}
