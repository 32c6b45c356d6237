import Advertising
import BeaconFrames
import Bytes
import CBench

/// From an HCI event to an iBeacon's fields, against what Python programs use.
struct Decoding {
    let options: Options

    func run(_ report: inout Report) {
        report.begin("Decoding an iBeacon advertisement, legacy (processor time)")
        report.say("ours: HCI event to report, AD structures, and all iBeacon fields")
        let fresh = Synthetic(beacons: 4096, reports: 4096, perSecond: 1000, seed: 1, extended: false)
        let extended = Synthetic(beacons: 500, reports: 4096, perSecond: 1000, seed: 1)
        var allocations = Series()
        var own = Series()
        var mixed = Series()
        var peers = self.peers(fresh)
        _ = Self.time(fresh, rounds: 50)
        for _ in 0..<options.repetitions {
            let before = bench_allocations()
            let nanoseconds = Self.time(fresh, rounds: 400)
            allocations.add(Double(bench_allocations() - before) / Double(400 * fresh.count))
            own.add(nanoseconds)
            for index in peers.indices { peers[index].measure() }
            mixed.add(Self.time(extended, rounds: 200))
        }
        report.add("ours", "ns", own, atMost: 60)
        report.add("ours, half of them extended reports", "ns", mixed)
        report.add("ours: allocations", "an event", allocations, atMost: 0)
        for peer in peers where !peer.series.values.isEmpty {
            report.add(peer.name, "ns", peer.series)
            report.add("  over ours, pair by pair", "times", peer.series.over(own), atLeast: peer.budget)
        }
        if peers.isEmpty { report.say("no peer was measured: PyPI could not be reached, or was not asked") }
        for peer in peers { report.say("\(peer.name): \(peer.work)") }
    }

    private func peers(_ events: Synthetic) -> [Peer] {
        guard let python = options.python, let script = options.peer else { return [] }
        let all = "\(options.scratch)/events.hex"
        let few = "\(options.scratch)/few-events.hex"
        write(events, events.count, to: all)
        write(events, 256, to: few)
        return [
            Peer(
                "bluetooth-data-tools",
                "AD structures to manufacturer data by compiled code; no event, no iBeacon field",
                rounds: 40, budget: 10, Child([python, script, "bluetooth-data-tools", all], quiet: true)),
            Peer(
                "bluetooth-data-tools, seen before", "256 payloads that its cache answers, which is no decoding",
                rounds: 640, budget: nil, Child([python, script, "bluetooth-data-tools", few], quiet: true)),
            Peer(
                "bleparser", "HCI packet to dictionaries with iBeacon fields and texts, in Python", rounds: 4,
                budget: 10,
                Child([python, script, "bleparser", all], quiet: true)),
        ]
    }

    private func write(_ events: Synthetic, _ count: Int, to path: String) {
        var text: [UInt8] = []
        for index in 0..<count {
            Hex.append(events.bytes.span.extracting(events.event(index)), to: &text)
            text.append(0x0A)
        }
        if bench_write(path, text, text.count) != 0 { fatalError("cannot write \(path)") }
    }

    /// Nanoseconds of processor time an event.
    private static func time(_ events: Synthetic, rounds: Int) -> Double {
        var decoder = AdvertisingReportDecoder()
        var sum = 0
        let bytes = events.bytes.span
        let now = events.times[0]
        let begin = bench_cpu_seconds()
        for _ in 0..<rounds {
            for index in 0..<events.count { sum &+= decode(bytes.extracting(events.event(index)), &decoder, now) }
        }
        let seconds = bench_cpu_seconds() - begin
        // What nobody reads, the optimiser needn't compute.
        if sum == 1 { print("") }
        precondition(decoder.counters.reports == UInt64(rounds * events.count))
        return seconds / Double(rounds * events.count) * 1e9
    }

    @inline(never)
    private static func decode(
        _ event: Span<UInt8>, _ decoder: inout AdvertisingReportDecoder, _ time: Timestamp
    ) -> Int {
        var sum = 0
        try? decoder.decode(event, at: time) { report, data in
            BeaconFrame.decode(data: data) { frame in
                guard case .iBeacon(let beacon) = frame else { return }
                sum &+= Int(truncatingIfNeeded: beacon.uuid.high &+ beacon.uuid.low &+ report.address.bits)
                sum &+= Int(beacon.major) &+ Int(beacon.minor) &+ Int(beacon.measuredPower) &+ Int(report.rssi ?? 0)
            }
        }
        return sum
    }
}

/// A peer that is asked in turn with us.
private struct Peer {
    let name: String
    let work: String
    let budget: Double?
    private let rounds: Int
    private let child: Child?
    private(set) var series = Series()

    init(_ name: String, _ work: String, rounds: Int, budget: Double?, _ child: Child?) {
        (self.name, self.work, self.rounds, self.budget, self.child) = (name, work, rounds, budget, child)
    }

    mutating func measure() {
        if let (nanoseconds, _) = child?.ask("go \(rounds)") { series.add(nanoseconds) }
    }
}
