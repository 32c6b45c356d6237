internal import CBluetooth
internal import Glibc

/// Several descriptors in one (epoll(7)).
@safe final class Poller {
    static let bound = 4

    let number: Int32
    private var events = unsafe [epoll_event](repeating: epoll_event(), count: bound)

    init() throws(SocketError) {
        number = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard number >= 0 else { throw SocketError(code: errno) }
    }

    deinit { close(number) }

    /// Watches a descriptor until it is closed.
    func watch(_ descriptor: Int32) throws(SocketError) {
        var event = unsafe epoll_event()
        unsafe event.events = EPOLLIN.rawValue
        unsafe event.data.fd = descriptor
        guard unsafe epoll_ctl(number, EPOLL_CTL_ADD, descriptor, &event) == 0 else { throw SocketError(code: errno) }
    }

    /// Passes on each descriptor that is readable or broken. Doesn't wait.
    func forEachReady(_ body: (Int32) -> Void) {
        let count = unsafe epoll_wait(number, &events, Int32(Self.bound), 0)
        for index in 0..<max(0, Int(count)) { body(unsafe events[index].data.fd) }
    }
}
