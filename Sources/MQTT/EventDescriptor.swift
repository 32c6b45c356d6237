internal import CMosquitto
internal import Glibc

/// An `eventfd(2)`: readable from `set` to `clear`. Closed with its last owner.
final class EventDescriptor: Sendable {
    let descriptor: Int32

    init() throws(MQTTError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { throw MQTTError(systemCall: "eventfd", errno) }
    }

    deinit {
        close(descriptor)
    }

    func set() {
        _ = eventfd_write(descriptor, 1)
    }

    func clear() {
        var count: UInt64 = 0
        _ = unsafe eventfd_read(descriptor, &count)
    }
}
