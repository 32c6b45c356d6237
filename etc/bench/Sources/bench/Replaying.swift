import Advertising
import Agent
import Bytes
import CBench
import Captures
import Identity
import WireProtocol

/// From HCI events to published windows: the road of a packet through a node.
struct Replaying {
    private static let beacons = 500
    private static let reports = 200_000

    let options: Options

    func run(_ report: inout Report) {
        report.begin("From capture to windows (processor time, one core)")
        report.say("500 registered beacons, 1,000 reports/s, half extended, windows of 1 s with their JSON")
        let events = Synthetic(beacons: Self.beacons, reports: Self.reports, perSecond: 1000, seed: 7)
        let registry = Synthetic.registry(of: Self.beacons)
        let path = "\(options.scratch)/synthetic.btsnoop"
        write(events, to: path)
        var memory = Series()
        var file = Series()
        var windows = Series()
        for _ in 0..<options.repetitions {
            var pipeline = Self.pipeline(registry, all: false)
            var begin = bench_cpu_seconds()
            let made = Self.feed(events, &pipeline)
            let seconds = bench_cpu_seconds() - begin
            memory.add(Double(Self.reports) / seconds)
            windows.add(Double(made) / seconds)
            begin = bench_cpu_seconds()
            let read = Self.replay(path, registry, all: false)
            file.add(Double(read) / (bench_cpu_seconds() - begin))
        }
        report.add("from a btsnoop file", "reports/s", file, atLeast: 1_000_000)
        report.add("from memory", "reports/s", memory)
        report.add("from memory", "messages/s", windows)
        let (perReport, perMessage) = Self.allocations(events, registry)
        report.add("allocations between windows", "a report", perReport, atMost: 0)
        report.add("allocations for a message", "a message", perMessage)
        shared(&report)
    }

    /// Recordings that a clone need not have.
    private func shared(_ report: inout Report) {
        guard let folder = options.captures else { return }
        for name in ["epfl-crowd-01", "epfl-crowd-15", "epfl-crowd-18"] {
            let path = "\(folder)/\(name).btsnoop"
            guard bench_exists(path) != 0 else { continue }
            var series = Series()
            for _ in 0..<options.repetitions {
                let begin = bench_cpu_seconds()
                let read = (0..<5).reduce(0) { sum, _ in sum + Self.replay(path, Registry(), all: true) }
                series.add(Double(read) / (bench_cpu_seconds() - begin))
            }
            report.add("\(name), publish: all", "reports/s", series)
        }
    }

    private static func pipeline(_ registry: Registry, all: Bool) -> NodePipeline {
        var settings = NodeSettings(node: "kitchen", version: "bench", adapter: "replay")
        settings.publishesAll = all
        return NodePipeline(
            settings: settings, registry: registry, epoch: "5f1c09aa", started: Timestamp(microseconds: 0))
    }

    /// Feeds all events; how many messages came out.
    private static func feed(_ events: Synthetic, _ pipeline: inout NodePipeline) -> Int {
        var outbox: [Message] = []
        var made = 0
        let bytes = events.bytes.span
        for index in 0..<events.count {
            pipeline.receive(bytes.extracting(events.event(index)), at: events.times[index], &outbox)
            if !outbox.isEmpty {
                made += outbox.count
                outbox.removeAll(keepingCapacity: true)
            }
        }
        pipeline.finish(&outbox)
        return made + outbox.count
    }

    /// Replays a file; how many reports it held.
    private static func replay(_ path: String, _ registry: Registry, all: Bool) -> Int {
        var pipeline = pipeline(registry, all: all)
        var outbox: [Message] = []
        do throws(CaptureError) {
            var reader = try CaptureReader(path: path)
            while let packet = try reader.next() {
                guard packet.kind == .event, let time = packet.time else { continue }
                reader.withBytes { pipeline.receive($0, at: time, &outbox) }
                if !outbox.isEmpty { outbox.removeAll(keepingCapacity: true) }
            }
        } catch {
            print("\(path): \(error)")
        }
        pipeline.finish(&outbox)
        return Int(pipeline.counters.reports)
    }

    /// Allocations a report in intervals that stay open, and a message where one ends, after ten seconds to warm up.
    private static func allocations(_ events: Synthetic, _ registry: Registry) -> (Double, Double) {
        var pipeline = pipeline(registry, all: false)
        var outbox: [Message] = []
        outbox.reserveCapacity(4096)
        let bytes = events.bytes.span
        var (open, reports, ending, messages) = (0, 0, 0, 0)
        for index in 0..<40_000 {
            let before = bench_allocations()
            pipeline.receive(bytes.extracting(events.event(index)), at: events.times[index], &outbox)
            let asked = Int(bench_allocations() - before)
            if index >= 10_000 {
                if outbox.isEmpty {
                    open += asked
                    reports += 1
                } else {
                    ending += asked
                    messages += outbox.count
                }
            }
            outbox.removeAll(keepingCapacity: true)
        }
        return (Double(open) / Double(reports), Double(ending) / Double(messages))
    }

    private func write(_ events: Synthetic, to path: String) {
        do throws(CaptureError) {
            var writer = try CaptureWriter(path: path)
            for index in 0..<events.count {
                try writer.append(
                    events.bytes.span.extracting(events.event(index)), kind: .event, direction: .received,
                    time: events.times[index])
            }
            try writer.close()
        } catch {
            fatalError("\(path): \(error)")
        }
    }
}
