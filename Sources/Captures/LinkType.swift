import Advertising
import Bytes

/// The form in which a file stores a packet (the link-layer header types of tcpdump.org/linktypes.html).
enum LinkType {
    /// LINKTYPE_BLUETOOTH_HCI_H4 (187): the H4 indicator, then the packet.
    case h4
    /// LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR (201): 4 bytes, big-endian, 0 for sent and 1 for received; then as H4.
    case h4WithDirection
    /// LINKTYPE_BLUETOOTH_LE_LL (251): a link-layer packet from its access address on.
    case bluetoothLE
    /// LINKTYPE_BLUETOOTH_LINUX_MONITOR (254): adapter and opcode, 2 bytes each, big-endian; then the packet.
    case linuxMonitor
    /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR (256): ``BluetoothLEHeader``, then as 251.
    case bluetoothLEWithHeader
    /// LINKTYPE_NORDIC_BLE (272): ``NordicHeader``, then as 251.
    case nordicBLE

    /// The form for a number of that list; nil for one that isn't supported.
    init?(number: UInt32) {
        switch number {
        case 187: self = .h4
        case 201: self = .h4WithDirection
        case 251: self = .bluetoothLE
        case 254: self = .linuxMonitor
        case 256: self = .bluetoothLEWithHeader
        case 272: self = .nordicBLE
        default: return nil
        }
    }

    /// The packet in `stored`, which is at `place` of its source. A packet that ends inside the header before it is
    /// `other` and empty.
    func locatePacket(
        _ stored: Span<UInt8>, at place: Int, time: Timestamp?, direction: CapturedPacket.Direction
    ) -> FoundPacket {
        let end = place + stored.count
        let nothing = FoundPacket(CapturedPacket(time: time, kind: .other, direction: direction), end..<end)
        switch self {
        case .h4:
            guard let indicator = stored.byte(at: 0) else { return nothing }
            return Self.h4(indicator, place + 1..<end, time, direction)
        case .h4WithDirection:
            guard let written = stored.bigEndian(UInt32.self, at: 0), let indicator = stored.byte(at: 4) else {
                return nothing
            }
            return Self.h4(indicator, place + 5..<end, time, written & 1 == 0 ? .sent : .received)
        case .linuxMonitor:
            guard let adapter = stored.bigEndian(UInt16.self, at: 0), let opcode = stored.bigEndian(UInt16.self, at: 2)
            else { return nothing }
            return FoundPacket(LinuxMonitor.packet(opcode: opcode, adapter: adapter, time: time), place + 4..<end)
        case .bluetoothLE: return Self.radio(LinkLayerReception(), place..<end, time)
        case .bluetoothLEWithHeader:
            guard let reception = BluetoothLEHeader.reception(stored) else { return Self.unreadable(at: end, time) }
            return Self.radio(reception, place + BluetoothLEHeader.size..<end, time)
        case .nordicBLE:
            switch NordicHeader.content(stored) {
            case .packet(let reception, let offset): return Self.radio(reception, place + offset..<end, time)
            case .message: return nothing
            case nil: return Self.unreadable(at: end, time)
            }
        }
    }

    private static func h4(
        _ indicator: UInt8, _ bytes: Range<Int>, _ time: Timestamp?, _ direction: CapturedPacket.Direction
    ) -> FoundPacket {
        let kind = CapturedPacket.Kind(h4Indicator: indicator)
        let direction = direction == .unknown ? kind.onlyDirection : direction
        return FoundPacket(CapturedPacket(time: time, kind: kind, direction: direction), bytes)
    }

    /// A link-layer packet from its access address on.
    private static func radio(
        _ reception: LinkLayerReception, _ bytes: Range<Int>, _ time: Timestamp?
    ) -> FoundPacket {
        FoundPacket(CapturedPacket(time: time, kind: .other, direction: .received), bytes, reception)
    }

    /// A link-layer packet whose header is broken: an empty one, which counts as malformed.
    private static func unreadable(at end: Int, _ time: Timestamp?) -> FoundPacket {
        radio(LinkLayerReception(), end..<end, time)
    }
}
