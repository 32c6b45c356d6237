import Bytes
import Captures
import Foundation
import WireProtocol

/// A row of BTHome 2 among vectors on which other readers agree.
struct VectorRow {
    static let begin: Int64 = 1_795_248_000
    /// The address under which plain rows are sent here.
    static let plain = "54:48:e6:8f:80:a6"

    var hex: String
    var key: String?
    var readings: [(name: String, value: Double)]

    /// Names of no readings: what the reader adds, and events.
    private static let others: Set<String> = ["packet", "rssi", "data", "type", "mac", "firmware"]

    init?(_ line: String) {
        guard let row = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let expected = row["expected"] as? [String: Any], let hex = row["hex"] as? String,
            (expected["firmware"] as? String)?.hasPrefix("BTHome V2") == true
        else { return nil }
        self.hex = hex
        key = row["key"] as? String
        readings = expected.compactMap { name, value in
            guard !Self.others.contains(name), let value = (value as? NSNumber)?.doubleValue else { return nil }
            return (name, value)
        }
    }

    /// Every reading of a telemetry as a number.
    static func numbers(_ telemetry: Telemetry) -> [Double] {
        var numbers = [telemetry.temperatureCelsius].compactMap { $0 }
        for reading in telemetry.others {
            switch reading.value {
            case .number(let number): numbers.append(number)
            case .flag(let flag): numbers.append(flag ? 1 : 0)
            }
        }
        return numbers
    }

    /// Writes rows, a second each.
    static func write(_ rows: [VectorRow], to path: String) throws {
        var writer = try CaptureWriter(path: path)
        for (place, row) in rows.enumerated() {
            // After the packet's kind.
            var event = Array((Hex.bytes(row.hex) ?? []).dropFirst())
            // The least significant byte of the address.
            if row.key == nil { event[6] = 0xA6 }
            try writer.append(
                event.span, kind: .event, direction: .received,
                time: Timestamp(microseconds: (begin + Int64(place)) * 1_000_000 + 500_000))
        }
        try writer.close()
    }
}
