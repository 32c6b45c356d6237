import Advertising
import BeaconFrames
import Bytes
import Identity
import Presence
import WireProtocol

/// What one rule made of one life.
struct Score {
    /// Exits of a beacon that was there.
    var falseExits = 0
    /// Departures, and those of them that weren't told before the return.
    var departures = 0
    var missed = 0
    /// Seconds from the last packet to the exit, of true departures.
    var delays: [Double] = []

    var median: Double { delays.isEmpty ? 0 : delays.sorted()[delays.count / 2] }
    var longest: Double { delays.max() ?? 0 }
}

/// A constant exit time on the packets as they come.
struct Constant {
    let seconds: Double
    var score = Score()
    var last: Double?

    mutating func hear(_ time: Double) {
        if let last, time - last > seconds { score.falseExits += 1 }
        last = time
    }

    /// The beacon has left, and comes back at `arrival`.
    mutating func absence(from departure: Double, to arrival: Double) {
        guard let last else { return }
        if last + seconds < departure {
            // It had been given up before: an exit that was none, and nothing to tell now.
            score.falseExits += 1
        } else {
            score.departures += 1
            if last + seconds < arrival { score.delays.append(seconds) } else { score.missed += 1 }
        }
        self.last = nil
    }
}

/// A region monitor that watches the beacon as an item's region.
struct Trial {
    static let id = BeaconID.iBeacon(uuid: BeaconUUID(high: 1, low: 2), major: 3, minor: 4)
    static let hour: Int64 = 3_600_000_000

    var monitor: RegionMonitor
    var score = Score()
    /// Departures whose exit came later than the rule's time and a second.
    var late = 0
    var transitions: [Transition] = []
    private let beacon: IdentityResolver.Resolution
    private var absences: [(departure: Double, arrival: Double)] = []

    init(expectedInterval: Duration? = nil) {
        let item = Item(id: "keys", identities: [Self.id], expectedInterval: expectedInterval)
        let registry = Registry(items: [item], regions: [Region(id: "keys", members: .item("keys"))])
        monitor = RegionMonitor(registry: registry, at: Timestamp(microseconds: 0))
        var resolver = IdentityResolver(registry: registry)
        beacon = resolver.resolve(
            address: .init(0xC0FFEE, .random), frames: (Self.id, nil), at: Timestamp(microseconds: 0))
    }

    mutating func hear(_ time: Double, _ level: Int8, now: Bool = true) {
        var hearing = Sighting(beacon: beacon, time: Self.at(time))
        hearing.rssi = level
        transitions.removeAll(keepingCapacity: true)
        monitor.receive(hearing, &transitions)
        judge(absence: nil)
    }

    /// Lets the absence pass: timers fire as they fall due.
    mutating func absence(from departure: Double, to arrival: Double) {
        transitions.removeAll(keepingCapacity: true)
        let rule = monitor.report(of: 0).exitAfter
        let wasInside = monitor.report(of: 0).state == .inside
        monitor.advance(to: Self.at(arrival), &transitions)
        judge(absence: (departure, rule))
        guard wasInside else { return }
        if !transitions.contains(where: { $0.kind == .exit }) {
            score.departures += 1
            score.missed += 1
        }
    }

    private mutating func judge(absence: (departure: Double, rule: Double)?) {
        for transition in transitions where transition.kind == .exit {
            guard let absence, transition.at >= Self.at(absence.departure) else {
                score.falseExits += 1
                continue
            }
            score.departures += 1
            let delay = transition.at.seconds(since: transition.notBefore)
            score.delays.append(delay)
            if delay > absence.rule + 1 { late += 1 }
        }
    }

    static func at(_ seconds: Double) -> Timestamp { Timestamp(microseconds: Int64(seconds * 1e6)) }
}
