import Advertising
import BeaconFrames
import Bytes
import Foundation

/// A row of the shared vectors.
struct VectorRow {
    /// The row's own name, or its test's file and function.
    var name: String
    /// The layer of the bytes.
    var layer: String
    var bytes: [UInt8]
    /// The expectations of the row, by the row's own keys.
    var expected: [String: Any]

    init?(line: Data) throws {
        guard let row = try JSONSerialization.jsonObject(with: line) as? [String: Any],
            let hex = row["hex"] as? String, let bytes = Hex.bytes(hex),
            let layer = (row["layer"] ?? row["kind"]) as? String, let source = row["source"] as? String
        else { return nil }
        let test = source.split(separator: "/").last.map(String.init) ?? source
        self.name = row["name"] as? String ?? test.split(separator: ":").suffix(2).joined(separator: ":")
        self.layer = layer
        self.bytes = bytes
        self.expected = ((row["expect"] ?? row["expected"]) as? [String: Any]) ?? [:]
        if let derived = row["derived"] as? [String: Any] { self.expected.merge(derived) { first, _ in first } }
    }

    /// The rows of a file; a line that is no row throws.
    static func read(_ path: String) throws -> [VectorRow] {
        try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0x0A).map { line in
            guard let row = try VectorRow(line: Data(line)) else { throw CocoaError(.fileReadCorruptFile) }
            return row
        }
    }

    /// The results of our parsers for it.
    struct Hearing {
        var report: AdvertisingReport?
        var frames: [BeaconFrame] = []
        /// The types of the whole AD structures.
        var structures: [UInt8] = []
        /// The fault of the event.
        var eventFault: AdvertisingFault?
        /// The fault of the AD structures.
        var dataFault: AdvertisingFault?
    }

    func hear() -> Hearing {
        var hearing = Hearing()
        var data: [UInt8]?
        switch layer {
        case "hci_event_packet", "hci_event_h4", "hci_event_packet WITHOUT trailing RSSI byte":
            let rssi: [UInt8] = layer.contains("WITHOUT") ? [0xC4] : []
            var decoder = AdvertisingReportDecoder()
            do throws(AdvertisingFault) {
                let event = Array(bytes.dropFirst()) + rssi
                try decoder.decode(event.span, at: Timestamp(microseconds: 0)) { report, advertisement in
                    hearing.report = report
                    data = [UInt8](copying: advertisement)
                }
            } catch {
                hearing.eventFault = error
            }
        case "scan_record_ad_structures", "adv_data": data = bytes
        case "ll_adv_pdu(header2+adva6+payload)":
            data = Array(bytes.dropFirst(8))
            let address = bytes[2..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            hearing.report = AdvertisingReport(
                eventType: .advNonconnInd, address: DeviceAddress(address, .random), rssi: nil)
        case "service_data_feaa":
            if let frame = BeaconFrame(eddystoneServiceData: bytes.span) { hearing.frames = [frame] }
        default: fatalError("unknown layer \(layer)")
        }
        guard let data else { return hearing }
        hearing.dataFault = BeaconFrame.decode(data: data.span) { hearing.frames.append($0) }
        try? ADStructure.forEach(in: data.span) { type, _ in hearing.structures.append(type) }
        return hearing
    }
}
