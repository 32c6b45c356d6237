internal import Advertising
internal import CBluetooth
internal import Glibc

/// Asks the kernel for the adapters present. Nothing here blocks.
public struct AdapterSurvey {
    private let tree: SystemTree

    /// - Parameter systemTree: the mount point of sysfs; another folder for tests.
    public init(systemTree: String = "/sys") { tree = SystemTree(root: systemTree) }

    /// All adapters in the order of their numbers, at most 16 (HCIGETDEVLIST, HCIGETDEVINFO). An adapter that vanishes
    /// meanwhile is left out.
    public func adapters() throws(RadioFault) -> [Adapter] {
        do throws(SocketError) {
            let control = try HCISocket.control()
            var indices = [UInt16](repeating: 0, count: Int(HCI_MAX_DEV))
            let count = unsafe wb_hci_list(control.number, &indices)
            guard count >= 0 else { throw SocketError(code: -count) }
            return indices.prefix(Int(count)).sorted().compactMap { readAdapter($0, control) }
        } catch {
            throw .system(call: "list adapters", code: error.code)
        }
    }

    private func readAdapter(_ index: UInt16, _ control: HCISocket) -> Adapter? {
        var info = hci_dev_info()
        guard unsafe wb_hci_info(control.number, index, &info) == 0 else { return nil }
        var adapter = Adapter(index: index)
        // The kernel stores an address with its last byte first.
        var bits: UInt64 = 0
        let address = info.bdaddr.b
        for byte in [address.5, address.4, address.3, address.2, address.1, address.0] {
            bits = bits << 8 | UInt64(byte)
        }
        adapter.address = bits == 0 ? nil : DeviceAddress(bits, .public)
        adapter.bus = Adapter.Bus(rawValue: info.type & 0x0F)
        adapter.isUp = info.flags & (1 << UInt32(HCI_UP)) != 0
        // LMP features are read when the adapter comes up; "LE Supported (Controller)" is bit 38 (Core Vol 2 Part C
        // 3.3).
        let features = info.features
        let isKnown = features.0 | features.1 | features.2 | features.3 | features.4 | features.5 != 0
        adapter.hasLE = isKnown ? features.4 & 0x40 != 0 : nil
        if let blocking = tree.blocking(of: adapter.name) {
            (adapter.isBlocked, adapter.isHardBlocked) = (blocking.soft || blocking.hard, blocking.hard)
        }
        return adapter
    }
}
