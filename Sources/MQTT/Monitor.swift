internal import Bytes
internal import Glibc

/// A value behind a lock that threads can wait on: `pthread_mutex_t` and `pthread_cond_t`.
///
/// `Synchronization.Mutex` has no condition variable, and the thread sanitizer doesn't support it. The lock is `mutex`:
/// `state` is accessed under it only.
@safe final class Monitor<State>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var state: State

    init(_ state: State) {
        self.state = state
        unsafe mutex = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe condition = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Wakes all threads that wait.
    func broadcast() {
        unsafe pthread_cond_broadcast(condition)
    }

    /// Blocks until `body` returns a result. `body` is called at once, after each `broadcast`, and at the deadline.
    func wait<Result>(until deadline: MonotonicTime, for body: (inout State) -> Result?) -> Result? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        var moment = timespec(
            tv_sec: Int(deadline.nanoseconds / 1_000_000_000), tv_nsec: Int(deadline.nanoseconds % 1_000_000_000))
        while true {
            if let result = body(&state) { return result }
            if unsafe pthread_cond_timedwait(condition, mutex, &moment) == ETIMEDOUT { return body(&state) }
        }
    }
}

extension MonotonicTime {
    /// This moment on CLOCK_MONOTONIC.
    static var now: MonotonicTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The moment `seconds` later; the limit is a year.
    func advanced(bySeconds seconds: Double) -> MonotonicTime {
        self + .seconds(max(0, min(seconds, 31_536_000)))
    }

    /// Milliseconds from now to this moment for `poll(2)`, rounded up; 0 when it has passed.
    func milliseconds(from now: MonotonicTime) -> Int32 {
        let left = (self - now + .nanoseconds(999_999)).milliseconds
        return Int32(max(0, min(left, 3_600_000)))
    }
}
