public import Advertising

/// A Bluetooth adapter as the kernel knows it (HCIGETDEVINFO) and as its rfkill switch stands.
public struct Adapter: Hashable, Sendable {
    /// How it is attached.
    public enum Bus: UInt8, Sendable {
        case virtual = 0, usb, pccard, uart, rs232, pci, sdio, spi, i2c, smd, virtio

        /// Such as `usb`.
        public var name: String { "\(self)" }
    }

    /// Its number, which may be another after each plugging.
    public var index: UInt16
    /// Its address; nil while the kernel doesn't know it, as before it was ever up.
    public var address: DeviceAddress?
    /// How it is attached; nil for a way that this version doesn't know.
    public var bus: Bus?
    /// Whether it is up.
    public var isUp: Bool
    /// Whether it has Bluetooth LE; nil while the kernel doesn't know, as before it was ever up.
    public var hasLE: Bool?
    /// Whether its rfkill switch blocks it; nil where that can't be read.
    public var isBlocked: Bool?
    /// Whether that is a switch that no program can move.
    public var isHardBlocked = false

    /// Whether another program has it for itself: it is up, and the management interface doesn't know it. A survey alone
    /// can't tell.
    public var isHeld = false

    /// Its name, such as `hci0`.
    public var name: String { "hci\(index)" }

    /// An adapter that is known by its number.
    public init(index: UInt16, address: DeviceAddress? = nil, isUp: Bool = false) {
        self.index = index
        self.address = address
        self.isUp = isUp
    }
}
