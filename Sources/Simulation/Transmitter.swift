import Advertising
import BeaconFrames
import Bytes

/// A beacon's side of the air: the times of its events, its addresses, and its frames.
struct Transmitter: Sendable {
    /// The standard's advDelay: at most 10 ms more from one advertisement to the next. Half of it is the mean.
    private static let meanDelay: Int64 = 5_000
    /// The time after which the battery is replaced, a year and a half, in microseconds.
    private static let batteryLife: Int64 = 550 * 86_400_000_000

    private let address: Scenario.Address
    private let frame: [UInt8]
    private let telemetryPeriod: Int64?
    private let period: Int64
    private let phase: Int64
    private let delays: RandomStream
    private let addresses: RandomStream
    private let warmth: TimeNoise

    init(_ beacon: Scenario.Beacon, stream: RandomStream) {
        address = beacon.address
        frame = Self.makeFrame(beacon.kind, power: beacon.claimedPower ?? Int8(beacon.power.rounded()))
        telemetryPeriod = beacon.telemetryInterval.map { Int64(microseconds: $0) }
        period = Int64(microseconds: beacon.interval) + Self.meanDelay
        phase = Int64(stream.child("phase").uniform(0) * Double(period))
        delays = stream.child("delay")
        addresses = stream.child("address")
        warmth = TimeNoise(stream: stream.child("warmth"), period: 7_200_000_000)
    }

    /// The start of advertising event `number`. From one to the next it is the interval and 0 to 10 ms.
    func time(of number: Int64) -> Timestamp {
        Timestamp(
            microseconds: phase + number * period + Int64(delays.choice(number, of: Int(Self.meanDelay))))
    }

    /// The first advertising event that begins at a time or later.
    func first(from time: Timestamp) -> Int64 {
        let number = time.advanced(byMicroseconds: -phase).floorDivided(by: period).quotient
        return self.time(of: number) >= time ? number : number + 1
    }

    /// The HCI event of advertising event `number`, received at a level: an LE Advertising Report with one report,
    /// without a transport's packet type before it. Beacons don't answer: the report is of ADV_NONCONN_IND.
    func event(_ number: Int64, level: Int8) -> [UInt8] {
        let start = time(of: number)
        let data = isTelemetry(number, at: start) ? makeTelemetry(at: start) : frame
        var encoder = AdvertisingReportEncoder(.legacy)
        encoder.append(
            AdvertisingReport(eventType: .advNonconnInd, address: address(at: start), rssi: level), data.span)
        return encoder.takeEvent()
    }

    private func address(at time: Timestamp) -> DeviceAddress {
        // The two top bits of a random address encode its kind: 11 static, 00 non-resolvable (Core Vol 6 Part B 1.3.2).
        switch address {
        case .fixed(let address): return address
        case .derived: return DeviceAddress(addresses.bits(0) | 0xC000_0000_0000, .random)
        case .rotating(let period):
            let turn = time.floorDivided(by: Int64(microseconds: period)).quotient
            return DeviceAddress(addresses.bits(turn) & 0x3FFF_FFFF_FFFF, .random)
        }
    }

    private static func makeFrame(_ kind: Scenario.Kind, power: Int8) -> [UInt8] {
        switch kind {
        case .iBeacon(let uuid, let major, let minor):
            return IBeacon(uuid: uuid, major: major, minor: minor, measuredPower: power).advertisingData
        case .altBeacon(let company, let uuid, let major, let minor):
            return AltBeacon(company: company, uuid: uuid, major: major, minor: minor, referenceRSSI: power)
                .advertisingData
        case .eddystoneUID(let namespace, let instance):
            let atZero = Int8(clamping: Int(power) + Eddystone.lossOverOneMetre)
            return EddystoneUID(namespace: namespace, instance: instance, rangingData: atZero).advertisingData
        case .addressOnly:
            var data: [UInt8] = []
            ADStructure.append(type: ADType.flags, [0x06].span, to: &data)
            return data
        }
    }

    private func isTelemetry(_ number: Int64, at start: Timestamp) -> Bool {
        guard let telemetryPeriod else { return false }
        return start.floorDivided(by: telemetryPeriod).quotient
            != time(of: number - 1).floorDivided(by: telemetryPeriod).quotient
    }

    private func makeTelemetry(at start: Timestamp) -> [UInt8] {
        let uptime = start.floorDivided(by: Self.batteryLife).remainder
        let worn = Double(uptime) / Double(Self.batteryLife)
        let celsius = 21 + 1.5 * warmth.value(at: start)
        return EddystoneTLM(
            batteryMillivolts: UInt16(3_050 - 600 * worn * worn), temperature: Int16((celsius * 256).rounded()),
            advertisements: UInt32(truncatingIfNeeded: uptime / period),
            uptime: UInt32(truncatingIfNeeded: uptime / 100_000)
        ).advertisingData
    }
}
