internal import Bytes
internal import CMicroHTTPD
internal import Glibc

/// The thread of a server: it alone calls libmicrohttpd and the handler.
///
/// It blocks all signals, which stay with the program's own threads, and lets those run first.
final class ServerThread {
    private let daemon: Daemon
    private let state: ServerState
    private let mailbox: Mailbox
    private let pause: Duration
    private var nextSweep = MonotonicTime.now
    private var nextFilling = MonotonicTime.now
    private var areStreamsWoken = false

    private static let lastRuns = 4
    private static let sweepPause: Duration = .milliseconds(500)

    private init(_ daemon: Daemon, _ state: ServerState, _ mailbox: Mailbox, pause: Duration) {
        self.daemon = daemon
        self.state = state
        self.mailbox = mailbox
        self.pause = pause
    }

    /// Starts the thread, which owns the daemon and its state from then on. Returns it, to be joined.
    static func start(
        _ daemon: Daemon, _ state: ServerState, _ mailbox: Mailbox, pause: Duration
    ) throws(WebError) -> pthread_t {
        let thread = ServerThread(daemon, state, mailbox, pause: pause)
        let context = unsafe Unmanaged.passRetained(thread).toOpaque()
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        // A new thread inherits the signal mask.
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        var identifier = pthread_t()
        let code = unsafe pthread_create(&identifier, nil, threadMain, context)
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        guard code == 0 else {
            unsafe Unmanaged<ServerThread>.fromOpaque(context).release()
            throw WebError("pthread_create", code: code)
        }
        return identifier
    }

    func run() {
        wb_yield_to_others()
        while true {
            wait()
            let wishes = mailbox.take()
            state.resumeAnswered(wishes.answered)
            if wishes.ends { break }
            areStreamsWoken = areStreamsWoken || wishes.wakesStreams
            passTime()
            // At its bound of connections the library stops to listen, and begins again only when it runs the next time.
            repeat { daemon.run() } while state.takeClosed()
        }
        state.resumeAll()
        // The library sends the head of an answer in one run, and its body in a later one.
        for _ in 0..<Self.lastRuns { daemon.run() }
        daemon.stop()
    }

    /// Waits for the network, for other threads, and for what is due.
    private func wait() {
        var due: [MonotonicTime] = []
        if areStreamsWoken { due.append(nextFilling) }
        if state.isBusy { due.append(nextSweep) }
        var timeout = daemon.timeout
        if let first = due.min() {
            let left = max(.zero, first - .now) / .milliseconds(1)
            let milliseconds = Int32(left.rounded(.up))
            timeout = timeout < 0 ? milliseconds : min(timeout, milliseconds)
        }
        var waiting = [
            pollfd(fd: daemon.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        _ = unsafe poll(&waiting, nfds_t(waiting.count), timeout)
    }

    private func passTime() {
        let now = MonotonicTime.now
        if areStreamsWoken, now >= nextFilling {
            areStreamsWoken = false
            nextFilling = now + pause
            state.resumeStreams(areWoken: true)
        }
        guard now >= nextSweep else { return }
        nextSweep = now + Self.sweepPause
        state.resumeStreams(areWoken: false)
        state.enforceTimes()
    }
}

private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<ServerThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
