internal import Bytes
internal import Glibc

extension MonotonicTime {
    /// This moment on CLOCK_MONOTONIC. ContinuousClock would link all of Swift's concurrency, 1 MB, into the programs.
    static var now: MonotonicTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
