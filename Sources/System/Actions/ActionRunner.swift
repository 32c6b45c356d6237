internal import Bytes
internal import CLinux
internal import Glibc

/// Runs the programs of reactions: a bounded number at once, each bounded in time and output, none with a right that the
/// service has.
///
/// A program is run as the service's user, by a list of arguments without a shell, in a session and process group of its
/// own, in folder `/`, with umask 077, with no capability and no way to one (no set-user-ID program gives it any), with
/// no open descriptor but its three, no blocked or ignored signal, and with `PATH`, `LANG=C.UTF-8` and the command's own
/// variables for an environment. Its standard input is empty or the command's; what it prints is read to its end, and the
/// first bytes are kept. After its time limit its group is asked to end (SIGTERM) and later killed (SIGKILL); what it
/// leaves behind in its group is killed when it ends. It can't leave its group: setsid(2) and setpgid(2) fail, and with
/// them a program that turns itself into a daemon (seccomp(2), where the kernel has it).
///
/// No thread and no signal handler: one descriptor goes into the run loop.
///
///     let runner = try ActionRunner()
///     runner.start(ActionCommand("logger", ["keys are back"]), label: "on_enter of keys")
///     while true {
///         _ = try loop.wait(readable: [runner.descriptor], until: runner.nextDeadline)
///         for result in runner.advance() { result.write(to: log) }
///     }
public final class ActionRunner {
    /// How much is run and kept.
    public struct Limits: Hashable, Sendable {
        /// Programs that run at once.
        public var running = 4
        /// Commands that wait for one of them to end.
        public var waiting = 32
        /// Bytes of output that are kept of each.
        public var output = 4096
        /// How long a program has between being asked to end and being killed.
        public var patience = Duration.seconds(3)

        /// The limits of a gateway.
        public init() {}
    }

    /// Where programs named without a path are looked for; it is their `PATH` as well.
    public static let searchPath = "/usr/local/bin:/usr/bin:/bin"
    /// The most bytes of a standard input.
    public static let inputBound = 65536
    /// The most results that wait to be taken; of further ones only `dropped` tells.
    public static let resultBound = 256

    /// The limits.
    public let limits: Limits
    /// Commands that were never run because too many waited.
    public private(set) var dropped = 0
    private let epoll: Descriptor
    private var running: [RunningAction] = []
    private var waiting: [(command: ActionCommand, label: String)] = []
    private var finished: [ActionResult] = []

    /// A runner that runs nothing yet.
    public init(limits: Limits = Limits()) throws(SystemError) {
        self.limits = limits
        epoll = try Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), "epoll_create1")
    }

    /// What the programs that still run get is SIGKILL; `stop` is the gentler way.
    deinit {
        for action in running { action.end(.stopped, now: 0, patience: 0) }
        for action in running {
            action.end(.stopped, now: 0, patience: 0)
            while action.reap() == nil { usleep(1000) }
        }
    }

    /// Readable when `advance` is to be called.
    public var descriptor: Int32 { epoll.number }

    /// When `advance` is to be called at the latest, in nanoseconds on `MonotonicClock`; nil while nothing runs.
    public var nextDeadline: Int64? {
        finished.isEmpty ? running.map(\.deadline).min() : .min
    }

    /// How many programs run.
    public var runningCount: Int { running.count }

    /// Runs a command, now or when another has ended; what becomes of it is told by `advance`, under `label`.
    ///
    /// Blocks for the time of a fork and an exec.
    public func start(_ command: ActionCommand, label: String, now: Int64 = MonotonicClock.now()) {
        if running.count < limits.running, waiting.isEmpty {
            launch(command, label, now)
        } else if waiting.count < limits.waiting {
            waiting.append((command, label))
        } else {
            dropped += 1
            tell(ActionResult(label: label, ending: .dropped))
        }
    }

    /// Reads what was printed, ends what has run too long, starts what waits, and gives what has ended. Never blocks
    /// but for a fork and an exec.
    public func advance(to now: Int64 = MonotonicClock.now()) -> [ActionResult] {
        for action in running {
            if action.drain() == .end { forget(action.output) }
            if action.deadline <= now { action.end(.timedOut, now: now, patience: patience) }
        }
        takeEnded()
        while running.count < limits.running, !waiting.isEmpty {
            let next = waiting.removeFirst()
            launch(next.command, next.label, now)
        }
        defer { finished.removeAll() }
        return finished
    }

    /// Ends all programs and drops what waits. Blocks for `patience` at most, and until the killed have gone.
    public func stop() -> [ActionResult] {
        for one in waiting { tell(ActionResult(label: one.label, ending: .stopped)) }
        waiting.removeAll()
        let begin = MonotonicClock.now()
        for action in running { action.end(.stopped, now: begin, patience: patience) }
        let last = begin &+ patience
        while !running.isEmpty {
            let now = MonotonicClock.now()
            if now >= last { for action in running { action.end(.stopped, now: now, patience: patience) } }
            let wait = now >= last ? 10 : min((last - now) / 1_000_000 + 1, 100)
            var ready = pollfd(fd: epoll.number, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&ready, 1, Int32(wait))
            for action in running where action.drain() == .end { forget(action.output) }
            takeEnded()
        }
        defer { finished.removeAll() }
        return finished
    }

    private var patience: Int64 { max(0, min(limits.patience.milliseconds, 60_000)) * 1_000_000 }

    private func launch(_ command: ActionCommand, _ label: String, _ now: Int64) {
        do {
            let action = try RunningAction(
                command, label: label, environment: ["PATH": Self.searchPath, "LANG": "C.UTF-8"],
                outputBound: limits.output, now: now)
            running.append(action)
            do {
                try watch(action.pidfd)
                try watch(action.output)
            } catch {
                // Nobody would see it end: it is ended now, and looked at when its deadline comes.
                action.end(.notStarted(error), now: now, patience: 0)
            }
        } catch {
            tell(ActionResult(label: label, ending: .notStarted(error)))
        }
    }

    private func takeEnded() {
        running.removeAll { action in
            guard let result = action.reap() else { return false }
            forget(action.output)
            forget(action.pidfd)
            tell(result)
            return true
        }
    }

    private func tell(_ result: ActionResult) {
        // What never ran must not crowd out what did.
        let bound = result.ending == .dropped ? Self.resultBound / 2 : Self.resultBound
        if finished.count < bound { finished.append(result) }
    }

    private func watch(_ descriptor: Descriptor) throws(SystemError) {
        var event = unsafe epoll_event()
        unsafe event.events = EPOLLIN.rawValue
        guard unsafe epoll_ctl(epoll.number, EPOLL_CTL_ADD, descriptor.number, &event) == 0 else {
            throw SystemError.last("epoll_ctl")
        }
    }

    /// A descriptor that is no longer watched already is no fault.
    private func forget(_ descriptor: Descriptor) {
        var event = unsafe epoll_event()
        _ = unsafe epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor.number, &event)
    }
}
