internal import Glibc

/// A port that listens and answers nothing: it detects attempts to connect.
public final class Listener {
    private let descriptor: Int32
    /// Its port of 127.0.0.1.
    public let port: UInt16

    /// Listens on a free port.
    public init() throws {
        let socket = try ListeningSocket(Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue))
        (descriptor, port) = (socket.descriptor, socket.port)
    }

    deinit { close(descriptor) }

    /// True if there was a connection since the last call.
    public var wasReached: Bool {
        let connection = accept(descriptor, nil, nil)
        if connection >= 0 { close(connection) }
        return connection >= 0
    }
}
