internal import CLinux
internal import Glibc

/// A thread for work that nobody waits for. It takes no signals, and lets the others run first (nice(2), which Linux takes
/// for the thread alone, and for those that it starts). It ends with its work, or with the process.
public enum BackgroundThread {
    private static let niceness: Int32 = 10

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a thread that does the work. Throws if the process may not have another thread.
    public static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let context = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        // A new thread inherits the signal mask.
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        var thread = pthread_t()
        let code = unsafe pthread_create(&thread, nil, { unsafe BackgroundThread.run($0) }, context)
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        guard code == 0 else {
            unsafe Unmanaged<Work>.fromOpaque(context).release()
            throw SystemError(code: code, context: "pthread_create")
        }
        pthread_detach(thread)
    }

    private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context = unsafe context else { return nil }
        _ = nice(niceness)
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
    }
}
