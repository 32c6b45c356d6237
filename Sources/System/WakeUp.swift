internal import CLinux
internal import Glibc

/// Ends the wait of a run loop from any other thread (eventfd(2)). Calls before the next wait count as one.
public final class WakeUp: Sendable {
    let descriptor: Descriptor

    init() throws(SystemError) {
        descriptor = try Descriptor(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)), "eventfd")
    }

    /// Lets the loop's current or next wait return. Never blocks.
    public func signal() {
        var one: UInt64 = 1
        // A counter that is full (EAGAIN) wakes as well.
        _ = unsafe write(descriptor.number, &one, 8)
    }

    func clear() {
        var count: UInt64 = 0
        _ = unsafe read(descriptor.number, &count, 8)
    }
}
