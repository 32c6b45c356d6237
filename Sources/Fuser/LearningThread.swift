internal import HouseTracking
internal import Synchronization
internal import System

/// A thread of its own for what takes seconds to learn, so that no message waits for it.
///
/// One task at a time: whoever starts it takes the result, when the loop was woken, before the next.
final class LearningThread: Sendable {
    private let result = Mutex<Learned?>(nil)
    private let wakeUp: WakeUp

    /// - Parameter wakeUp: what ends the wait of the loop when there is a result.
    init(wakeUp: WakeUp) {
        self.wakeUp = wakeUp
    }

    /// Begins a task. Where there can be no thread, it is done at once, and the call blocks for as long.
    func startTask(_ task: LearningTask) {
        let work: @Sendable () -> Void = { [self] in
            let learned = task.run()
            result.withLock { $0 = learned }
            wakeUp.signal()
        }
        do { try BackgroundThread.start(work) } catch { work() }
    }

    /// The result of the last training; nil if it was returned before.
    func takeLearned() -> Learned? {
        result.withLock { learned in
            defer { learned = nil }
            return learned
        }
    }
}
