import Bytes

/// In what form a file stores an HCI packet (the link-layer header types of tcpdump.org/linktypes.html).
enum LinkType {
    /// LINKTYPE_BLUETOOTH_HCI_H4 (187): the H4 indicator, then the packet.
    case h4
    /// LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR (201): 4 bytes, big-endian, 0 for sent and 1 for received; then as H4.
    case h4WithDirection
    /// LINKTYPE_BLUETOOTH_LINUX_MONITOR (254): adapter and opcode, 2 bytes each, big-endian; then the packet.
    case linuxMonitor

    /// The form that a number of that list names, or nil for one that is none of ours.
    init?(number: UInt32) {
        switch number {
        case 187: self = .h4
        case 201: self = .h4WithDirection
        case 254: self = .linuxMonitor
        default: return nil
        }
    }

    /// What a stored packet is, and how many bytes stand before it. One cut off inside those is `other` and empty.
    func describe(
        _ stored: Span<UInt8>, time: Timestamp?, direction: CapturedPacket.Direction
    ) -> (packet: CapturedPacket, headerSize: Int) {
        switch self {
        case .h4: return Self.h4(stored, at: 0, time, direction)
        case .h4WithDirection:
            let written = stored.bigEndian(UInt32.self, at: 0)
            return Self.h4(stored, at: 4, time, written.map { $0 & 1 == 0 ? .sent : .received } ?? direction)
        case .linuxMonitor:
            guard let adapter = stored.bigEndian(UInt16.self, at: 0), let opcode = stored.bigEndian(UInt16.self, at: 2)
            else {
                return (CapturedPacket(time: time, kind: .other, direction: direction), stored.count)
            }
            return (LinuxMonitor.packet(opcode: opcode, adapter: adapter, time: time), 4)
        }
    }

    private static func h4(
        _ stored: Span<UInt8>, at offset: Int, _ time: Timestamp?, _ direction: CapturedPacket.Direction
    ) -> (CapturedPacket, Int) {
        guard let indicator = stored.byte(at: offset) else {
            return (CapturedPacket(time: time, kind: .other, direction: direction), stored.count)
        }
        let kind = CapturedPacket.Kind(h4Indicator: indicator)
        let direction = direction == .unknown ? kind.onlyDirection : direction
        return (CapturedPacket(time: time, kind: kind, direction: direction), offset + 1)
    }
}
