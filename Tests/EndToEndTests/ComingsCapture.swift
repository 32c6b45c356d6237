import Advertising
import BeaconFrames
import Bytes
import Captures
import WireProtocol
import Support
import Testing

/// A capture of our own making: keys and phone of the simulated flat, each received once a second while it is there.
enum ComingsCapture {
    /// The presence of one of them, in seconds: from a packet on, up to its last one.
    typealias Stay = (item: String, from: Int, to: Int)

    /// 2026-11-21 08:00 UTC: the origin of its seconds.
    static let begin = Timestamp(microseconds: 1_795_248_000_000_000)

    /// Writes it, from its first packet to its last. A stranger is received all the time, so that time passes with
    /// nobody there.
    static func write(to path: String, _ stays: [Stay]) throws {
        let uuid = try #require(BeaconUUID("48534442-4C45-4144-80C0-1800FFFFFFF0"))
        let frames: [String: (address: UInt64, data: [UInt8])] = [
            "keys": (
                0xC0FF_EE00_0001, IBeacon(uuid: uuid, major: 100, minor: 1, measuredPower: -59).advertisingData
            ),
            "phone": (
                0xC0FF_EE00_0002,
                AltBeacon(company: 0x0118, uuid: uuid, major: 100, minor: 2, referenceRSSI: -62, mfgReserved: 7)
                    .advertisingData
            ),
            "stranger": (
                0xC0FF_EE00_0003, IBeacon(uuid: uuid, major: 9, minor: 9, measuredPower: -59).advertisingData
            ),
        ]
        var writer = try CaptureWriter(path: path)
        let start = stays.map(\.from).min() ?? 0
        let end = stays.map(\.to).max() ?? 0
        for second in start...end {
            for stay in stays + [("stranger", start, end)] where (stay.from...stay.to).contains(second) {
                let frame = try #require(frames[stay.item])
                var encoder = AdvertisingReportEncoder(.legacy)
                let report = AdvertisingReport(
                    eventType: .advNonconnInd, address: DeviceAddress(frame.address, .random), rssi: -60)
                encoder.append(report, frame.data.span)
                try writer.append(
                    encoder.takeEvent().span, kind: .event, direction: .received,
                    time: begin.advanced(byMicroseconds: Int64(second) * 1_000_000))
            }
        }
        try writer.close()
    }
}

extension Deployment {
    /// The configuration of a hall that replays such a capture; `more` are further lines.
    func hall(_ name: String, _ stays: [ComingsCapture.Stay], _ more: [String]) throws -> String {
        let capture = folder.file("\(name).btsnoop")
        try ComingsCapture.write(to: capture, stays)
        return try file(
            "\(name).yaml", ["node: hall", "source: \"replay:\(capture)\"", "items: items.yaml"] + more)
    }
}

extension Recorder {
    /// The events of the hall, in the order of arrival; of duplicates the first.
    var hallEvents: [NodeEvent] {
        var seen: Set<UInt64> = []
        return messages.filter { $0.topic == Topics().nodeEvents("hall") }
            .compactMap { try? NodeEvent(payload: $0.payload.span) }.filter { seen.insert($0.seq).inserted }
    }

    /// Its alerts as `170 alert left_behind-keys 1` and `400 cleared left_behind-keys returned`, in seconds of the capture.
    var hallAlerts: [String] {
        hallEvents.filter { $0.kind == .alert || $0.kind == .cleared }.map { event in
            let second = event.at.microseconds(since: ComingsCapture.begin) / 1_000_000
            let detail = event.count.map(String.init) ?? event.reason ?? "-"
            return "\(second) \(event.kind.rawValue) \(event.alert ?? "-") \(detail)"
        }
    }
}
