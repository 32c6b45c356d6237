internal import CLinux
internal import Glibc

/// A right that a process may hold apart from root's (capabilities(7)).
public enum Capability: Int32, CaseIterable, Sendable {
    /// To administer network devices, Bluetooth adapters among them.
    case netAdmin = 12
    /// To open raw sockets, HCI's among them.
    case netRaw = 13

    /// Its name, such as `CAP_NET_RAW`.
    public var name: String {
        switch self {
        case .netAdmin: "CAP_NET_ADMIN"
        case .netRaw: "CAP_NET_RAW"
        }
    }

    /// Whether this process may use it now.
    public var isEffective: Bool { wb_has_capability(rawValue) > 0 }
}
