import Advertising
import BeaconFrames

/// Beacons that one controller alone hears: as many as ordered, one after the other, at a rate in all.
struct BeaconStream {
    /// How many beacons there are, those that are stopped included.
    private(set) var count = 0
    /// Reports a second of all together.
    private(set) var rate = 0.0
    /// How many reports are put in one event where they fit.
    var reportsPerEvent = 1
    /// Whether every second one, those of odd numbers, sends on the Coded PHY, as an extended advertisement.
    private var isHalfCoded = false
    /// At what level each is heard, in dBm.
    private var levels: [Int8] = []
    private var stopped: [Bool] = []
    private var payloads: [[UInt8]] = []
    private var turn = 0
    /// When the next event is due; nil before the first of a scan.
    private(set) var due: Nanoseconds?

    /// Behind by more than this the past is let go: the guest stood still.
    private static let patience: Nanoseconds = .milliseconds(2000)
    private static let uuid = BeaconUUID(high: 0x4853_4442_4C45_4144, low: 0x80C0_1800_FFFF_FFF0)

    mutating func set(count: Int, rate: Double, reportsPerEvent: Int, level: Int8, halfCoded: Bool) {
        isHalfCoded = halfCoded
        self.count = max(0, min(65_536, count))
        self.reportsPerEvent = max(1, min(25, reportsPerEvent))
        levels = (0..<self.count).map { Int8(clamping: Int(level) - $0 % 30) }
        stopped = Array(repeating: false, count: self.count)
        payloads = (0..<self.count).map { index in
            IBeacon(uuid: Self.uuid, major: 1, minor: UInt16(truncatingIfNeeded: index), measuredPower: -59)
                .advertisingData
        }
        turn = 0
        set(rate: rate)
    }

    mutating func set(rate: Double) {
        self.rate = rate.isFinite ? max(0, min(1e6, rate)) : 0
        due = nil
    }

    mutating func set(level: Int8, of index: Int?) {
        for place in index.map({ $0..<$0 + 1 }) ?? 0..<count where levels.indices.contains(place) {
            levels[place] = index == nil ? Int8(clamping: Int(level) - place % 30) : level
        }
    }

    mutating func set(stopped isStopped: Bool, of index: Int?) {
        for place in index.map({ $0..<$0 + 1 }) ?? 0..<count where stopped.indices.contains(place) {
            stopped[place] = isStopped
        }
    }

    /// When `take` is to be called next; nil for never.
    func deadline(from now: Nanoseconds) -> Nanoseconds? { rate > 0 && count > 0 ? due ?? now : nil }

    /// Forgets when the next was due, as after a pause.
    mutating func pause() { due = nil }

    /// The beacons of the next event, if it is due; those that are stopped leave their place in time empty.
    mutating func take(at now: Nanoseconds) -> [Transmission]? {
        guard rate > 0, count > 0 else { return nil }
        var moment = due ?? now
        guard moment <= now else { return nil }
        if now - moment > Self.patience { moment = now }
        due = moment + UInt64(Double(reportsPerEvent) / rate * 1e9)
        return (0..<reportsPerEvent).compactMap { _ in
            let index = turn
            turn = (turn + 1) % count
            return stopped[index] ? nil : transmission(of: index)
        }
    }

    private func transmission(of index: Int) -> Transmission {
        // Static random addresses: the two highest bits are set.
        let address = DeviceAddress(0xC0DE_0000_0000 | UInt64(index), .random)
        var report = AdvertisingReport(eventType: .advNonconnInd, address: address, rssi: levels[index])
        if isHalfCoded, index % 2 == 1 {
            report = AdvertisingReport(
                eventType: [], address: address, rssi: levels[index], primaryPHY: .leCoded, secondaryPHY: .leCoded,
                advertisingSID: 0)
        }
        return Transmission(report: report, data: payloads[index])
    }
}
