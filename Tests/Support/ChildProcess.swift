internal import Glibc

/// A program started by a test and ended by its process id.
///
/// `posix_spawn` with an empty signal mask and default signals: a child of a test's thread would otherwise inherit
/// blocked signals, and then SIGTERM has no effect.
public final class ChildProcess: @unchecked Sendable {
    // `status` is written by `poll` and `wait`, which a test calls from one place at a time.
    /// Its process id.
    public let processID: Int32
    private var status: Int32?
    /// More than tests open at once.
    private static let descriptors: Int32 = 4096

    /// Starts a program. Its output goes to a file, which is made anew, or nowhere. Throws the errno if it cannot be
    /// started.
    ///
    /// - Parameter input: the file of its standard input; of a named pipe the caller must hold the other end, else this
    ///   blocks.
    public init(
        _ path: String, _ arguments: [String], environment: [String]? = nil, input: String = "/dev/null",
        output: String = "/dev/null", errors: String? = nil
    ) throws {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        if let errors {
            posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        } else {
            posix_spawn_file_actions_adddup2(&actions, 1, 2)
        }
        // Otherwise a connection that one test closes stays open in another's child.
        for descriptor in 3..<Self.descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

        var words = ([path] + arguments).map { strdup($0) }
        words.append(nil)
        var variables = environment.map { $0.map { strdup($0) } + [nil] }
        defer {
            for word in words { free(word) }
            for variable in variables ?? [] { free(variable) }
        }
        var identifier: pid_t = 0
        let code =
            if variables != nil {
                posix_spawnp(&identifier, path, &actions, &attributes, &words, &variables!)
            } else {
                posix_spawnp(&identifier, path, &actions, &attributes, &words, environ)
            }
        guard code == 0 else { throw SystemError(code: code) }
        processID = identifier
    }

    deinit {
        if status == nil {
            send(SIGKILL)
            wait()
        }
    }

    /// Sends it a signal, unless it has ended.
    public func send(_ signal: Int32) {
        if status == nil { kill(processID, signal) }
    }

    /// Asks it to end (SIGTERM).
    public func terminate() { send(SIGTERM) }

    /// True while it runs.
    public var isRunning: Bool {
        if status == nil {
            var result: Int32 = 0
            if waitpid(processID, &result, WNOHANG) == processID { status = result }
        }
        return status == nil
    }

    /// Blocks until it has ended. Returns its exit status, or 128 and the number of the signal that killed it.
    @discardableResult
    public func wait() -> Int32 {
        while status == nil {
            var result: Int32 = 0
            let code = waitpid(processID, &result, 0)
            if code == processID || (code < 0 && errno != EINTR) { status = result }
        }
        let result = status ?? 0
        return result & 0x7F == 0 ? (result >> 8) & 0xFF : 128 + (result & 0x7F)
    }

    /// Waits until it has ended, for at most `seconds`; then kills it. Returns its status as `wait` does.
    public func wait(atMost seconds: Double) -> Int32 {
        if !waitUntil(seconds, { !isRunning }) { send(SIGKILL) }
        return wait()
    }
}

/// An errno, for tests.
public struct SystemError: Error, CustomStringConvertible {
    /// The errno.
    public var code: Int32

    /// The error of an errno.
    public init(code: Int32) {
        self.code = code
    }

    /// Its description.
    public var description: String { String(cString: strerror(code)) }
}

/// Waits for a condition that another thread or process causes, for at most `seconds`; true if it came.
public func waitUntil(_ seconds: Double, _ condition: () -> Bool) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while !condition() {
        guard clock.now < end else { return condition() }
        usleep(2000)
    }
    return true
}
