import Advertising
import Bytes
import CloneDetection
import Simulation

/// False alarms in houses drawn at random, with twelve items each that nobody clones.
struct Houses {
    let count: Int
    let seconds: Int
    let seed: UInt64
    private(set) var alerts: [String: Int] = [:]

    init(count: Int, seconds: Int, seed: UInt64) { (self.count, self.seconds, self.seed) = (count, seconds, seed) }

    /// The number of all of them, and the hours of all houses together.
    var falseAlarms: Int { alerts.values.reduce(0, +) }
    var hours: Double { Double(count * seconds) / 3600 }

    mutating func run() throws {
        let begin = Timestamp(microseconds: 1_795_248_000_000_000)
        for index in 0..<count {
            var scenario = Scenario.random(seed: seed &* 1_000_003 &+ UInt64(index), beacons: 12)
            for beacon in scenario.beacons.indices {
                scenario.beacons[beacon].address = .fixed(DeviceAddress(0xC000_0000_0000 | UInt64(beacon), .random))
                scenario.beacons[beacon].telemetryInterval = nil
            }
            var packets = [[Heard]](repeating: [], count: scenario.beacons.count)
            let world = try SimulatedHouse(scenario)
            for node in scenario.nodes {
                world.receptions(node: node.id, from: begin, until: begin.advanced(bySeconds: Double(seconds))) {
                    time, event in
                    // One report an event: the address follows its head, and the level is last.
                    let item = Int(event[6]) | Int(event[7]) << 8
                    let beacon = scenario.beacons[item]
                    packets[item].append(
                        Heard(
                            at: time.seconds(since: begin), node: node.id,
                            level: Double(Int8(bitPattern: event[event.count - 1])),
                            power: Int(beacon.claimedPower ?? Int8(beacon.power.rounded()))))
                }
            }
            var watcher = HouseWatcher()
            for (second, item, evidence) in watcher.hear(packets.map { $0.sorted { $0.at < $1.at } }, seconds: seconds)
            {
                alerts[Report.kind(evidence), default: 0] += 1
                print("  house \(index), \(scenario.beacons[item].id), minute \(second / 60): \(evidence.text)")
            }
        }
    }
}
