import Advertising
import BeaconFrames
import Crypto
import Identity

extension Keyed {
    static var seeds: [[UInt8]] {
        let stranger = DeviceAddress(0xC000_0000_00AA, .random)
        let phone = irkAddress(0x12_3456)
        let watch = PrivateAddressResolver.address(0x2A_BCDE, irks[1])
        return [
            play([Report(0, phone, []), Report(1, watch, [0x02, 0x01, 0x06]), Report(1, phone, [])]),
            play([identifier(0), identifier(2), telemetry(2), Report(1, stranger, [0x02, 0x01, 0x06])]),
            play((0..<4).map { reading(units: 1, counter: 10 + $0) } + [reading(units: 0, counter: 13)]),
            // A battery was changed: counters from the start, over ten minutes.
            play([reading(units: 0, counter: 900)] + (0..<18).map { reading(units: 1, counter: $0) }),
            // A clock that is days off: three slots on end are heard before it is followed.
            play(
                (0..<5).map { identifier(Int64($0) * 8192, ahead: 200_000, units: 128) } + [
                    telemetry(0, ahead: 232_768)
                ]),
            play([identifier(0), identifier(0, ahead: 0, units: 255), Report(254, phone, [])]),
            play([bagFrame(0), bagFrame(1_024, isLost: true), bagFrame(2_048), Report(1, stranger, [])]),
            // A tag's clock that is off: three identifiers on end.
            play((0..<4).map { bagFrame(20_480 + Int64($0) * 1_024, units: 16) }),
        ]
    }

    /// What the bag sends in all seeds, by the beginnings of identifiers.
    static let bagIdentifiers: Set<UInt64> = {
        let counters = stride(from: Int64(0), through: 24_576, by: 1_024).map { UInt32(origin - clock.origin + $0) }
        return Set(
            counters.flatMap { counter in
                FMDNKey.curves.compactMap { bagKey.identifier(at: counter, on: $0)?.prefix }
            })
    }()

    private static func bagFrame(_ seconds: Int64, isLost: Bool = false, units: UInt8 = 1) -> Report {
        let frame = bagKey.frame(
            at: UInt32(origin - clock.origin + seconds), on: isLost ? .secp256r1 : .secp160r1, battery: .low,
            isInProtectionMode: isLost)
        return Report(units, DeviceAddress(0x4000_0000_0B46, .random), frame?.advertisingData ?? [])
    }

    private static func play(_ reports: [Report]) -> [UInt8] { reports.flatMap(\.bytes) }

    private static func reading(units: UInt8, counter: UInt32) -> Report {
        let plain: [UInt8] = [0x40, 0x01, 0x61, 0x02, 0xCA, 0x09, 0x03, 0xBF, 0x13]
        let frame = BTHome(serviceData: plain.span).flatMap { sensor.seal($0, from: sensorAddress, counter: counter) }
        return Report(units, sensorAddress, frame?.advertisingData ?? [])
    }

    private static let tagAddress = DeviceAddress(0xD000_0000_0007, .random)

    private static func identifier(_ seconds: Int64, ahead: Int64 = 0, units: UInt8 = 1) -> Report {
        let counter = UInt32(origin - clock.origin + seconds + ahead)
        let frame = EddystoneEID(eid: tag.key.identifier(at: counter), rangingData: -20)
        return Report(units, tagAddress, frame.advertisingData)
    }

    private static func telemetry(_ seconds: Int64, ahead: Int64 = 0) -> Report {
        let counter = UInt32(origin - clock.origin + seconds + ahead)
        let plain = EddystoneTLM(batteryMillivolts: 3000, temperature: 5376, advertisements: 69, uptime: 600)
        return Report(1, tagAddress, tag.key.seal(plain, at: counter, salt: 0xBEEF)?.advertisingData ?? [])
    }
}
