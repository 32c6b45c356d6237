internal import Glibc

/// A detached POSIX thread that runs a closure and blocks all signals, which stay with the program's own threads.
enum Thread {
    static func detach(_ body: @escaping @Sendable () -> Void) throws(MQTTError) {
        let context = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        // A new thread inherits the signal mask.
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        var thread = pthread_t()
        let code = unsafe pthread_create(&thread, nil, threadMain, context)
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        guard code == 0 else {
            unsafe Unmanaged<Body>.fromOpaque(context).release()
            throw MQTTError(systemCall: "pthread_create", code)
        }
        pthread_detach(thread)
    }

    final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}

private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let body = unsafe Unmanaged<Thread.Body>.fromOpaque(context).takeRetainedValue()
    body.run()
    return nil
}
