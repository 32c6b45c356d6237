import Advertising
import BeaconFrames
import Identity
import Testing

@Suite struct BeaconIDTests {
    @Test("Use the same canonical id of a beacon as topics and other nodes")
    func text() {
        #expect(Beacons.keys.text == "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1")
        #expect(Beacons.bag.text == "altBeacon:48534442-4c45-4144-80c0-1800fffffff0-7-65535")
        #expect(Beacons.cat.text == "eddystone:00112233445566778899-0123456789ab")
        #expect(BeaconID(DeviceAddress(0x0A, .public)).text == "00000000000a")
    }

    @Test("Assign frames without an identity to the address that sent them")
    func frames() {
        let iBeacon = IBeacon(uuid: Beacons.uuid, major: 100, minor: 1, measuredPower: -59)
        #expect(BeaconID(.iBeacon(iBeacon)) == Beacons.keys)
        let altBeacon = AltBeacon(company: 0x118, uuid: Beacons.uuid, major: 7, minor: 65_535, referenceRSSI: -60)
        #expect(BeaconID(.altBeacon(altBeacon)) == Beacons.bag)
        let uid = EddystoneUID(namespace: Beacons.namespace, instance: 0x0123_4567_89AB, rangingData: -20)
        #expect(BeaconID(.eddystoneUID(uid)) == Beacons.cat)
        let tlm = EddystoneTLM(batteryMillivolts: 3000, temperature: nil, advertisements: 1, uptime: 1)
        #expect(BeaconID(.eddystoneTLM(tlm)) == nil)
    }

    @Test("Treat one address as one beacon, regardless of the type that its sender claims")
    func addressTypes() {
        #expect(BeaconID(DeviceAddress(5, .public)) == BeaconID(DeviceAddress(5, .random)))
    }
}

@Suite struct BeaconPatternTests {
    private static let patterns: [BeaconPattern] = [
        .iBeacon(uuid: Beacons.uuid, major: nil, minor: nil), .iBeacon(uuid: Beacons.uuid, major: 100, minor: nil),
        .iBeacon(uuid: Beacons.uuid, major: 100, minor: 1), .altBeacon(uuid: Beacons.uuid, major: nil, minor: nil),
        .altBeacon(uuid: Beacons.uuid, major: 7, minor: nil), .eddystone(Beacons.namespace, nil),
        .address(Beacons.address.bits),
    ]

    @Test("Contain a UUID's beacons, or those of a UUID and major, and no others in its region")
    func wildcards() {
        let isIn = { (id: BeaconID, pattern: BeaconPattern) in id.isInAnyPattern { $0 == pattern } }
        #expect(Self.patterns.map { isIn(Beacons.keys, $0) } == [true, true, true, false, false, false, false])
        #expect(Self.patterns.map { isIn(Beacons.bag, $0) } == [false, false, false, true, true, false, false])
        #expect(Self.patterns.map { isIn(Beacons.cat, $0) } == [false, false, false, false, false, true, false])
        let other = BeaconID.iBeacon(uuid: Beacons.uuid, major: 101, minor: 1)
        #expect(Self.patterns.map { isIn(other, $0) } == [true, false, false, false, false, false, false])
        #expect(isIn(BeaconID(Beacons.address), .address(Beacons.address.bits)))
    }

    @Test("Resolve a packet among a thousand regions at the cost of one")
    func constantCost() {
        for id in [Beacons.keys, Beacons.bag, Beacons.cat, BeaconID(Beacons.address)] {
            var asked = 0
            let isIn = id.isInAnyPattern { _ in
                asked += 1
                return false
            }
            #expect(!isIn)
            #expect(asked <= 3)
        }
    }

    @Test("Return the identity of a pattern of one beacon, and none for a pattern of many")
    func exact() {
        for id in [Beacons.keys, Beacons.bag, Beacons.cat, BeaconID(Beacons.address)] {
            #expect(BeaconPattern(id).exact == id)
        }
        #expect(Self.patterns[0].exact == nil && Self.patterns[1].exact == nil && Self.patterns[5].exact == nil)
    }
}
