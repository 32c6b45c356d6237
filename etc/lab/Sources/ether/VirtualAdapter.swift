import Glibc

/// One adapter of /dev/vhci: the kernel is its host. The kernel's drivers/bluetooth/hci_vhci.c says how.
///
/// It is taken out as soon as the value is destroyed.
struct VirtualAdapter: ~Copyable {
    /// What the kernel calls it: `hci` and this number.
    let index: Int
    let descriptor: Int32

    /// What is written first.
    private static let vendorPacket: UInt8 = 0xFF
    /// Packets of the host that may come before the answer.
    private static let patience = 16

    /// What came before the answer.
    private var early: [[UInt8]] = []

    /// Plugs an adapter in; the kernel takes the lowest free number.
    ///
    /// - Parameter isRaw: Whether the kernel leaves it alone: no command is sent to it.
    init(isRaw: Bool = false) throws(SystemFault) {
        let descriptor = open("/dev/vhci", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("/dev/vhci") }
        let creation: [UInt8] = [Self.vendorPacket, isRaw ? 0x80 : 0x00]
        guard write(descriptor, creation, creation.count) == creation.count else {
            let fault = SystemFault.last("/dev/vhci takes no adapter")
            close(descriptor)
            throw fault
        }
        // The answer is there as soon as the write is done; the host's first command may have overtaken it.
        var early: [[UInt8]] = []
        while let packet = Self.read(descriptor), early.count < Self.patience {
            guard packet.count == 4, packet[0] == Self.vendorPacket else {
                early.append(packet)
                continue
            }
            self.descriptor = descriptor
            self.early = early
            index = Int(packet[2]) | Int(packet[3]) << 8
            return
        }
        close(descriptor)
        throw SystemFault("/dev/vhci doesn't tell the adapter's number")
    }

    deinit { close(descriptor) }

    /// The next packet of the host, with its H4 indicator; nil where there is none now.
    mutating func receive() -> [UInt8]? {
        early.isEmpty ? Self.read(descriptor) : early.removeFirst()
    }

    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var packet = [UInt8](repeating: 0, count: 2048)
        let size = Glibc.read(descriptor, &packet, packet.count)
        return size > 0 ? Array(packet.prefix(size)) : nil
    }

    /// Gives the host a packet; whether it was taken.
    func send(_ packet: [UInt8]) -> Bool { write(descriptor, packet, packet.count) == packet.count }
}
