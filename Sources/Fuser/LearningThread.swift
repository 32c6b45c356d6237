internal import Glibc
internal import HouseTracking
internal import Synchronization
internal import System

/// A thread of its own for what takes seconds to learn, so that no message waits for it.
///
/// One task at a time: whoever starts it takes the result, when the loop was woken, before the next. The thread takes no
/// signals and as little of the processor as it is left (nice(2), which Linux takes for the thread alone); it ends with
/// its task, or with the process.
final class LearningThread: Sendable {
    private let result = Mutex<Learned?>(nil)
    private let wakeUp: WakeUp

    /// - Parameter wakeUp: what ends the wait of the loop when there is a result.
    init(wakeUp: WakeUp) {
        self.wakeUp = wakeUp
    }

    /// Begins a task. Where there can be no thread, it is done at once, and the call blocks for as long.
    func startTask(_ task: LearningTask) {
        let work = Work { [self] in
            let learned = task.run()
            result.withLock { $0 = learned }
            wakeUp.signal()
        }
        let context = unsafe Unmanaged.passRetained(work).toOpaque()
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        // A thread starts with its maker's mask.
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        var thread = pthread_t()
        let code = unsafe pthread_create(&thread, nil, runLearning, context)
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        guard code == 0 else {
            unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
            return
        }
        pthread_detach(thread)
    }

    /// The result of the last training; nil if it was returned before.
    func takeLearned() -> Learned? {
        result.withLock { learned in
            defer { learned = nil }
            return learned
        }
    }

    fileprivate final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}

private func runLearning(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    _ = nice(10)
    unsafe Unmanaged<LearningThread.Work>.fromOpaque(context).takeRetainedValue().body()
    return nil
}
