internal import Bytes

/// One request with its answer, from its first line to its last byte. Lives on the server's thread.
@safe final class HTTPExchange {
    /// The step that an exchange has reached.
    enum Phase {
        /// The target is known, and the head is being received.
        case head
        /// The body is being received.
        case body(HTTPRequest)
        /// Another thread is to give the answer; the connection is suspended.
        case waiting(DeferredAnswer, since: MonotonicTime)
        /// The answer is there, and is held back until a moment; the connection is suspended.
        case delayed(HTTPResponse, until: MonotonicTime)
        /// The answer is there, and the connection was resumed to send it.
        case ready(HTTPResponse)
        /// The answer is being sent.
        case answered
        /// Events are being sent.
        case streaming(StreamReader)
    }

    /// Its number, which is never used again.
    let number: UInt64
    /// The handle of libmicrohttpd for the connection.
    let handle: OpaquePointer
    let connection: HTTPConnection
    /// The target as it was sent.
    let target: [UInt8]
    var phase = Phase.head
    /// The length of the request's body in bytes.
    var bodyBytes = 0

    init(_ number: UInt64, handle: OpaquePointer, connection: HTTPConnection, target: [UInt8]) {
        self.number = number
        unsafe self.handle = unsafe handle
        self.connection = connection
        self.target = target
    }
}
