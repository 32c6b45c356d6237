import Advertising
import Bytes

/// A link-layer packet on the air, as a sniffer of our own making hears it.
struct AirPacket: Sendable {
    static let advertising: UInt32 = 0x8E89_BED6

    /// Microseconds since the first packet of its file.
    var time: Int64
    var channel: UInt8
    var rssi: Int = -60
    var phy: PHY = .le1M
    var auxiliary: AuxiliaryPDU?
    var accessAddress = advertising
    /// The header's first byte: PDU type, ChSel, TxAdd (0x40) and RxAdd (0x80).
    var header: UInt8
    var payload: [UInt8]
    var hasGoodCRC = true

    var pdu: [UInt8] { [header, UInt8(payload.count)] + payload }

    /// From the access address to the CRC.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: accessAddress)
        if phy == .leCoded { bytes.append(0) }
        bytes += pdu
        let check = LinkLayerCRC.value(of: pdu.span) ^ (hasGoodCRC ? 0 : 0x40)
        for shift in [0, 8, 16] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: check >> shift)) }
        return bytes
    }

    /// The channel's number in the order of frequencies.
    var radioChannel: UInt8 {
        switch channel {
        case 37: 0
        case 38: 12
        case 39: 39
        case 0...10: channel + 1
        default: channel + 2
        }
    }
}

/// The parts of extended advertising PDUs.
struct ExtendedParts {
    var mode: UInt8 = 0
    var address: [UInt8]?
    var target: [UInt8]?
    var tone = false
    /// DID and SID.
    var info: (did: UInt16, sid: UInt16)?
    /// Channel, offset in units of 30 µs, PHY.
    var pointer: (channel: UInt8, offset: UInt16, phy: UInt16)?
    /// The interval in units of 1.25 ms.
    var sync: UInt16?
    var power: Int8?
    var acad: [UInt8] = []
    var data: [UInt8] = []

    var payload: [UInt8] {
        var fields: [UInt8] = []
        var flags: UInt8 = 0
        func add(_ bit: UInt8, _ bytes: [UInt8]?) {
            guard let bytes else { return }
            flags |= 1 << bit
            fields += bytes
        }
        add(0, address)
        add(1, target)
        add(2, tone ? [0x14] : nil)
        add(3, info.map { Self.little($0.did | $0.sid << 12, 2) })
        add(4, pointer.map { [$0.channel] + Self.little($0.offset | $0.phy << 13, 2) })
        add(5, sync.map { [0, 0] + Self.little($0, 2) + [UInt8](repeating: 0x11, count: 14) })
        add(6, power.map { [UInt8(bitPattern: $0)] })
        let hasHeader = flags != 0 || !acad.isEmpty
        let extended = hasHeader ? [flags] + fields + acad : []
        return [UInt8(extended.count) | mode << 6] + extended + data
    }

    private static func little(_ value: UInt16, _ count: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
}
