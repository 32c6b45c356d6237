internal import CBluetooth
internal import Glibc

/// Takes an adapter down and up, in calls that block.
struct AdapterLift: Sendable {
    private static let up: Int32 = 0
    private static let down: Int32 = 1
    private static let reset: Int32 = 2
    private static let pause: UInt32 = 100_000

    let adapter: UInt16
    let channel: ScanSettings.Channel
    /// The switches that turn its device off and on, as read while the device was present.
    let switches: [SystemTree.Switch]

    /// Carries out `lift`; returns 0 or the error number. Blocks for 10 s or more with a controller that hangs.
    func runLift(_ lift: ScanController.Lift) -> Int32 {
        switch lift {
        case .up: return performRequest(Self.up)
        case .down: return performRequest(Self.down)
        case .reset: return performRequest(Self.reset)
        case .downUp:
            let code = performRequest(Self.down)
            // A user channel needs the adapter down.
            if code != 0 || channel == .user { return code }
            usleep(Self.pause)
            return performRequest(Self.up)
        case .power: return ENOSYS
        case .bus:
            var code = ENOENT
            for one in switches {
                code = one.toggle()
                if code == 0 { break }
            }
            return code
        }
    }

    private func performRequest(_ request: Int32) -> Int32 {
        let control = wb_hci_control()
        guard control >= 0 else { return -control }
        defer { close(control) }
        let code = wb_hci_lift(control, adapter, request)
        // An adapter that is already up or down is in the requested state.
        return code == -EALREADY ? 0 : -code
    }
}
