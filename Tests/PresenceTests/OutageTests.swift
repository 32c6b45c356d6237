import Bytes
import Identity
import Presence
import Support
import Testing
import WireProtocol

@Suite struct OutageTests {
    private let keys = Region(id: "keys", members: .item("keys"), exitAfter: .seconds(30))
    private let phone = Region(id: "phone", members: .item("phone"), exitAfter: .seconds(30))

    /// A record of keys received until 100, and a phone that left at 70.
    private func before() throws -> Watch {
        var watch = Watch(keys, phone)
        try watch.hear(Watch.iBeacon(2), from: 0, to: 40, address: 2)
        try watch.hear(Watch.iBeacon(1), from: 41, to: 100, address: 1)
        _ = watch.takeLines()
        return watch
    }

    @Test("Put nothing into the future for a clock that was set back while stopped")
    func setBack() throws {
        let record = try before().monitor.record
        var watch = Watch(restoring: record, keys, phone, at: 50)
        watch.advance(to: 81)
        #expect(watch.takeLines().contains("80 exit keys keys not before 50"))
    }

    @Test("Ignore a state with other members, and one without its beacons")
    func otherMembers() throws {
        let record = try before().monitor.record
        let other = Region(id: "keys", members: .item("phone"), exitAfter: .seconds(30))
        var watch = Watch(restoring: record, other, at: 1000)
        #expect(watch.monitor.report(of: 0).state == .unknown)
        #expect(watch.monitor.takeChanges().removedRegions == ["phone"])
        var bare = record
        bare.beacons = []
        watch = Watch(restoring: bare, keys, phone, at: 1000)
        #expect(watch.monitor.report(of: 0).state == .unknown)
        #expect(watch.monitor.report(of: 1).state == .outside)
    }

    @Test("Restore from the changes alone")
    func changes() throws {
        var watch = Watch(keys, phone)
        var regions: [String: PresenceRecord.Region] = [:]
        var beacons: [BeaconID: PresenceRecord.Beacon] = [:]
        for step in 0..<40 {
            let start = Double(step) * 10
            if step % 7 < 3 { try watch.hear(Watch.iBeacon(1), from: start, to: start + 9, address: 1) }
            if step % 5 < 2 { try watch.hear(Watch.iBeacon(2), from: start + 9.5, to: start + 9.5, address: 2) }
            let changes = watch.monitor.takeChanges()
            for row in changes.regions { regions[row.id] = row }
            for row in changes.beacons { beacons[row.id] = row }
            #expect(watch.monitor.record.regions.allSatisfy { regions[$0.id] == $0 })
            #expect(watch.monitor.record.beacons.allSatisfy { beacons[$0.id] == $0 })
        }
        #expect(watch.monitor.takeChanges().regions.isEmpty && watch.monitor.takeChanges().beacons.isEmpty)
    }

    @Test("Read a record back from a store unchanged, and reject a truncated row")
    func bytes() throws {
        let all = Region(id: "all", members: .beacons(.iBeacon(uuid: Watch.uuid, major: nil, minor: nil)))
        var watch = Watch(keys, all, phone)
        try watch.hear(Watch.iBeacon(1), from: 0, to: 300, every: 2, address: 1)
        try watch.hear(Watch.eddystone(5), from: 0, to: 300, every: 2, address: 4)
        try watch.hear(Watch.iBeacon(9), from: 301, to: 330, every: 2, address: 9)
        watch.advance(to: 335)
        let record = watch.monitor.record
        #expect(record.beacons.count == 2)
        #expect(record.regions.contains { $0.lastLeft != nil })
        for row in record.beacons {
            let bytes = row.bytes
            #expect(PresenceRecord.Beacon(id: row.id, bytes: bytes.span) == row)
            for length in 0..<70 {
                #expect(PresenceRecord.Beacon(id: row.id, bytes: bytes.span.extracting(0..<length)) != row)
            }
        }
        for row in record.regions {
            let bytes = row.bytes
            #expect(PresenceRecord.Region(id: row.id, bytes: bytes.span) == row)
            for length in 0..<bytes.count {
                #expect(PresenceRecord.Region(id: row.id, bytes: bytes.span.extracting(0..<length)) != row)
            }
        }
        for id in [
            Watch.iBeacon(1), Watch.eddystone(0x0123_4567_89AB), .altBeacon(uuid: Watch.uuid, major: 1, minor: 65_535),
            .address(0xA1),
        ] {
            var row = record.regions[0]
            row.inside = [id]
            #expect(PresenceRecord.Region(id: row.id, bytes: row.bytes.span) == row)
        }
    }

    @Test("Hold all timers while the radio is known to rest")
    func resting() throws {
        var watch = Watch(keys)
        try watch.hear(Watch.iBeacon(1), from: 0, to: 100)
        watch.monitor.stopListening(at: Watch.at(101), &watch.transitions)
        #expect(watch.monitor.nextDeadline == nil)
        watch.advance(to: 1000)
        watch.monitor.resumeListening(at: Watch.at(1000), &watch.transitions)
        #expect(watch.takeLines() == ["0 determined inside keys keys"])
        #expect(watch.monitor.nextDeadline.map { $0 > Watch.at(1000) && $0 <= Watch.at(1029) } == true)
        watch.advance(to: 1028.9)
        #expect(watch.takeLines() == [])
        watch.advance(to: 1029)
        #expect(watch.takeLines() == ["1029 exit keys keys not before 100"])
    }

    @Test("Report no exit and delay none at a step of the wall clock by an hour", arguments: [3600.0, -3600])
    func clockStep(_ step: Double) throws {
        var watch = Watch(keys, at: 10_000)
        try watch.hear(Watch.iBeacon(1), from: 10_000, to: 10_100)
        watch.monitor.clockStepped(by: .seconds(step))
        try watch.hear(Watch.iBeacon(1), from: 10_101 + step, to: 10_110 + step)
        #expect(watch.monitor.report(of: 0).since == Watch.at(10_000 + step))
        watch.advance(to: 10_139.9 + step)
        #expect(watch.takeLines() == ["10000 determined inside keys keys"])
        #expect(watch.monitor.nextDeadline.map { $0 <= Watch.at(10_140 + step) } == true)
        watch.advance(to: 10_140 + step)
        let at = Int(10_140 + step)
        #expect(watch.takeLines() == ["\(at) exit keys keys not before \(at - 30)"])
    }

    @Test(
        "Treat a restart as a radio gap: all that follows is equal to the microsecond",
        arguments: 1...6 as ClosedRange<UInt64>)
    func restartIsAGap(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let all = Region(id: "all", members: .beacons(.iBeacon(uuid: Watch.uuid, major: nil, minor: nil)))
        let keys = Region(id: "keys", members: .item("keys"))
        var one = Watch(keys, all)
        var other = one
        var told: ([Transition], [Transition]) = ([], [])
        var time = 0.0
        for _ in 0..<60 {
            // Each minute or so there is a change: of presence, of cadence, or by a restart of the node.
            let end = time + .random(in: 5...120, using: &random)
            let present = (0..<4).filter { _ in Bool.random(using: &random) }.map { UInt16($0) }
            let interval = [0.3, 1, 4].randomElement(using: &random)!
            while time < end {
                time += interval * .random(in: 0.9...1.1, using: &random)
                for minor in present where Double.random(in: 0..<1, using: &random) > 0.3 {
                    let rssi = Int8.random(in: -75 ... -55, using: &random)
                    try one.hear(time, Watch.iBeacon(minor), address: UInt64(minor), rssi: rssi)
                    try other.hear(time, Watch.iBeacon(minor), address: UInt64(minor), rssi: rssi)
                }
            }
            one.advance(to: time)
            other.advance(to: time)
            let outage = Double.random(in: 1...300, using: &random)
            one.gap(time, time + outage)
            told.1 += other.transitions
            let record = other.monitor.record
            time += outage
            other = Watch(restoring: record, keys, all, at: time)
            told.0 += one.transitions
            one.transitions = []
        }
        let crossings = told.0.filter { $0.kind != .determined }
        #expect(crossings.count > 5)
        #expect(crossings == told.1.filter { $0.kind != .determined })
        #expect(one.monitor.record.regions.map(\.state) == other.monitor.record.regions.map(\.state))
    }

    @Test("Report exits of one moment in the same order before and after a restart, for any order of the stored rows")
    func exitsOfOneMoment() throws {
        let regions = (1...4).map { minor in
            Region(id: "r-\(minor)", members: .beacons(.iBeacon(uuid: Watch.uuid, major: 100, minor: UInt16(minor))))
        }
        let all = Region(id: "all", members: .beacons(.iBeacon(uuid: Watch.uuid, major: nil, minor: nil)))
        var watch = Watch(regions: regions + [all])
        for second in 0...100 {
            for minor in [3, 1, 4, 2] as [UInt16] {
                try watch.hear(Double(second), Watch.iBeacon(minor), address: UInt64(minor))
            }
        }
        _ = watch.takeLines()
        let record = watch.monitor.record
        watch.gap(100, 200)
        watch.advance(to: 300)
        let lines = watch.takeLines()
        #expect(lines.count == 5)
        var random = SeededGenerator(seed: 1)
        for _ in 0..<24 {
            var shuffled = record
            shuffled.beacons.shuffle(using: &random)
            shuffled.regions.shuffle(using: &random)
            var restored = Watch(restoring: shuffled, regions: regions + [all], at: 200)
            restored.advance(to: 300)
            #expect(restored.takeLines().filter { !$0.contains("determined") } == lines)
        }
    }

    @Test("Tolerate any time in a capture, in any order")
    func hostileTimes() throws {
        var random = SeededGenerator(seed: 11)
        var watch = Watch(keys, phone)
        func time() -> Timestamp {
            let bits = Int.random(in: 1...63, using: &random)
            let range: Int64 = bits == 63 ? .max : 1 << bits
            return Timestamp(microseconds: .random(in: -range...range, using: &random))
        }
        for _ in 0..<2000 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: watch.monitor.advance(to: time(), &watch.transitions)
            case 1: watch.monitor.gap(from: time(), to: time(), &watch.transitions)
            case 2: watch.monitor.clockStepped(by: .microseconds(time().microseconds))
            case 3: watch.monitor.stopListening(at: time(), &watch.transitions)
            case 4: watch.monitor.resumeListening(at: time(), &watch.transitions)
            case 5:
                watch.monitor = RegionMonitor(
                    registry: watch.monitor.registry, at: time(), restoring: watch.monitor.record)
            default:
                let at = time().seconds
                try watch.hear(at, Watch.iBeacon(.random(in: 0...3, using: &random)))
            }
            _ = watch.monitor.nextDeadline
            _ = watch.monitor.report(of: 0)
            watch.transitions = []
        }
    }

    @Test("Hold the time if the clock goes back unannounced, and then continue")
    func backwards() throws {
        var watch = Watch(keys)
        try watch.hear(Watch.iBeacon(1), from: 0, to: 100)
        try watch.hear(Watch.iBeacon(1), from: 90, to: 95)
        watch.advance(to: 131)
        #expect(watch.takeLines() == ["0 determined inside keys keys", "130 exit keys keys not before 100"])
    }
}
