internal import Glibc

/// The result of `poll(2)` for a connection's socket and the descriptor that wakes its thread.
struct Readiness {
    /// The events of the socket.
    var socket: Int16 = 0

    /// Blocks until one of them is ready. Clears the wake.
    static func wait(socket: Int32, writing: Bool, wake: EventDescriptor, milliseconds: Int32) -> Readiness {
        // poll ignores a negative descriptor.
        var descriptors = (
            pollfd(fd: socket, events: Int16(POLLIN) | (writing ? Int16(POLLOUT) : 0), revents: 0),
            pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
        )
        let count = unsafe withUnsafeMutablePointer(to: &descriptors) {
            unsafe $0.withMemoryRebound(to: pollfd.self, capacity: 2) { unsafe poll($0, 2, milliseconds) }
        }
        guard count > 0 else { return Readiness() }
        if descriptors.1.revents != 0 { wake.clear() }
        return Readiness(socket: descriptors.0.revents)
    }
}
