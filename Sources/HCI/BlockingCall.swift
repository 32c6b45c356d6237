internal import CBluetooth
internal import Glibc
internal import Synchronization

/// A call that may take seconds, on a thread of its own that ends with it. `descriptor` becomes readable at its end.
final class BlockingCall: Sendable {
    let descriptor: Int32
    private let outcome = Atomic<Int32>(.max)

    /// Begins the call, which returns 0 or an error number.
    init(_ body: @escaping @Sendable () -> Int32) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        // The thread holds this object until the call has ended; the program doesn't wait for it at its end.
        let context = unsafe Unmanaged.passRetained(Work(self, body)).toOpaque()
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        // A new thread inherits the signal mask: all signals stay with the program's own threads.
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        var thread = pthread_t()
        let code = unsafe pthread_create(&thread, nil, runWork, context)
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        if code == 0 {
            pthread_detach(thread)
        } else {
            unsafe Unmanaged<Work>.fromOpaque(context).release()
            end(code)
        }
    }

    deinit { close(descriptor) }

    /// The call's result; nil while it runs.
    var result: Int32? {
        let value = outcome.load(ordering: .acquiring)
        return value == .max ? nil : value
    }

    fileprivate func end(_ code: Int32) {
        outcome.store(code, ordering: .releasing)
        _ = eventfd_write(descriptor, 1)
    }
}

private final class Work: Sendable {
    let call: BlockingCall
    let body: @Sendable () -> Int32

    init(_ call: BlockingCall, _ body: @escaping @Sendable () -> Int32) {
        self.call = call
        self.body = body
    }
}

private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let work = unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
    work.call.end(work.body())
    return nil
}
