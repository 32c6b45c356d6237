public import Bytes
internal import CLinux
internal import Glibc

/// The wait of one thread for descriptors, a deadline, signals, and other threads (poll(2)).
///
/// Make it before any other thread starts, so that all of them inherit the blocked signals and only this loop receives
/// them (signalfd(2)). The deadline is a timerfd on CLOCK_BOOTTIME: a machine that slept past it wakes the loop at
/// once.
///
///     let loop = try RunLoop()
///     while true {
///         let ready = try loop.wait(readable: [socket], until: stage.nextDeadline)
///         if ready.shouldEnd { break }
///         …
///     }
public final class RunLoop {
    /// A signal that the loop reports.
    public enum Signal: Int32, CaseIterable, Sendable {
        /// Read the files again (SIGHUP); in a program without such files, end: its terminal was closed.
        case hangUp = 1
        /// End: ^C (SIGINT).
        case interrupt = 2
        /// End: the service manager (SIGTERM).
        case terminate = 15
    }

    /// The reasons why a wait ended; several may apply at once.
    public struct Ready: Hashable, Sendable {
        /// Descriptors that are readable, ended or failed, in the given order.
        public var readable: [Int32] = []
        /// The signals since the last wait, each once.
        public var signals: Set<Signal> = []
        /// True if another thread requested it.
        public var wokenUp = false
        /// True if the deadline has passed.
        public var deadlineReached = false

        /// True if the program was asked to end.
        public var shouldEnd = false
    }

    /// The most descriptors of one wait; more are a fault of the caller.
    public static let descriptorBound = 1000

    /// Ends the wait from another thread.
    public let wakeUp: WakeUp
    private let timer: Descriptor
    private let signals: Descriptor
    private var armed: MonotonicTime?
    private var before = sigset_t()
    private let reloads: Bool
    /// True if a signal that asks the program to end was reported.
    private var isEnding = false

    /// A loop for the calling thread, which blocks `SIGINT`, `SIGTERM` and `SIGHUP` from now on.
    ///
    /// `SIGHUP` asks the program to end, unless it `reloads` its files.
    ///
    /// The signals are unblocked when the loop is released, unless one of them asked the program to end: a second ^C would
    /// otherwise kill a program that is ending already, and its exit status would be the signal's instead of its own.
    public init(reloads: Bool = false) throws(SystemError) {
        self.reloads = reloads
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in Signal.allCases { unsafe sigaddset(&set, signal.rawValue) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, &before)
        let flags = Int32(SFD_CLOEXEC | SFD_NONBLOCK)
        signals = try Descriptor(unsafe signalfd(-1, &set, flags), "signalfd")
        timer = try Descriptor(
            timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK)), "timerfd_create")
        wakeUp = try WakeUp()
    }

    deinit {
        if !isEnding { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    }

    /// Waits until a descriptor is readable, the deadline has passed, a signal arrived or another thread called.
    ///
    /// `deadline` is on `MonotonicClock`; one in the past returns at once, nil waits for the rest alone.
    public func wait(readable descriptors: [Int32] = [], until deadline: MonotonicTime? = nil) throws(SystemError)
        -> Ready
    {
        precondition(descriptors.count <= Self.descriptorBound, "too many descriptors")
        try armTimer(deadline)
        let mine = [signals.number, wakeUp.descriptor.number, timer.number]
        var waiting = (mine + descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while unsafe poll(&waiting, nfds_t(waiting.count), -1) < 0 {
            guard errno == EINTR else { throw SystemError.last("poll") }
        }
        var ready = Ready()
        if waiting[0].revents != 0 { ready.signals = pendingSignals() }
        ready.shouldEnd = ready.signals.contains { $0 != .hangUp || !reloads }
        if ready.shouldEnd { isEnding = true }
        if waiting[1].revents != 0 {
            wakeUp.clear()
            ready.wokenUp = true
        }
        if let deadline, waiting[2].revents != 0 || deadline <= MonotonicClock.now() {
            ready.deadlineReached = true
            armed = nil
        }
        ready.readable = waiting.dropFirst(mine.count).filter { $0.revents != 0 }.map(\.fd)
        return ready
    }

    /// Sets the timer if the deadline differs from the last one.
    private func armTimer(_ deadline: MonotonicTime?) throws(SystemError) {
        guard deadline != armed else { return }
        // A zero would disarm the timer; a moment in the past fires at once.
        let moment = max(1, deadline?.nanoseconds ?? 0)
        var setting = itimerspec()
        if deadline != nil {
            setting.it_value = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
        }
        guard unsafe timerfd_settime(timer.number, Int32(TFD_TIMER_ABSTIME), &setting, nil) == 0 else {
            throw SystemError.last("timerfd_settime")
        }
        armed = deadline
    }

    private func pendingSignals() -> Set<Signal> {
        var found: Set<Signal> = []
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        while unsafe read(signals.number, &information, size) == size {
            if let signal = Signal(rawValue: Int32(information.ssi_signo)) { found.insert(signal) }
        }
        return found
    }
}
