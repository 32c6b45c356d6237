import Advertising
import BeaconFrames
import Bytes
import Identity
import Presence
import WireProtocol

/// A table that receives reports as lines, and returns windows as lines.
struct Ear {
    var table: WindowTable
    /// The windows of the intervals that were closed, in order.
    var windows: [Window] = []
    private var resolver = IdentityResolver(registry: Registry())

    init(length: Double = 1) {
        table = WindowTable(length: .seconds(length))
    }

    static func id(_ number: UInt16) -> BeaconID {
        .iBeacon(uuid: BeaconUUID(high: 1, low: 2), major: 0, minor: number)
    }

    static func time(_ seconds: Double) -> Timestamp { Timestamp(microseconds: 0).advanced(bySeconds: seconds) }

    /// Advances the time, and ends each interval that ends by then.
    mutating func advance(to seconds: Double) {
        let time = Self.time(seconds)
        if table.begin == nil { table.beginInterval(at: time) }
        while let end = table.end, end <= time {
            close()
            table.beginInterval(at: end)
        }
    }

    mutating func close(items: [Item] = []) {
        table.endInterval(node: "kitchen", epoch: "e", items: items) { windows.append($0) }
    }

    /// A report at a time, by the beacon's minor; `counts` is false for reports that carry another frame.
    mutating func hear(
        _ seconds: Double, _ minor: UInt16 = 1, rssi: Int8? = -60, power: Int? = nil, counts: Bool = true,
        telemetry: Telemetry = Telemetry(), item: Int32? = nil, sender: UInt64? = nil
    ) {
        advance(to: seconds)
        record(
            seconds, minor, rssi: rssi, power: power, counts: counts, telemetry: telemetry, item: item,
            sender: sender)
    }

    mutating func record(
        _ seconds: Double, _ minor: UInt16 = 1, rssi: Int8? = -60, power: Int? = nil, counts: Bool = true,
        telemetry: Telemetry = Telemetry(), item: Int32? = nil, sender: UInt64? = nil
    ) {
        let address = DeviceAddress(UInt64(minor), .random)
        var beacon = resolver.resolve(address: address, frames: (Self.id(minor), nil), at: Self.time(seconds))
        beacon.counts = counts
        beacon.item = item
        var hearing = Sighting(beacon: beacon, time: Self.time(seconds))
        hearing.address = sender.map { DeviceAddress($0, .random) }
        hearing.rssi = rssi
        hearing.power = power
        hearing.telemetry = telemetry
        table.record(hearing)
    }

    /// Lines such as `5-6 #6 1 ×3 mean -60`: interval, seq, minor, count and mean level.
    var lines: [String] {
        windows.map { window in
            let minor = window.id.split(separator: "-").last!
            let mean = window.rssi.map { " \($0.mean)" } ?? ""
            return "\(window.from.seconds)-\(window.to.seconds) #\(window.seq) \(minor) x\(window.count)\(mean)"
        }
    }
}
