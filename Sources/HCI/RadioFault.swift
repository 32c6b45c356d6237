internal import Bytes

/// A fault that keeps a node from receiving, with its remedy.
public enum RadioFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The chosen adapter is absent.
    case noAdapter(AdapterChoice)
    /// Its rfkill switch blocks it.
    case blocked(String, isHard: Bool)
    /// It is down, set so by another program.
    case down(String)
    /// It has no Bluetooth LE.
    case noLE(String)
    /// The process lacks a capability for a call.
    case notPermitted(String)
    /// Another program uses it exclusively (EBUSY).
    case held(String)
    /// It doesn't answer commands.
    case silent(String)
    /// It answers commands and receives nothing, though many beacons sent shortly before.
    case mute(String)
    /// It rejects a command, with an error code of Core Vol 1 Part F.
    case refused(String, opcode: UInt16, status: UInt8)
    /// The kernel reports another error (errno(3)).
    case system(call: String, code: Int32)

    /// The fault's name in `info`.
    public var name: String {
        switch self {
        case .noAdapter: "no_adapter"
        case .blocked: "adapter_blocked"
        case .down: "adapter_down"
        case .noLE: "no_le"
        case .notPermitted: "not_permitted"
        case .held: "adapter_held"
        case .silent: "adapter_silent"
        case .mute: "adapter_mute"
        case .refused: "command_refused"
        case .system: "system_error"
        }
    }

    /// The remedy.
    public var mend: String {
        switch self {
        case .noAdapter(.auto): "plug one in, or look why the kernel has no driver for it (dmesg)"
        case .noAdapter: "plug it in, or name one that is there: hciconfig -a lists them; hci:auto takes the first"
        case .blocked(_, isHard: true): "turn the machine's radio switch on"
        case .blocked(_, isHard: false): "rfkill unblock bluetooth"
        case .down: "it is taken up again in a moment"
        case .noLE: "use an adapter of Bluetooth 4.0 or later"
        case .notPermitted:
            "give the service CAP_NET_RAW and CAP_NET_ADMIN (systemd: AmbientCapabilities=CAP_NET_RAW CAP_NET_ADMIN)"
        case .held: "end the program that has the adapter for itself (a user channel), or name another adapter"
        case .silent, .mute: "it is being reset; if that doesn't help, unplug it or power the machine off and on"
        case .refused: "the scan is being set up anew; another program may be using the adapter"
        case .system(_, ErrorNumber.noSuchFamily): "load the kernel's Bluetooth: modprobe bluetooth"
        case .system: "look into dmesg"
        }
    }

    /// The fault, without the remedy.
    public var description: String {
        switch self {
        case .noAdapter(.auto): "there is no Bluetooth adapter"
        case .noAdapter(let choice): "there is no adapter \(choice)"
        case .blocked(let name, isHard: true): "\(name) is blocked by a switch of the machine (rfkill)"
        case .blocked(let name, isHard: false): "\(name) is blocked (rfkill)"
        case .down(let name): "\(name) was taken down"
        case .noLE(let name): "\(name) has no Bluetooth LE"
        case .notPermitted(let call): "not permitted: \(call)"
        case .held(let name): "another program has \(name) for itself"
        case .silent(let name): "\(name) doesn't answer"
        case .mute(let name): "\(name) answers and hears nothing more"
        case .refused(let name, let opcode, let status):
            "\(name) refuses command 0x\(Hex.text(opcode, digits: 4)) with status 0x\(Hex.text(status, digits: 2))"
        case .system(let call, let code): "\(call): \(ErrorNumber.text(code))"
        }
    }
}
