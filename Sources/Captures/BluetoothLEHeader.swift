import Advertising
internal import Bytes

/// The pseudo-header of LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR (tcpdump.org/linktypes): RF channel, signal power, noise power,
/// access address offenses, 1 byte each, reference access address (4) and flags (2), little-endian.
enum BluetoothLEHeader {
    static let size = 10

    /// The properties in a header; nil for a packet that is shorter.
    static func reception(_ stored: Span<UInt8>) -> LinkLayerReception? {
        guard let flags = stored.littleEndian(UInt16.self, at: 8) else { return nil }
        let isSet = { (bit: UInt16) in flags & bit != 0 }
        // Aliasing makes the channel doubtful.
        let channel = isSet(0x0040) ? nil : channelIndex(stored[0])
        return LinkLayerReception(
            channel: channel, rssi: isSet(0x0002) ? level(Int(Int8(bitPattern: stored[1]))) : nil,
            phy: phy(UInt8(flags >> 14)), crc: isSet(0x0400) ? (isSet(0x0800) ? .passed : .failed) : .unchecked,
            content: contentKind(flags), reference: isSet(0x0010) ? stored.littleEndian(UInt32.self, at: 4) : nil,
            isWhitened: !isSet(0x0001))
    }

    /// Bits 7...9 name the kind of PDU, bits 12 and 13 that of an auxiliary one.
    private static func contentKind(_ flags: UInt16) -> LinkLayerReception.Content {
        switch flags >> 7 & 7 {
        case 0: .unspecified
        case 1: AuxiliaryPDU(rawValue: UInt8(flags >> 12 & 3)).map { .auxiliary($0) } ?? .unspecified
        default: .foreign
        }
    }

    /// The channel index of an RF channel (Core Vol 6 Part B 1.4.1).
    private static func channelIndex(_ channel: UInt8) -> UInt8? {
        switch channel {
        case 0: 37
        case 1...11: channel - 1
        case 12: 38
        case 13...38: channel - 2
        case 39: 39
        default: nil
        }
    }

    /// The PHY of a sniffer's number.
    static func phy(_ number: UInt8) -> PHY {
        switch number {
        case 1: .le2M
        case 2: .leCoded
        default: .le1M
        }
    }

    /// A level that HCI can report (Core Vol 4 Part E 7.7.65.13), in dBm; any other is unknown.
    static func level(_ value: Int) -> Int8? {
        (-127...20).contains(value) ? Int8(value) : nil
    }
}
