import Bytes

/// The packets of the Linux kernel's Bluetooth monitor (HCI_CHANNEL_MONITOR; `doc/btsnoop` of BlueZ).
enum LinuxMonitor {
    /// The packet of an opcode; notes about adapters, sockets and the system are `other`.
    static func packet(opcode: UInt16, adapter: UInt16, time: Timestamp?) -> CapturedPacket {
        let (kind, direction) = packetKind(of: opcode)
        // HCI_DEV_NONE: the note concerns no adapter.
        return CapturedPacket(time: time, kind: kind, direction: direction, adapter: adapter == 0xFFFF ? nil : adapter)
    }

    private static func packetKind(of opcode: UInt16) -> (CapturedPacket.Kind, CapturedPacket.Direction) {
        switch opcode {
        case 2: (.command, .sent)
        case 3: (.event, .received)
        case 4: (.acl, .sent)
        case 5: (.acl, .received)
        case 6: (.sco, .sent)
        case 7: (.sco, .received)
        case 18: (.iso, .sent)
        case 19: (.iso, .received)
        default: (.other, .unknown)
        }
    }
}
