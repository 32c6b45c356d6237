public import Advertising

/// A Bluetooth adapter as the kernel reports it (HCIGETDEVINFO), with the state of its rfkill switch.
public struct Adapter: Hashable, Sendable {
    /// The bus that an adapter is attached to.
    public enum Bus: UInt8, Sendable {
        case virtual = 0, usb, pccard, uart, rs232, pci, sdio, spi, i2c, smd, virtio

        /// The name of the bus, such as `usb`.
        public var name: String { "\(self)" }
    }

    /// The adapter's number, which may change each time it is plugged in.
    public var index: UInt16
    /// The adapter's address; nil while the kernel doesn't know it, as before it was first up.
    public var address: DeviceAddress?
    /// The bus that it is attached to; nil for a bus that this version doesn't know.
    public var bus: Bus?
    /// True if it is up.
    public var isUp: Bool
    /// True if it has Bluetooth LE; nil while the kernel doesn't know, as before it was first up.
    public var hasLE: Bool?
    /// True if its rfkill switch blocks it; nil if the switch can't be read.
    public var isBlocked: Bool?
    /// True if that switch is one that no program can change.
    public var isHardBlocked = false

    /// True if another program uses it exclusively: it is up, and the management interface doesn't list it. A survey
    /// alone can't find this out.
    public var isHeld = false

    /// The adapter's name, such as `hci0`.
    public var name: String { "hci\(index)" }

    /// An adapter that is known by its number.
    public init(index: UInt16, address: DeviceAddress? = nil, isUp: Bool = false) {
        self.index = index
        self.address = address
        self.isUp = isUp
    }
}
