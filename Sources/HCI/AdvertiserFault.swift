internal import Bytes

/// A fault that keeps an adapter from advertising, with its remedy.
public enum AdvertiserFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// A fault that would also keep it from scanning.
    case adapter(RadioFault)
    /// All advertising instances of the controller are in use.
    case taken(String, places: Int)
    /// A controller without extended commands is scanning, and can't begin to advertise meanwhile.
    case scans(String)
    /// The kernel advertises at its own interval on controllers without extended commands.
    case fixedInterval(String)
    /// The controller's power can't be set.
    case fixedPower(String)
    /// The controller doesn't have the requested power; with the nearest one that it has.
    case otherPower(String, asked: Int8, nearest: Int8)
    /// The kernel would put flags before the data.
    case addsFlags(String)
    /// The data is not a sequence of AD structures.
    case malformed
    /// The kernel is older than 5.11.
    case oldKernel
    /// The management interface rejects a step, with a status of its own.
    case refused(String, step: String, status: UInt8)

    /// True if the fault may pass by itself within seconds.
    var passes: Bool {
        switch self {
        case .adapter(.noAdapter), .adapter(.noLE), .adapter(.held), .adapter(.notPermitted), .adapter(.system): false
        case .adapter(.blocked), .adapter(.down), .adapter(.silent), .adapter(.mute), .adapter(.refused), .taken: true
        case .scans, .fixedInterval, .fixedPower, .otherPower, .addsFlags, .malformed, .oldKernel, .refused: false
        }
    }

    /// True if waiting may help an advertiser that was on the air before.
    var isMendable: Bool {
        switch self {
        case .adapter(.notPermitted): false
        case .adapter, .taken, .scans, .refused: true
        case .fixedInterval, .fixedPower, .otherPower, .addsFlags, .malformed, .oldKernel: false
        }
    }

    /// The remedy.
    public var mend: String {
        switch self {
        case .adapter(.refused): "it is tried again; another program may be using the adapter"
        case .adapter(.notPermitted): "run it as root, or give it CAP_NET_ADMIN"
        case .adapter(let fault): fault.mend
        case .taken: "end what else advertises there (bluetoothctl advertise off), or name another adapter"
        case .scans: "end the scan, or use an adapter of Bluetooth 5"
        case .fixedInterval: "leave the interval out, or use an adapter of Bluetooth 5"
        case .fixedPower: "leave the power out, or use an adapter of Bluetooth 5"
        case .otherPower(_, _, let nearest): "ask for \(nearest) dBm"
        case .addsFlags: "begin the data with flags, such as 020106"
        case .malformed: "give AD structures of 1 to 31 bytes together, each with its length before it"
        case .oldKernel: "use Linux 5.11 or later"
        case .refused: "look into dmesg"
        }
    }

    /// The fault, without the remedy.
    public var description: String {
        switch self {
        case .adapter(.held(let name)): "a program has \(name) for itself (a user channel)"
        case .adapter(let fault): "\(fault)"
        case .taken(let name, let places):
            "\(name) can send \(places) \(places == 1 ? "advertisement" : "advertisements") at once, and does"
        case .scans(let name): "\(name) scans, and one of its age can't begin to advertise meanwhile"
        case .fixedInterval(let name): "\(name) is of Bluetooth 4: Linux has it advertise every 100 to 150 ms"
        case .fixedPower(let name): "\(name) is of Bluetooth 4: its power can't be chosen"
        case .otherPower(let name, let asked, let nearest):
            "\(name) can't send with \(asked) dBm; \(nearest) is nearest"
        case .addsFlags(let name): "the data has no flags, and Linux would put its own before it on \(name)"
        case .malformed: "the data is no row of AD structures"
        case .oldKernel: "this Linux can't be told how to advertise"
        case .refused(let name, let step, let status):
            "\(name) refuses \(step) with status 0x\(Hex.text(status, digits: 2))"
        }
    }
}
