import Identity
import Presence
import Testing
import WireProtocol

@Suite struct RegionTests {
    private let office = Region(
        id: "office", members: .beacons(.iBeacon(uuid: Watch.uuid, major: 100, minor: nil)), exitAfter: .seconds(30))

    @Test("Report no arrival at a start: determine present beacons inside and absent ones outside")
    func determined() throws {
        var watch = Watch(office, Region(id: "bag", members: .item("phone")))
        #expect(watch.monitor.report(of: 1).state == .unknown)
        try watch.hear(Watch.iBeacon(1), from: 5, to: 40)
        #expect(watch.takeLines() == ["5 determined inside office keys", "30 determined outside bag"])
        #expect(watch.monitor.report(of: 0).state == .unknown || watch.monitor.report(of: 1).state == .inside)
    }

    @Test("Report an exit by a timer, at the last packet and the exit time, and an arrival with the first packet")
    func crossing() throws {
        var watch = Watch(office)
        try watch.hear(Watch.iBeacon(1), from: 5, to: 40)
        watch.advance(to: 69.9)
        #expect(watch.takeLines() == ["5 determined inside office keys"])
        #expect(watch.monitor.nextDeadline.map { $0 <= Watch.at(70) } == true)
        watch.advance(to: 70)
        #expect(watch.takeLines() == ["70 exit office keys not before 40"])
        #expect(watch.monitor.nextDeadline == nil)
        try watch.hear(Watch.iBeacon(1), from: 100, to: 105)
        #expect(watch.takeLines() == ["100 enter office keys"])
    }

    @Test("Run a timer no later than its exit, also after the exit time has become shorter")
    func nextDeadline() throws {
        var watch = Watch(Region(id: "keys", members: .item("keys")))
        try watch.hear(Watch.iBeacon(1), from: 0, to: 100, every: 0.5)
        var wakes = 0
        while let next = watch.monitor.nextDeadline, wakes < 10 {
            watch.monitor.advance(to: next, &watch.transitions)
            wakes += 1
        }
        #expect(watch.takeLines() == ["0 determined inside keys keys", "110 exit keys keys not before 100"])
        #expect(wakes <= 4)
    }

    @Test("Leave a region of many with its last beacon, and not before the last packet of any")
    func several() throws {
        var watch = Watch(office)
        try watch.hear(Watch.iBeacon(1), from: 0, to: 20, address: 1)
        try watch.hear(Watch.iBeacon(7), from: 21, to: 35, address: 2)
        #expect(watch.monitor.report(of: 0).beacons == ["iBeacon:\(Watch.uuid)-100-7", "keys"])
        watch.advance(to: 200)
        #expect(watch.takeLines() == ["0 determined inside office keys", "65 exit office 7 not before 35"])
        #expect(watch.monitor.report(of: 0).beacons == [])
        #expect(watch.monitor.report(of: 0).state == .outside)
    }

    @Test("Cross each of overlapping wildcards once by one packet")
    func overlapping() throws {
        var silent = Region(id: "exact", members: .beacons(BeaconPattern(Watch.iBeacon(1))), exitAfter: .seconds(15))
        silent.notifyOnEntry = false
        silent.notifyOnExit = false
        var watch = Watch(
            Region(
                id: "all", members: .beacons(.iBeacon(uuid: Watch.uuid, major: nil, minor: nil)),
                exitAfter: .seconds(20)),
            office, silent,
            Region(id: "keys", members: .item("keys"), exitAfter: .seconds(10)),
            Region(id: "mine", members: .tag("mine"), exitAfter: .seconds(25)),
            Region(id: "other", members: .beacons(.iBeacon(uuid: Watch.uuid, major: 1, minor: nil))),
            Region(id: "phones", members: .tag("phones")))
        watch.advance(to: 60)
        #expect(watch.takeLines().count == 7)
        try watch.hear(100, Watch.iBeacon(1))
        #expect(
            watch.takeLines() == [
                "100 enter all keys", "100 enter exact keys untold", "100 enter keys keys", "100 enter mine keys",
                "100 enter office keys",
            ])
        watch.advance(to: 200)
        #expect(
            watch.takeLines() == [
                "110 exit keys keys not before 100", "115 exit exact keys not before 100 untold",
                "120 exit all keys not before 100", "125 exit mine keys not before 100",
                "130 exit office keys not before 100",
            ])
    }

    @Test("Treat a transmitter with two frames as one beacon in the regions of both")
    func twoFrames() throws {
        var watch = Watch(
            Region(id: "eddy", members: .beacons(.eddystone(Watch.namespace, nil)), exitAfter: .seconds(30)), office,
            Region(
                id: "web", members: .url(URLPattern("https://example.com/", isPrefix: true)), exitAfter: .seconds(30)))
        // The web address is the first frame of a transmitter that is otherwise unknown.
        try watch.hear(0, address: 5, url: "https://example.com/a")
        try watch.hear(1, Watch.eddystone(9), address: 5)
        try watch.hear(2, Watch.iBeacon(7), address: 5)
        for second in stride(from: 3.0, to: 100, by: 3) {
            try watch.hear(second, Watch.eddystone(9), address: 5)
            try watch.hear(second + 1, Watch.iBeacon(7), address: 5)
            try watch.hear(second + 2, address: 5, url: "https://example.com/a")
        }
        #expect(
            watch.takeLines() == [
                "0 determined inside web 000000000005", "1 determined inside eddy 000000000009",
                "2 determined inside office 7",
            ])
        for place in 0..<3 as Range<Int32> { #expect(watch.monitor.report(of: place).count == 1) }
        watch.advance(to: 200)
        #expect(watch.takeLines().count == 3)
    }

    @Test("Match a web address exactly or by its prefix, and no longer after it has changed")
    func urls() throws {
        var watch = Watch(
            Region(
                id: "all", members: .url(URLPattern("https://example.com/", isPrefix: true)), exitAfter: .seconds(20)),
            Region(id: "exact", members: .url(URLPattern("https://example.com/a")), exitAfter: .seconds(20)),
            Region(id: "longer", members: .url(URLPattern("https://example.com/ab", isPrefix: true))),
            Region(id: "other", members: .url(URLPattern("http://example.com/", isPrefix: true))))
        watch.advance(to: 40)
        _ = watch.takeLines()
        try watch.hear(from: 100, to: 110, address: 5, url: "https://example.com/a")
        try watch.hear(from: 111, to: 150, address: 5, url: "https://example.com/b")
        #expect(
            watch.takeLines() == [
                "100 enter all 000000000005", "100 enter exact 000000000005",
                "130 exit exact 000000000005 not before 110",
            ])
    }

    @Test("Watch AltBeacons and addresses like iBeacons, and each kind only by its own")
    func kinds() throws {
        let alt = BeaconPattern.altBeacon(uuid: Watch.uuid, major: 100, minor: nil)
        var watch = Watch(
            Region(id: "address", members: .beacons(.address(0xB2))), Region(id: "alt", members: .beacons(alt)), office)
        try watch.hear(1, .altBeacon(uuid: Watch.uuid, major: 100, minor: 3), address: 0xB2)
        #expect(watch.takeLines() == ["1 determined inside address 3", "1 determined inside alt 3"])
    }

    @Test("Report a requested state immediately, and an unknown one as soon as it is known")
    func requested() throws {
        var watch = Watch(office, Region(id: "phone", members: .item("phone")))
        try watch.hear(Watch.iBeacon(1), from: 0, to: 20)
        _ = watch.takeLines()
        watch.monitor.requestState(at: Watch.at(21), &watch.transitions)
        #expect(watch.takeLines() == ["21 determined inside office keys"])
        try watch.hear(Watch.iBeacon(1), from: 22, to: 40)
        watch.monitor.requestState(of: 1, at: Watch.at(41), &watch.transitions)
        #expect(watch.takeLines() == ["30 determined outside phone", "41 determined outside phone"])
    }
}
