internal import CMicroHTTPD
internal import Glibc

/// A daemon of libmicrohttpd without a thread of its own: its owner's thread alone calls it.
@safe final class Daemon {
    private let pointer: OpaquePointer
    /// Readable when `run` has work.
    let descriptor: Int32

    /// Starts to accept connections (MHD_start_daemon). `state` must outlive the daemon.
    ///
    /// The library has a descriptor of its own for the socket: it closes the one that it is given as it ends, and also where
    /// it can't start with a certificate.
    init(
        _ socket: ListeningSocket, _ limits: HTTPLimits, _ certificate: ServerCertificate?, _ state: ServerState
    ) throws(WebError) {
        let owned = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 3)
        guard owned >= 0 else { throw WebError("start the server", code: errno) }
        var settings = unsafe wb_daemon_settings()
        unsafe settings.listen_socket = owned
        unsafe settings.connections = UInt32(limits.connections)
        unsafe settings.connections_per_address = UInt32(limits.connectionsPerAddress)
        unsafe settings.idle_seconds = UInt32(limits.idle.components.seconds)
        unsafe settings.connection_memory = limits.connectionMemory
        unsafe settings.context = Unmanaged.passUnretained(state).toOpaque()
        unsafe DaemonCallbacks.install(in: &settings)
        let started = unsafe Self.start(&settings, certificate)
        guard let started = unsafe started else {
            throw WebError(
                "start the server",
                certificate == nil
                    ? "libmicrohttpd refuses its settings"
                    : "the certificate and the key are no PEM, or don't belong together")
        }
        unsafe pointer = unsafe started
        descriptor = unsafe wb_daemon_descriptor(started)
    }

    /// Copies the certificate and the key for the call; libmicrohttpd reads both before it returns.
    private static func start(
        _ settings: inout wb_daemon_settings, _ certificate: ServerCertificate?
    ) -> OpaquePointer? {
        guard let certificate else { return unsafe wb_start_daemon(&settings) }
        return unsafe (certificate.chain + [0]).withUnsafeBytes { chain in
            unsafe (certificate.key + [0]).withUnsafeBytes { key in
                unsafe settings.certificate = chain.assumingMemoryBound(to: CChar.self).baseAddress
                unsafe settings.key = key.assumingMemoryBound(to: CChar.self).baseAddress
                return unsafe wb_start_daemon(&settings)
            }
        }
    }

    /// Milliseconds after which `run` has work of itself; -1 if only the descriptor or another thread makes some.
    var timeout: Int32 { unsafe wb_daemon_timeout(pointer) }

    /// Accepts, receives, answers and closes, without waiting (MHD_run).
    func run() { _ = unsafe MHD_run(pointer) }

    /// Closes all connections, and ceases to listen. No connection may be suspended.
    func stop() { unsafe MHD_stop_daemon(pointer) }
}
