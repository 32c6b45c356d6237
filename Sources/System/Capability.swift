internal import CLinux

/// A right beyond those of the process's user (capabilities(7)).
public enum Capability: UInt64, CaseIterable, Sendable {
    /// The right to set up network devices, Bluetooth adapters among them.
    case networkAdministration = 12
    /// The right to use raw sockets, HCI's among them.
    case rawSockets = 13

    /// The capability's name, such as `CAP_NET_RAW`.
    public var name: String {
        switch self {
        case .networkAdministration: "CAP_NET_ADMIN"
        case .rawSockets: "CAP_NET_RAW"
        }
    }

    /// True if this process may use it now.
    public var isEffective: Bool { wb_has_capability(Int32(rawValue)) > 0 }

    /// Gives up all but these, permanently: for the calling thread and those that it starts from now on; programs that
    /// it starts have none.
    ///
    /// The process doesn't gain any that it never had. A root process is bound by files' permissions from then on, like
    /// any other user.
    public static func keep(only capabilities: [Capability]) throws(SystemError) {
        guard wb_keep_capabilities(capabilities.reduce(0) { $0 | 1 << $1.rawValue }) == 0 else {
            throw SystemError.last("capset")
        }
    }
}
