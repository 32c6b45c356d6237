internal import Glibc
internal import Synchronization

/// A server of HTTP/1.1 on a thread of its own (libmicrohttpd, epoll).
///
/// It accepts until `stop`, or until it is released. All it holds for clients has a bound of `HTTPLimits`.
public final class HTTPServer: Sendable {
    /// The port that it listens on.
    public let port: UInt16
    private let mailbox: Mailbox
    private let thread: Mutex<pthread_t?>

    /// Listens, and begins to answer.
    ///
    /// - Parameters:
    ///   - host: an address of this machine, or its name.
    ///   - port: 0 for any that is free.
    ///   - certificate: makes it HTTPS.
    public init(
        host: String, port: UInt16, certificate: ServerCertificate? = nil, limits: HTTPLimits = HTTPLimits(),
        handler: any HTTPHandler
    ) throws(WebError) {
        let socket = try ListeningSocket(host: host, port: port)
        self.port = socket.port
        mailbox = try Mailbox()
        let state = ServerState(handler, limits, mailbox)
        let daemon = try Daemon(socket, limits, certificate, state)
        do throws(WebError) {
            thread = Mutex(try ServerThread.start(daemon, state, mailbox, pause: limits.streamPause))
        } catch {
            daemon.stop()
            throw error
        }
    }

    deinit { stop() }

    /// Lets all streams ask their sources again. Any thread may call it. Never blocks.
    public func wakeStreams() { mailbox.postWakeStreams() }

    /// Ends all streams and connections, and the thread. Blocks until that is done; a second call does nothing.
    public func stop() {
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        guard let running else { return }
        mailbox.postEnd()
        pthread_join(running, nil)
    }
}
