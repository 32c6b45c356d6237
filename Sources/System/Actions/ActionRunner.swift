public import Bytes
internal import CLinux
internal import Glibc

/// Runs the programs of reactions: a bounded number at once, each bounded in time and output, none with the service's
/// special rights.
///
/// A program is run as the service's user, by a list of arguments without a shell, in a session and process group of
/// its own, in folder `/`, with umask 077, with no capability and no way to one (no set-user-ID program gives it any),
/// with no open descriptor but its three, no blocked or ignored signal, and with `PATH`, `LANG=C.UTF-8` and the
/// command's own variables for an environment. Its standard input is empty or the command's; its output is read to the
/// end, and the first bytes are retained. After its time limit its group is asked to end (SIGTERM) and later killed
/// (SIGKILL); processes that it leaves behind in its group are killed at its end. It can't leave its group: setsid(2)
/// and setpgid(2) fail, so that it can't become a daemon (seccomp(2), if the kernel has it).
///
/// It uses no thread and no signal handler: one descriptor goes into the run loop.
///
///     let runner = try ActionRunner()
///     runner.start(ActionCommand("logger", ["keys are back"]), label: "on_enter of keys")
///     while true {
///         _ = try loop.wait(readable: [runner.descriptor], until: runner.nextDeadline)
///         for result in runner.advance() { result.write(to: log) }
///     }
public final class ActionRunner {
    /// The bounds of a runner.
    public struct Limits: Hashable, Sendable {
        /// The most programs that run at once.
        public var running = 4
        /// The most commands that wait for one of them to end.
        public var waiting = 32
        /// The most bytes of output that are retained of each.
        public var output = 4096
        /// The time between the request to end and the kill.
        public var patience = Duration.seconds(3)

        /// The limits of a gateway.
        public init() {}
    }

    /// The search path for programs named without a path, and their own `PATH`.
    public static let searchPath = "/usr/local/bin:/usr/bin:/bin"
    /// The most bytes of a standard input.
    public static let inputBound = 65536
    /// The most results that wait to be read; further ones are only counted in `dropped`.
    public static let resultBound = 256

    /// The bounds.
    public let limits: Limits
    /// The number of commands that were never run because too many waited.
    public private(set) var dropped = 0
    private let epoll: Descriptor
    private var running: [RunningAction] = []
    private var waiting: [(command: ActionCommand, label: String)] = []
    private var finished: [ActionResult] = []

    /// A runner without programs.
    public init(limits: Limits = Limits()) throws(SystemError) {
        self.limits = limits
        epoll = try Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), "epoll_create1")
    }

    /// Kills the programs that still run with SIGKILL; `stop` is the gentler way.
    deinit {
        for action in running { action.end(.stopped, now: .start, patience: .zero) }
        for action in running {
            action.end(.stopped, now: .start, patience: .zero)
            while action.reap() == nil { usleep(1000) }
        }
    }

    /// The descriptor, readable when `advance` is to be called.
    public var descriptor: Int32 { epoll.number }

    /// The latest time for the next call of `advance`, on `MonotonicClock`; nil while nothing runs.
    public var nextDeadline: MonotonicTime? {
        finished.isEmpty ? running.map(\.deadline).min() : .distantPast
    }

    /// The number of running programs.
    public var runningCount: Int { running.count }

    /// Runs a command, now or when another has ended; `advance` returns its result under `label`.
    ///
    /// Blocks for the time of a fork and an exec.
    public func start(_ command: ActionCommand, label: String, now: MonotonicTime = MonotonicClock.now()) {
        if running.count < limits.running, waiting.isEmpty {
            launchAction(command, label, now)
        } else if waiting.count < limits.waiting {
            waiting.append((command, label))
        } else {
            dropped += 1
            recordResult(ActionResult(label: label, ending: .dropped))
        }
    }

    /// Reads output, ends programs over their time limit, starts waiting ones, and returns the results of those that
    /// ended. Never blocks except for a fork and an exec.
    public func advance(to now: MonotonicTime = MonotonicClock.now()) -> [ActionResult] {
        for action in running {
            if action.drain() == .end { forgetDescriptor(action.output) }
            if action.deadline <= now { action.end(.timedOut, now: now, patience: patience) }
        }
        takeEnded()
        while running.count < limits.running, !waiting.isEmpty {
            let next = waiting.removeFirst()
            launchAction(next.command, next.label, now)
        }
        defer { finished.removeAll() }
        return finished
    }

    /// Ends all programs and drops the waiting commands. Blocks for `patience` at most, and until the killed programs
    /// have ended.
    public func stop() -> [ActionResult] {
        for one in waiting { recordResult(ActionResult(label: one.label, ending: .stopped)) }
        waiting.removeAll()
        let begin = MonotonicClock.now()
        for action in running { action.end(.stopped, now: begin, patience: patience) }
        let last = begin + patience
        while !running.isEmpty {
            let now = MonotonicClock.now()
            if now >= last { for action in running { action.end(.stopped, now: now, patience: patience) } }
            let wait = now >= last ? 10 : min((last - now).milliseconds + 1, 100)
            var ready = pollfd(fd: epoll.number, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&ready, 1, Int32(wait))
            for action in running where action.drain() == .end { forgetDescriptor(action.output) }
            takeEnded()
        }
        defer { finished.removeAll() }
        return finished
    }

    private var patience: Duration { max(.zero, min(limits.patience, .seconds(60))) }

    private func launchAction(_ command: ActionCommand, _ label: String, _ now: MonotonicTime) {
        do {
            let action = try RunningAction(
                command, label: label, environment: ["PATH": Self.searchPath, "LANG": "C.UTF-8"],
                outputBound: limits.output, now: now)
            running.append(action)
            do {
                try watchDescriptor(action.pidfd)
                try watchDescriptor(action.output)
            } catch {
                // Its end couldn't be observed: it is ended now, and checked at its deadline.
                action.end(.notStarted(error), now: now, patience: .zero)
            }
        } catch {
            recordResult(ActionResult(label: label, ending: .notStarted(error)))
        }
    }

    private func takeEnded() {
        running.removeAll { action in
            guard let result = action.reap() else { return false }
            forgetDescriptor(action.output)
            forgetDescriptor(action.pidfd)
            recordResult(result)
            return true
        }
    }

    private func recordResult(_ result: ActionResult) {
        // Results of commands that never ran must not displace those of commands that did.
        let bound = result.ending == .dropped ? Self.resultBound / 2 : Self.resultBound
        if finished.count < bound { finished.append(result) }
    }

    private func watchDescriptor(_ descriptor: Descriptor) throws(SystemError) {
        var event = unsafe epoll_event()
        unsafe event.events = EPOLLIN.rawValue
        guard unsafe epoll_ctl(epoll.number, EPOLL_CTL_ADD, descriptor.number, &event) == 0 else {
            throw SystemError.last("epoll_ctl")
        }
    }

    /// Removes a descriptor from the watch; one that isn't watched is no fault.
    private func forgetDescriptor(_ descriptor: Descriptor) {
        var event = unsafe epoll_event()
        _ = unsafe epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor.number, &event)
    }
}
