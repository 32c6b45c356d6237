internal import Glibc
internal import Synchronization

/// The ports that this process gives to its tests, each once.
///
/// They lie below those that the kernel gives to connections and to listeners that name none (`ip_local_port_range`, from
/// 32,768 on). A process takes one block of them after the other for itself: a name in the abstract namespace of sockets
/// is bound once in a network namespace, as a port is, and is free when the process has ended (unix(7)).
enum PortBlock {
    private static let size: UInt16 = 500
    private static let firsts = Array(stride(from: UInt16(12_000), to: 32_000, by: Int(size)))

    private struct State {
        /// The blocks that this process has not tried to take.
        var untried = firsts.shuffled()
        /// The ports of the block taken last that were not given yet.
        var left: Range<UInt16> = 0..<0
    }

    private static let state = Mutex(State())

    /// The next port for which `isFree` is true; nil if there is none left.
    static func takePort(_ isFree: (UInt16) -> Bool) -> UInt16? {
        state.withLock { state in
            while true {
                if let port = state.left.popFirst() {
                    if isFree(port) { return port }
                } else if let first = state.untried.popLast() {
                    if isTaken(first) { state.left = first..<first + size }
                } else {
                    return nil
                }
            }
        }
    }

    /// Takes a block for this process, until it ends. Returns false if another process has it.
    private static func isTaken(_ first: UInt16) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = [0] + Array("whereabouts-tests-ports-\(first)".utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        if !isBound { close(descriptor) }
        return isBound
    }
}
