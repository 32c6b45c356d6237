import Advertising
internal import Bytes

/// The header of LINKTYPE_NORDIC_BLE: messages of the nRF Sniffer in its protocol versions 0 to 3, little-endian (its
/// `sniffer_uart_protocol.txt`; tcpdump.org/linktypes).
///
/// Version 0 begins with BE EF, others with the board's number, and have their version in the fourth byte. After the
/// message's header come flags, channel index, the level without its sign, an event counter (2) and a time (4).
enum NordicHeader {
    /// A packet, or a message that contains none.
    enum Content {
        case packet(LinkLayerReception, offset: Int)
        case message
    }

    private static let legacyMarker: UInt16 = 0xBEEF
    /// EVENT_PACKET_ADVERTISING of version 3, and the packets of connections, in older versions of any kind.
    private static let advertising: UInt8 = 0x02
    private static let packet: UInt8 = 0x06

    /// The content of a stored message; nil if its lengths are inconsistent.
    static func content(_ stored: Span<UInt8>) -> Content? {
        let isLegacy = stored.bigEndian(UInt16.self, at: 0) == legacyMarker
        let version = isLegacy ? 0 : stored.byte(at: 3) ?? 0
        let headerSize = isLegacy ? 8 : 7
        let length: Int?
        switch version {
        case 0: length = isLegacy ? stored.byte(at: 7).map(Int.init) : nil
        case 1: length = stored.byte(at: 1) == 6 ? stored.byte(at: 2).map(Int.init) : nil
        default: length = stored.littleEndian(UInt16.self, at: 1).map(Int.init)
        }
        guard let length, headerSize + length == stored.count else { return nil }
        let kind = stored.byte(at: isLegacy ? 2 : 6)
        guard kind == packet || version >= 3 && kind == advertising else { return .message }
        // After the header of version 0 comes the length of this second header.
        let start = headerSize + (isLegacy ? 0 : 1)
        let end = isLegacy ? start + 9 : headerSize + Int(stored.byte(at: headerSize) ?? 0)
        guard end >= start + 9, end <= stored.count else { return nil }
        let flags = stored[start]
        let channel = stored[start + 1]
        var reception = LinkLayerReception(
            channel: channel <= 39 ? channel : nil, rssi: BluetoothLEHeader.level(-Int(stored[start + 2])),
            phy: BluetoothLEHeader.phy(flags >> 4 & 7), crc: flags & 1 == 1 ? .passed : .failed)
        if version >= 3 {
            if kind == packet {
                reception.content = .foreign
            } else if channel < 37, let auxiliary = AuxiliaryPDU(rawValue: flags >> 1 & 3) {
                reception.content = .auxiliary(auxiliary)
            }
        }
        return .packet(reception, offset: end)
    }
}
