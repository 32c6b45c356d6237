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
        // The answer is there as soon as the write is done.
        var answer = [UInt8](repeating: 0, count: 4)
        guard read(descriptor, &answer, 4) == 4, answer[0] == Self.vendorPacket else {
            close(descriptor)
            throw SystemFault("/dev/vhci doesn't tell the adapter's number")
        }
        self.descriptor = descriptor
        self.index = Int(answer[2]) | Int(answer[3]) << 8
    }

    deinit { close(descriptor) }

    /// The next packet of the host, with its H4 indicator; nil where there is none now.
    func receive() -> [UInt8]? {
        var packet = [UInt8](repeating: 0, count: 2048)
        let size = read(descriptor, &packet, packet.count)
        return size > 0 ? Array(packet.prefix(size)) : nil
    }

    /// Gives the host a packet; whether it was taken.
    func send(_ packet: [UInt8]) -> Bool { write(descriptor, packet, packet.count) == packet.count }
}
