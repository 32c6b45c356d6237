import Advertising
import BeaconFrames
import Bytes
import Identity
import Integrations
import WireProtocol

/// A node that publishes like an ESPresense node: a median over its last fifteen seconds, published after the next
/// round multiple of five seconds or, if it moves, up to two and a half earlier; nothing farther than sixteen metres,
/// and nothing of its own listening.
///
/// Figures by src/BleFingerprint.cpp and include/defaults.h: `skipMs` 5000, `skipDistance` 0.5, `maxDivisor` 10,
/// `maxDistance` 16; the median is of readings within 1.5 interquartile ranges.
struct ESPresenseNode {
    private struct Device {
        var id: BeaconID
        var power: Double
        var readings: [(at: Int64, level: Double)] = []
        var next: Int64
        var told = 0.0
        var isTold = true
        var first: Int64
        var count = 0
    }

    private static let skip: Int64 = 5_000_000
    private static let memory: Int64 = 15_000_000
    private static let farthest = 16.0

    let room: String
    let topics = ESPresenseTopics()
    private var devices: [UInt64: Device] = [:]
    private var decoder = AdvertisingReportDecoder()

    init(room: String) { self.room = room }

    /// Consumes an HCI event; returns a message if one is published because of it.
    mutating func receive(_ event: Span<UInt8>, at time: Timestamp) -> Message? {
        var heard: (address: UInt64, level: Double, frame: (id: BeaconID, power: Double)?)?
        try? decoder.decode(event, at: time) { report, data in
            guard let level = report.rssi else { return }
            var frame: (id: BeaconID, power: Double)?
            BeaconFrame.decode(data: data) { found in
                if let id = BeaconID(found) { frame = (id, Double(found.powerAtOneMetre ?? -59)) }
            }
            heard = (report.address.bits, Double(level), frame)
        }
        guard let heard else { return nil }
        let now = time.microseconds
        if devices[heard.address] == nil, let frame = heard.frame {
            devices[heard.address] = Device(
                id: frame.id, power: frame.power, next: now / Self.skip * Self.skip, first: now)
        }
        guard var device = devices[heard.address] else { return nil }
        defer { devices[heard.address] = device }
        device.count += 1
        device.readings.append((now, heard.level))
        while device.readings.count > 10, now - device.readings[0].at > Self.memory { device.readings.removeFirst() }
        return tell(&device, now)
    }

    private func tell(_ device: inout Device, _ now: Int64) -> Message? {
        let levels = Self.usual(device.readings.map(\.level).sorted())
        let level = Self.middle(levels)
        let mean = levels.reduce(0, +) / Double(levels.count)
        let variance = levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(levels.count)
        let distance = ESPresenseDevice.distance(level: level, atOneMetre: device.power)
        guard distance <= Self.farthest else { return nil }
        if now < device.next {
            let steps = abs(distance - device.told) / 0.5
            guard steps >= 1, now >= device.next - Self.skip / Int64(max(2, min(10, 10 - steps.rounded(.down)))) else {
                return nil
            }
        }
        device.next = now + (Self.skip - now % Self.skip) % Self.skip
        device.told = distance
        var message = ESPresenseDevice()
        message.id = device.id.espresense
        message.levelAtOneMetre = device.power
        (message.level, message.adjustment, message.levelVariance) = (level, 0, variance)
        (message.distance, message.distanceVariance) = (distance, 0.5)
        message.interval = Int((now - device.first) / 1000) / device.count
        var json = JSONWriter()
        message.write(to: &json)
        return Message(topic: topics.device(device.id.espresense ?? "", room: room), payload: json.bytes)
    }

    private static func usual(_ sorted: [Double]) -> [Double] {
        guard sorted.count >= 4 else { return sorted }
        let (low, high) = (sorted[sorted.count / 4], sorted[sorted.count * 3 / 4])
        let reach = 1.5 * (high - low)
        return sorted.filter { $0 >= low - reach && $0 <= high + reach }
    }

    private static func middle(_ sorted: [Double]) -> Double {
        let half = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
    }
}
