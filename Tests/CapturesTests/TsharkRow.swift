import Bytes
import Foundation
import Support

/// A link-layer packet as tshark dissects it.
struct TsharkRow {
    var accessAddress: Int?
    /// True if it came on a primary channel; nil if the file doesn't contain the channel.
    var isPrimary: Bool?
    var type: Int?
    var address: String?
    var isRandom: Bool
    var rssi: Int?
    var sid: UInt8?
    var power: Int8?
    var pointsOn: Bool
    var data: [UInt8]
    var isCRCWrong: Bool

    /// The packets of a file in order.
    static func read(_ path: String, _ tshark: String) throws -> [TsharkRow] {
        let outcome = try Execution.run(tshark, ["-r", path, "-T", "json", "-x"])
        let frames = try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]] ?? []
        return frames.map { frame in
            TsharkRow((frame["_source"] as? [String: Any])?["layers"] as? [String: Any] ?? [:])
        }
    }

    private init(_ layers: [String: Any]) {
        var fields: [String: Any] = [:]
        Self.collect(layers, into: &fields)
        func text(_ name: String) -> String? { fields[name] as? String }
        func number(_ name: String) -> Int? { text(name).flatMap { Int($0) ?? Int($0.dropFirst(2), radix: 16) } }
        accessAddress = number("btle.access_address")
        let primary = number("nordic_ble.channel").map { $0 >= 37 }
        isPrimary = primary ?? number("btle_rf.channel").map { [0, 12, 39].contains($0) }
        type = number("btle.advertising_header.pdu_type")
        address = text("btle.advertising_address")
        isRandom = ["1", "True"].contains(text("btle.advertising_header.randomized_tx"))
        rssi = number("btle_rf.signal_dbm") ?? number("nordic_ble.rssi")
        sid = number("btle.extended_advertising.advertising_data_info.sid").map { UInt8($0) }
        power = number("btle.extended_advertising_header.tx_power").map { Int8($0) }
        pointsOn = fields["btle.extended_advertising_header.aux_pointer.channel"] != nil
        let raw = fields["btle.scan_responce_data_raw"] ?? fields["btcommon.eir_ad.advertising_data_raw"]
        data = ((raw as? [Any])?.first as? String).flatMap { Hex.bytes($0) } ?? []
        isCRCWrong =
            fields["btle.crc.incorrect"] != nil || text("nordic_ble.crcok") == "0"
            || text("btle_rf.flags.crc_valid") == "0"
    }

    /// All fields by name. Data of the controller (ACAD) is not that of the host.
    private static func collect(_ tree: [String: Any], into fields: inout [String: Any]) {
        for (name, value) in tree where name != "btle.extended_advertising_header.acad" {
            if let inner = value as? [String: Any] { collect(inner, into: &fields) } else { fields[name] = value }
        }
    }
}
