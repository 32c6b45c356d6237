internal import Glibc

/// A TCP client that sends what it is told, well-formed or not.
public final class RawClient {
    private let descriptor: Int32

    /// Connects to a port of 127.0.0.1, from any other loopback address if one is given.
    public init(port: UInt16, from source: String? = nil, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        if let source { _ = Self.with(source, 0) { bind(descriptor, $0, $1) } }
        guard Self.with("127.0.0.1", port, { connect(descriptor, $0, $1) }) == 0 else { throw SystemError(code: errno) }
    }

    deinit { close(descriptor) }

    /// Sends all bytes; false if the other end has closed.
    @discardableResult
    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends all bytes; false if the other end has closed.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Closes its direction: nothing more is sent.
    public func shutdownSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Receives until the text holds `end`, the other end closes, or `seconds` have passed.
    public func receive(until end: String? = nil, seconds: Double = 5) -> String {
        let clock = ContinuousClock()
        let limit = clock.now + .seconds(seconds)
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while clock.now < limit {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 50) > 0 else { continue }
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            received += chunk[..<count]
            if let end, String(decoding: received, as: UTF8.self).contains(end) { break }
        }
        return String(decoding: received, as: UTF8.self)
    }

    /// True if the other end has closed, or closes within `seconds`.
    public func isClosed(within seconds: Double) -> Bool {
        let clock = ContinuousClock()
        let limit = clock.now + .seconds(seconds)
        var chunk = [UInt8](repeating: 0, count: 65536)
        repeat {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 50) > 0 else { continue }
            if recv(descriptor, &chunk, chunk.count, 0) <= 0 { return true }
        } while clock.now < limit
        return false
    }

    private static func with<R>(
        _ host: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
    ) -> R {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
