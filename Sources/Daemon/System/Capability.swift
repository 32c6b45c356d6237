internal import CLinux

/// A right beyond those of the process's user (capabilities(7)).
public enum Capability: UInt64, Sendable {
    /// To set up network devices, Bluetooth adapters among them (CAP_NET_ADMIN).
    case networkAdministration = 12
    /// To use raw sockets (CAP_NET_RAW).
    case rawSockets = 13

    /// Gives up all but these, for good: for the calling thread and those that it starts from now on; programs that it
    /// starts have none.
    ///
    /// Those that the process never had it doesn't gain. A process of root's is bound by files' rights from then on like
    /// any other user.
    public static func keep(only capabilities: [Capability]) throws(SystemError) {
        guard wb_keep_capabilities(capabilities.reduce(0) { $0 | 1 << $1.rawValue }) == 0 else {
            throw SystemError.last("capset")
        }
    }
}
