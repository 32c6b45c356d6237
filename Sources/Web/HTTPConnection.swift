internal import Bytes

/// One connection of a client, on the server's thread.
final class HTTPConnection {
    let socket: Int32
    /// The beginning of its request, or the end of the answer before.
    var since: MonotonicTime
    /// The request that is being received or answered.
    var exchange: HTTPExchange?

    init(socket: Int32, since: MonotonicTime) {
        self.socket = socket
        self.since = since
    }
}
