import Advertising
import Agent
import BeaconFrames
import Bytes
import Identity
import Presence
import WireProtocol

/// A node's pipeline that hears HCI events, and keeps what it would publish.
struct Node {
    var pipeline: NodePipeline
    var outbox: [Message] = []

    static let uuid = BeaconUUID("48534442-4C45-4144-80C0-1800FFFFFFF0")!

    init(publishesAll: Bool = false, window: Double = 1, regions: [Region] = [], remembering: PresenceRecord? = nil) {
        var settings = NodeSettings(node: "kitchen", version: "0.1.0", adapter: "replay")
        settings.publishesAll = publishesAll
        settings.window = .seconds(window)
        let keys = Item(id: "keys", identities: [.iBeacon(uuid: Self.uuid, major: 100, minor: 1)])
        let lamp = Item(id: "lamp", identities: [.address(0x0A0A)])
        pipeline = NodePipeline(
            settings: settings, registry: Registry(items: [keys, lamp], regions: regions), epoch: "5f1c09aa",
            started: Self.time(0), remembering: remembering)
    }

    static func time(_ seconds: Double) -> Timestamp { Timestamp(microseconds: 0).advanced(bySeconds: seconds) }

    static func iBeacon(_ minor: UInt16, major: UInt16 = 100) -> [UInt8] {
        IBeacon(uuid: uuid, major: major, minor: minor, measuredPower: -59).advertisingData
    }

    static let telemetry = EddystoneTLM(
        batteryMillivolts: 2950, temperature: 21 * 256 + 128, advertisements: 9, uptime: 9
    ).advertisingData

    static func event(_ address: UInt64, _ data: [UInt8], rssi: Int8? = -60) -> [UInt8] {
        var encoder = AdvertisingReportEncoder(.legacy)
        let report = AdvertisingReport(eventType: .advInd, address: DeviceAddress(address, .random), rssi: rssi)
        encoder.append(report, data.span)
        return encoder.takeEvent()
    }

    mutating func hear(_ seconds: Double, _ address: UInt64, _ data: [UInt8], rssi: Int8? = -60) {
        pipeline.receive(Self.event(address, data, rssi: rssi).span, at: Self.time(seconds), &outbox)
    }

    mutating func advance(to seconds: Double) { pipeline.advance(to: Self.time(seconds), &outbox) }
    mutating func finish() { pipeline.finish(&outbox) }

    var windows: [Window] {
        get throws {
            try outbox.filter { $0.topic.contains("/windows/") }.map { try Window(payload: $0.payload.span) }
        }
    }

    var scans: [Scan] {
        get throws { try outbox.filter { $0.topic.hasSuffix("/scan") }.map { try Scan(payload: $0.payload.span) } }
    }

    /// Windows and scans, without what goes retained.
    var samples: [Message] { outbox.filter { !$0.retained } }

    /// The retained messages of proximity, as `near keys`.
    var proximities: [String] {
        get throws {
            try outbox.filter { $0.topic.contains("/proximity/") }.map { message in
                let beacon = message.topic.split(separator: "/").last.map(String.init) ?? ""
                guard !message.payload.isEmpty else { return "- \(beacon)" }
                return "\(try ProximityReport(payload: message.payload.span).proximity.rawValue) \(beacon)"
            }
        }
    }

    /// In the order of publishing: `w2 keys x3` a window of interval 2, `s2` its scan.
    var lines: [String] {
        get throws {
            try samples.map { message in
                guard message.topic.hasSuffix("/scan") else {
                    let window = try Window(payload: message.payload.span)
                    return "w\(window.seq) \(window.item ?? window.id) x\(window.count)"
                }
                return "s\(try Scan(payload: message.payload.span).seq)"
            }
        }
    }
}
