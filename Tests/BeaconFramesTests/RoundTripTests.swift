import BeaconFrames
import Support
import Testing

/// A thousand seeded values of every format are read back unchanged from their advertising data.
@Suite struct RoundTripTests {
    private func check(_ seed: UInt64, _ make: (inout SeededGenerator) -> BeaconFrame) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1000 {
            let frame = make(&random)
            let data = frame.advertisingData
            #expect(data.count <= 31)
            #expect(frames(data) == ([frame], nil), "seed \(seed)")
        }
    }

    private static func uuid(_ random: inout SeededGenerator) -> BeaconUUID {
        BeaconUUID(high: random.next(), low: random.next())
    }

    @Test func iBeacon() {
        check(1) {
            .iBeacon(
                IBeacon(
                    uuid: Self.uuid(&$0), major: .random(in: 0 ... .max, using: &$0),
                    minor: .random(in: 0 ... .max, using: &$0),
                    measuredPower: .random(in: .min ... .max, using: &$0)))
        }
    }

    @Test func altBeacon() {
        check(2) {
            .altBeacon(
                AltBeacon(
                    company: .random(in: 0 ... .max, using: &$0), uuid: Self.uuid(&$0),
                    major: .random(in: 0 ... .max, using: &$0), minor: .random(in: 0 ... .max, using: &$0),
                    referenceRSSI: .random(in: .min ... .max, using: &$0),
                    mfgReserved: .random(in: 0 ... .max, using: &$0)))
        }
    }

    @Test func eddystoneUID() {
        check(3) {
            .eddystoneUID(
                EddystoneUID(
                    namespace: .init(high: $0.next(), low: .random(in: 0 ... .max, using: &$0)), instance: $0.next(),
                    rangingData: .random(in: .min ... .max, using: &$0)))
        }
    }

    @Test func eddystoneTLM() {
        check(4) {
            .eddystoneTLM(
                EddystoneTLM(
                    batteryMillivolts: Bool.random(using: &$0) ? nil : .random(in: 1 ... .max, using: &$0),
                    temperature: Bool.random(using: &$0) ? nil : .random(in: -32_767 ... .max, using: &$0),
                    advertisements: .random(in: 0 ... .max, using: &$0), uptime: .random(in: 0 ... .max, using: &$0)))
        }
    }

    @Test func eddystoneETLM() {
        check(5) {
            .eddystoneETLM(
                EddystoneETLM(
                    dataHigh: $0.next(), dataLow: .random(in: 0 ... .max, using: &$0),
                    salt: .random(in: 0 ... .max, using: &$0), mic: .random(in: 0 ... .max, using: &$0)))
        }
    }

    @Test func eddystoneEID() {
        check(6) {
            .eddystoneEID(EddystoneEID(eid: $0.next(), rangingData: .random(in: .min ... .max, using: &$0)))
        }
    }

    @Test func fmdn() {
        check(10) { random in
            let identifier = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }
            return .fmdn(
                FMDNFrame(
                    identifier: .init(identifier.span)!, isInProtectionMode: .random(using: &random),
                    hashedFlags: Bool.random(using: &random) ? nil : .random(in: 0 ... .max, using: &random)))
        }
    }

    @Test func btHome() {
        check(7) { random in
            let objects = (0..<Int.random(in: 8...23, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let data = [0x40 | UInt8.random(in: 0...31, using: &random)] + objects
            guard let frame = BTHome(serviceData: data.span) else { fatalError("no frame: \(data)") }
            return .btHome(frame)
        }
    }

    @Test func ruuviTag5() {
        check(8) { random in
            let data = [0x99, 0x04, 0x05] + (0..<23).map { _ in UInt8.random(in: 0...255, using: &random) }
            guard let frame = RuuviTag5(manufacturerData: data.span) else { fatalError("no frame: \(data)") }
            return .ruuviTag5(frame)
        }
    }
}
