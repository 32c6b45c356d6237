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

/// The adapters that are plugged in, by their controllers' names.
struct AdapterTable: ~Copyable {
    private final class Slot {
        var adapter: VirtualAdapter
        init(_ adapter: consuming VirtualAdapter) { self.adapter = adapter }
    }

    private var slots: [String: Slot] = [:]

    /// In alphabetical order.
    var names: [String] { slots.keys.sorted() }

    /// Plugs an adapter in; the number it got.
    ///
    /// - Parameter elsewhere: Whether the lowest free number is left to nobody.
    mutating func plug(_ name: String, elsewhere: Bool) throws(SystemFault) -> Int {
        // The kernel gives away the lowest number: somebody else has to have it for that moment.
        let other: Slot? = elsewhere ? Slot(try VirtualAdapter(isRaw: true)) : nil
        let slot = Slot(try VirtualAdapter())
        slots[name] = slot
        return withExtendedLifetime(other) { slot.adapter.index }
    }

    /// Takes an adapter out; whether there was one.
    mutating func unplug(_ name: String) -> Bool { slots.removeValue(forKey: name) != nil }

    func index(_ name: String) -> Int? { slots[name]?.adapter.index }
    func descriptor(_ name: String) -> Int32 { slots[name]?.adapter.descriptor ?? -1 }
    func receive(_ name: String) -> [UInt8]? { slots[name]?.adapter.receive() }
    func send(_ packet: [UInt8], to name: String) -> Bool { slots[name]?.adapter.send(packet) ?? true }
}
