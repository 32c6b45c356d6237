import Agent
import Bytes
import CBench
import Glibc
import Identity
import MQTT
import WireProtocol

/// Windows through a real broker, from publisher to subscriber, against a bare pair of libmosquitto clients.
struct Publishing {
    private static let messages = 20_000
    /// How many messages may be on their way.
    private static let underway = 2000

    let options: Options

    func run(_ report: inout Report) {
        report.begin("Windows through the broker (mosquitto, QoS 0, publisher and subscriber in one process)")
        let port = bench_free_port()
        guard let broker = broker(port) else { return report.say("mosquitto is not installed: not measured") }
        defer { withExtendedLifetime(broker) {} }
        let windows = Self.windows()
        guard let pair = Pair(port: port) else { return report.say("the broker could not be reached: not measured") }
        let size = windows.reduce(0) { $0 + $1.payload.count } / windows.count
        let bare = options.barePair.flatMap { Child([$0, "\(port)", "\(size)"]) }
        var (own, ownCPU, its, itsCPU) = (Series(), Series(), Series(), Series())
        for _ in 0..<options.repetitions {
            guard let (rate, cpu) = pair.send(windows, Self.messages, underway: Self.underway) else {
                return report.say("messages were lost: not measured")
            }
            own.add(rate)
            ownCPU.add(cpu)
            if let (rate, cpu) = bare?.ask("go \(Self.messages)") {
                its.add(rate)
                itsCPU.add(cpu)
            }
        }
        report.say("\(windows.count) windows of \(size) bytes on average, \(Self.messages) messages a repetition")
        report.add("ours", "windows/s", own)
        report.add("ours: processor time, both ends", "µs a window", ownCPU)
        guard !its.values.isEmpty else { return report.say("no bare pair was measured") }
        report.add("bare libmosquitto", "messages/s", its)
        report.add("bare: processor time, both ends", "µs a message", itsCPU)
        report.add("ours over bare, messages/s, pair by pair", "times", own.over(its))
        report.add("ours over bare, processor time", "times", ownCPU.over(itsCPU))
    }

    /// A broker that ends with this value.
    private func broker(_ port: Int32) -> Child? {
        let path = "\(options.scratch)/mosquitto.conf"
        let text = """
            listener \(port) 127.0.0.1
            allow_anonymous true
            persistence false
            max_queued_messages 0

            """
        guard bench_write(path, Array(text.utf8), text.utf8.count) == 0 else { return nil }
        for program in ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/usr/bin/mosquitto"]
        where bench_exists(program) != 0 {
            return Child([program, "-c", path], quiet: true)
        }
        return nil
    }

    /// Real windows of one interval.
    private static func windows() -> [Message] {
        let events = Synthetic(beacons: 500, reports: 8000, perSecond: 1000, seed: 3)
        var pipeline = NodePipeline(
            settings: NodeSettings(node: "kitchen", topicPrefix: "bench", version: "bench", adapter: "replay"),
            registry: Synthetic.registry(of: 500), epoch: "5f1c09aa", started: events.times[0])
        var outbox: [Message] = []
        for index in 0..<events.count {
            pipeline.receive(events.bytes.span.extracting(events.event(index)), at: events.times[index], &outbox)
        }
        return outbox.filter { $0.topic.hasPrefix("bench/windows/") }.suffix(400)
    }
}

/// A publisher and a subscriber.
private final class Pair {
    private let publisher: MQTTClient
    private let subscriber: MQTTClient
    private var events: [MQTTEvent] = []

    /// Connects both; nil where that takes over ten seconds.
    init?(port: Int32) {
        let address = BrokerAddress(host: "127.0.0.1", port: UInt16(port))
        do {
            publisher = try MQTTClient(MQTTConfiguration(address: address, clientID: "bench-publisher"))
            subscriber = try MQTTClient(MQTTConfiguration(address: address, clientID: "bench-subscriber"))
            try subscriber.subscribe([Subscription("bench/windows/+/+/+"), Subscription("bench/ready")])
            try publisher.start()
            try subscriber.start()
        } catch {
            return nil
        }
        // A subscription holds when a message comes back.
        let limit = bench_wall_seconds() + 10
        while bench_wall_seconds() < limit {
            publisher.publish(topic: "bench/ready", payload: [1])
            if received(within: 50) > 0 {
                while received(within: 100) > 0 {}
                return
            }
        }
        return nil
    }

    deinit {
        publisher.stop(timeout: 1)
        subscriber.stop(timeout: 1)
    }

    /// Messages a second of wall time, and microseconds of this process's time a message; nil where one is missing.
    func send(_ messages: [Message], _ count: Int, underway: Int) -> (Double, Double)? {
        var (published, taken) = (0, 0)
        let (wall, cpu) = (bench_wall_seconds(), bench_cpu_seconds())
        while taken < count {
            if bench_wall_seconds() - wall > 60 { return nil }
            while published < count, published - taken < underway {
                guard publisher.publish(messages[published % messages.count]) == .queued else { break }
                published += 1
            }
            taken += received(within: 1)
        }
        let microseconds = (bench_cpu_seconds() - cpu) * 1e6
        return (Double(count) / (bench_wall_seconds() - wall), microseconds / Double(count))
    }

    private func received(within milliseconds: Int32) -> Int {
        bench_wait_readable(subscriber.inboxDescriptor, milliseconds)
        subscriber.takeEvents(into: &events)
        var count = 0
        for case .message in events { count += 1 }
        return count
    }
}

/// A program that measures on demand.
final class Child {
    private var child = bench_child()

    /// Starts it; nil where that fails.
    init?(_ arguments: [String], quiet: Bool = false) {
        let copies = arguments.map { $0.withCString { strdup($0) } }
        defer { for copy in copies { free(copy) } }
        let pointers = copies.map { UnsafePointer($0) } + [nil]
        guard bench_start(pointers, quiet ? 1 : 0, &child) == 0 else { return nil }
    }

    deinit { bench_end(&child) }

    /// Gives it a line; the one or two numbers of its answer, or nil where it is gone.
    func ask(_ line: String) -> (Double, Double)? {
        var (first, second) = (0.0, 0.0)
        return bench_ask(&child, line + "\n", &first, &second) >= 1 ? (first, second) : nil
    }
}
