public import Bytes

/// A world made from a scenario: the receptions of each node, and the true places of all items.
///
/// A pure function of scenario and simulated time. Any interval can be requested at once, in any order and by any
/// process. The answer is always the same, and that of an interval consists of those of its parts.
///
///     let house = try SimulatedHouse(scenario)
///     house.receptions(node: "kitchen", from: window.from, until: window.to) { time, event in … }
public struct SimulatedHouse: Sendable {
    /// The scenario of the house.
    public let scenario: Scenario
    let plan: SimulatedPlan
    let wanderers: [Wanderer]
    let emitters: [Emitter]
    let propagation: Propagation
    private let scanners: [String: SimulatedScanner]
    private let air: RandomStream

    /// Builds a house. Throws all faults of an invalid scenario.
    public init(_ scenario: Scenario) throws(InvalidScenario) {
        let faults = scenario.validate()
        guard faults.isEmpty else { throw InvalidScenario(faults: faults) }
        self.scenario = scenario
        let stream = RandomStream(seed: scenario.seed)
        let plan = SimulatedPlan(scenario, stream: stream.child("doors"))
        let routes = WalkingRoutes(plan)
        self.plan = plan
        let walkers = stream.child("walkers")
        wanderers = scenario.walkers.map { Wanderer($0, routes: routes, stream: walkers) }
        let indices = Dictionary(uniqueKeysWithValues: scenario.walkers.enumerated().map { ($1.id, $0) })
        let beacons = stream.child("beacons")
        emitters = scenario.beacons.map { Emitter($0, walkers: indices, stream: beacons) }
        let nodes = stream.child("nodes")
        scanners = Dictionary(
            uniqueKeysWithValues: scenario.nodes.map {
                ($0.id, SimulatedScanner($0, plan: plan, radio: scenario.radio, stream: nodes))
            })
        air = stream.child("air")
        propagation = Propagation(scenario, plan: plan)
    }

    /// Passes on, in order of time, the HCI events of a node's adapter in `from ..< until` of simulated time.
    ///
    /// Each is one LE Advertising Report event with one report, from the event code (0x3e) to the RSSI; the bytes are
    /// valid during the call only. A node that isn't in the scenario receives nothing. Times are those of the world:
    /// they stop at 100,000 years from the epoch.
    public func receptions(
        node: String, from: Timestamp, until: Timestamp, _ body: (Timestamp, Span<UInt8>) -> Void
    ) {
        guard let scanner = scanners[node] else { return }
        let links = scenario.beacons.map { Link(beacon: $0.id, node: node, radio: scenario.radio, stream: air) }
        let end = Self.bounded(until)
        var start = Self.bounded(from)
        var motion = WalkerPositions(wanderers)
        var heard: [Reception] = []
        // A second at a time: little memory, and enough to sort.
        while start < end {
            let stop = min(start.advanced(by: .seconds(1)), end)
            heard.removeAll(keepingCapacity: true)
            for index in emitters.indices {
                addReceptions(
                    index, over: links[index], by: scanner, from: start, until: stop, motion: &motion, into: &heard)
            }
            heard.sort { ($0.time, $0.emitter) < ($1.time, $1.emitter) }
            for reception in heard {
                let bytes = emitters[reception.emitter].transmitter.event(reception.number, level: reception.level)
                body(reception.time, bytes.span)
            }
            start = stop
        }
    }

    private struct Reception {
        let time: Timestamp
        let emitter: Int
        let number: Int64
        let level: Int8
    }

    private func addReceptions(
        _ index: Int, over link: Link, by scanner: SimulatedScanner, from start: Timestamp, until end: Timestamp,
        motion: inout WalkerPositions, into heard: inout [Reception]
    ) {
        let emitter = emitters[index]
        // An advertising event's last packet comes two steps after its first.
        var number = emitter.transmitter.first(from: start.advanced(byMicroseconds: -2 * SimulatedScanner.channelStep))
        while true {
            let sent = emitter.transmitter.time(of: number)
            if sent >= end { return }
            defer { number += 1 }
            guard let (channel, time) = scanner.hearing(of: sent), time >= start, time < end else { continue }
            let (place, facing, walker) = emitter.state(at: time, motion: &motion)
            var level = emitter.power + scanner.gain(at: time)
            level -= propagation.loss(
                from: place, facing: facing, walker: walker, to: scanner, at: time, motion: &motion)
            level += link.chance(number, channel: channel, from: place, at: time)
            guard link.isReceived(number, level: level, isDrowned: scanner.isDrowned(at: time)) else { continue }
            let reported = Int8(min(20, max(-127, level.rounded())))
            heard.append(Reception(time: time, emitter: index, number: number, level: reported))
        }
    }

    /// A time within the limits of the world's arithmetic.
    static func bounded(_ time: Timestamp) -> Timestamp {
        Timestamp(microseconds: min(3_200_000_000_000_000_000, max(-3_200_000_000_000_000_000, time.microseconds)))
    }
}
