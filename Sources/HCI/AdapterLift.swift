internal import CBluetooth
internal import Glibc

/// What takes an adapter down and up, in calls that block.
struct AdapterLift: Sendable {
    private static let up: Int32 = 0
    private static let down: Int32 = 1
    private static let pause: UInt32 = 100_000

    let adapter: UInt16
    let channel: ScanSettings.Channel
    /// How its device is turned off and on, as it was known while it was there.
    let switches: [SystemTree.Switch]

    /// Does it; 0, or the number of the error. Blocks up to 10 s and more with a controller that hangs.
    func run(_ lift: RadioPilot.Lift) -> Int32 {
        switch lift {
        case .up: return request(Self.up)
        case .down: return request(Self.down)
        case .downUp:
            let code = request(Self.down)
            // A user channel wants it down.
            if code != 0 || channel == .user { return code }
            usleep(Self.pause)
            return request(Self.up)
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

    private func request(_ request: Int32) -> Int32 {
        let control = wb_hci_control()
        guard control >= 0 else { return -control }
        defer { close(control) }
        let code = wb_hci_lift(control, adapter, request)
        // Up already, or down: that is what was asked for.
        return code == -EALREADY ? 0 : -code
    }
}
