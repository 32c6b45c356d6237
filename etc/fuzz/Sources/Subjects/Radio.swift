import Advertising
import BeaconFrames
import Bytes
import Crypto
import Identity
import WireProtocol

/// What comes from the air.
enum Radio {
    /// An event, and again: once more in the same decoder, so that fragments meet, and a second later, so that they age.
    static func events(_ bytes: Span<UInt8>) -> Bool {
        var decoder = AdvertisingReportDecoder()
        var isWhole = true
        // Several events may follow each other, each as long as it says.
        var offset = 0
        var time = Timestamp(microseconds: 0)
        repeat {
            let announced = offset + 1 < bytes.count ? 2 + Int(bytes[offset + 1]) : bytes.count
            let end = min(bytes.count, offset + max(1, announced))
            do {
                try decoder.decode(bytes.extracting(offset..<end), at: time) { report, data in
                    _ = report.eventType.name
                    _ = report.address.text
                    precondition(data.count <= AdvertisingReportDecoder.maximumDataLength)
                    BeaconFrame.decode(data: data) { check($0) }
                }
            } catch {
                precondition(error.offset >= 0 && error.offset <= end - offset)
                isWhole = false
            }
            time = time.advanced(byMicroseconds: 400_000)
            offset = end
        } while offset < bytes.count
        decoder.abandonFragments()
        return isWhole
    }

    static func structures(_ bytes: Span<UInt8>) -> Bool {
        var seen = 0
        do {
            try ADStructure.forEach(in: bytes) { _, payload in seen += payload.count + 2 }
            precondition(seen <= bytes.count)
            return true
        } catch {
            precondition(error.offset < bytes.count)
            return false
        }
    }

    static func frames(_ bytes: Span<UInt8>) -> Bool {
        let fault = BeaconFrame.decode(data: bytes) { check($0) }
        // The payloads alone, as another structure of the same advertisement may carry them.
        if let frame = BeaconFrame(manufacturerData: bytes) { check(frame) }
        if let frame = BeaconFrame(eddystoneServiceData: bytes) { check(frame) }
        if let frame = BTHome(serviceData: bytes) { check(.btHome(frame)) }
        return fault == nil
    }

    /// A frame must come back from its own bytes, and can always be printed.
    private static func check(_ frame: BeaconFrame) {
        var json = JSONWriter()
        frame.write(to: &json)
        _ = frame.powerAtOneMetre
        Readings.check(Telemetry(frame))
        var found: BeaconFrame?
        let data = frame.advertisingData
        let fault = BeaconFrame.decode(data: data.span) { found = $0 }
        precondition(fault == nil && found == frame, "a frame doesn't survive its own bytes")
        open(frame)
    }

    /// What a key opens must be what it seals: every frame is tried, and nearly all are other keys'.
    private static func open(_ frame: BeaconFrame) {
        let address = DeviceAddress(0x5448_E68F_80A5, .public)
        switch frame {
        case .btHome(let frame):
            guard case .opened(let plain, let counter) = sensor.open(frame, from: address, after: nil) else { return }
            // Bits that are reserved come back as they were.
            precondition(sensor.seal(plain, from: address, counter: counter) == frame, "what was opened isn't sealed")
        case .eddystoneETLM(let frame):
            guard let beacon, let plain = beacon.open(frame, at: 2_000) else { return }
            _ = beacon.seal(plain, at: 2_000, salt: frame.salt)
        default: return
        }
    }

    private static let sensor = BTHomeKey(AES128(AESBlock(high: 0x231D_39C1_D7CC_1AB1, low: 0xAEE2_24CD_096D_B932)))
    private static let beacon = EphemeralKey(
        AES128(AESBlock(high: 0x0102_0304_0506_0708, low: 0x090A_1112_1314_1516)), exponent: 10)

    // MARK: Seeds

    private static let uuid = BeaconUUID(high: 0x4853_4442_4C45_4144, low: 0x80C0_1800_FFFF_FFF0)

    static var dataSeeds: [[UInt8]] {
        let name: [UInt8] = Array("door".utf8)
        var named = IBeacon(uuid: uuid, major: 100, minor: 7, measuredPower: -59).advertisingData
        ADStructure.append(type: ADType.completeLocalName, name.span, to: &named)
        var seeds: [[UInt8]] = [
            named,
            IBeacon(uuid: uuid, major: 1, minor: 65535, measuredPower: -128).advertisingData,
            AltBeacon(
                company: 0x0118, uuid: uuid, major: 3, minor: 4, referenceRSSI: -66, mfgReserved: 9
            ).advertisingData,
            EddystoneUID(
                namespace: .init(high: 0x0102_0304_0506_0708, low: 0x090A), instance: 0xAABB_CCDD_EEFF,
                rangingData: -20
            ).advertisingData,
            EddystoneTLM(
                batteryMillivolts: 2950, temperature: 5504, advertisements: 12_345, uptime: 99_999
            ).advertisingData,
            EddystoneTLM(batteryMillivolts: nil, temperature: nil, advertisements: 0, uptime: 0).advertisingData,
            [0x02, 0x01, 0x06, 0x00, 0x00],
            [0x01, 0x09, 0x02, 0x0A, 0xF4],
        ]
        for url in ["https://www.example.com/a", "http://x.org", "https://t.info/0123456789"] {
            if let frame = try? EddystoneURL(url, txPower: -21) { seeds.append(frame.advertisingData) }
        }
        let services: [[UInt8]] = [
            [0x30, 0xEC, 1, 2, 3, 4, 5, 6, 7, 8],
            [0x20, 0x01, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
            [0x00, 0xEE, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
        ]
        let sensors: [[UInt8]] = [
            [
                0x44, 0x00, 0x09, 0x01, 0x61, 0x02, 0xCA, 0x09, 0x45, 0x11, 0x01, 0x2D, 0x01, 0x3A, 0x80, 0x3C, 0x01,
                0x03,
            ],
            [
                0x40, 0x53, 0x03, 0x61, 0x62, 0x63, 0x54, 0x02, 0xDE, 0xAD, 0xF1, 0x00, 0x01, 0x02, 0x04, 0x62, 1, 2, 3,
                4,
            ],
            [0x41, 1, 2, 3, 4, 5, 6, 0, 0x11, 0x22, 0x33, 0x78, 0x23, 0x72, 0x14],
        ]
        for sensor in sensors {
            if let frame = BTHome(serviceData: sensor.span) { seeds.append(frame.advertisingData) }
        }
        let plain: [UInt8] = [0x44, 0x02, 0xCA, 0x09, 0x03, 0xBF, 0x13]
        if let frame = BTHome(serviceData: plain.span),
            let sealed = sensor.seal(frame, from: DeviceAddress(0x5448_E68F_80A5, .public), counter: 0x3322_1100)
        {
            seeds.append(sealed.advertisingData)
        }
        let telemetry = EddystoneTLM(batteryMillivolts: 3000, temperature: 5376, advertisements: 69, uptime: 600)
        if let sealed = beacon?.seal(telemetry, at: 2_000, salt: 0xBEEF) { seeds.append(sealed.advertisingData) }
        var readings: [UInt8] = [0x99, 0x04, 0x05]
        for place in 0..<23 { readings.append(UInt8(7 * place)) }
        if let frame = RuuviTag5(manufacturerData: readings.span) { seeds.append(frame.advertisingData) }
        for service in services {
            if let frame = BeaconFrame(eddystoneServiceData: service.span) { seeds.append(frame.advertisingData) }
        }
        return seeds
    }

    static var eventSeeds: [[UInt8]] {
        let data = dataSeeds
        var seeds: [[UInt8]] = []
        var several = AdvertisingReportEncoder(.legacy)
        for (index, payload) in data.enumerated() where payload.count <= 31 {
            let report = AdvertisingReport(
                eventType: index % 2 == 0 ? .advInd : .advNonconnInd,
                address: DeviceAddress(0xC000_0000_0001 + UInt64(index), .random), rssi: -60)
            var one = AdvertisingReportEncoder(.legacy)
            one.append(report, payload.span)
            seeds.append(one.takeEvent())
            several.append(report, payload.span)
        }
        seeds.append(several.takeEvent())
        let long = [UInt8](data.joined())
        for directed in [false, true] {
            let report = AdvertisingReport(
                eventType: directed ? [.directed] : [], address: DeviceAddress(0x1122_3344_5566, .public), rssi: nil,
                directAddress: directed ? DeviceAddress(0x4455_6677_8899, .random) : nil, secondaryPHY: .le2M,
                advertisingSID: 3, txPower: 4, periodicInterval: 80)
            for size in [60, 229] {
                seeds.append([UInt8](AdvertisingReportEncoder.fragments(report, long.span, of: size).joined()))
            }
        }
        return seeds
    }
}
