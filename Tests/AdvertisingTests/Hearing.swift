import Advertising
import Bytes

/// A report and a copy of its data.
struct Heard: Equatable {
    var report: AdvertisingReport
    var data: [UInt8]
}

extension AdvertisingReportDecoder {
    /// The reports of one event, and its fault.
    mutating func hear(_ event: [UInt8], at seconds: Double = 0) -> (heard: [Heard], fault: AdvertisingFault?) {
        var heard: [Heard] = []
        let time = Timestamp(microseconds: Int64(seconds * 1e6))
        do throws(AdvertisingFault) {
            try decode(event.span, at: time) { heard.append(Heard(report: $0, data: [UInt8](copying: $1))) }
            return (heard, nil)
        } catch {
            return (heard, error)
        }
    }
}

/// The bytes of hexadecimal digits, with optional spaces between bytes.
func bytes(_ hex: String) -> [UInt8] {
    guard let bytes = Hex.bytes(hex, ignoring: [0x20]) else { fatalError("not hexadecimal: \(hex)") }
    return bytes
}

/// Events written by hand from the specification's tables.
enum Fixture {
    /// One ADV_NONCONN_IND from a random address at −70 dBm, data 02 01 06.
    static let legacy = bytes("3e 0f 02 01 03 01 665544332211 03 020106 ba")
    /// ADV_IND from a public address at −1 dBm without data, ADV_DIRECT_IND, ADV_SCAN_IND and SCAN_RSP, RSSI of the
    /// last absent.
    static let four = bytes(
        """
        3e 2c 02 04 \
        00 00 060504030201 00 ff \
        01 01 c60504030201 00 80 \
        02 02 060504030241 01 00 14 \
        04 03 0605040302c1 01 00 7f
        """)
    /// One extended report: connectable, complete, random address, 1M then 2M, SID 5, +4 dBm, −60 dBm, interval 0x0050.
    static let extended = bytes("3e 1d 0d 01 0100 01 665544332211 01 02 05 04 c4 5000 00 000000000000 03 020106")
    /// One legacy PDU in an extended report: ADV_DIRECT_IND (0x15) to a random address, no SID, no TX power, no RSSI.
    static let directed = bytes("3e 1a 0d 01 1500 00 665544332211 01 00 ff 7f 7f 0000 01 0605040302c1 00")
    /// Two extended reports: an anonymous one truncated by the controller, and a scan response on a coded PHY.
    static let two = bytes(
        """
        3e 35 0d 02 \
        4000 ff 000000000000 03 03 01 7f 9c 0000 00 000000000000 02 ffff \
        0a00 01 665544332211 03 03 02 7f 9c 0000 00 000000000000 01 00
        """)
    static let all = [legacy, four, extended, directed, two]
}
