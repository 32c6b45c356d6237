internal import Glibc

/// A port before another port, whose line can be cut: then nothing goes through, and no end of it hears of that.
public final class Relay: @unchecked Sendable {
    // No program that is started meanwhile may hold an end of it open.
    private static let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    private let listener: Int32
    private let target: UInt16
    private var lock = pthread_mutex_t()
    private var isCut = false
    private var hasEnded = false
    private var thread = pthread_t()
    /// Its port of 127.0.0.1.
    public let port: UInt16

    /// Listens on a free port, and connects each connection with `target` of 127.0.0.1.
    public init(to target: UInt16) throws {
        self.target = target
        let listener = socket(AF_INET, Self.kind, 0)
        self.listener = listener
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0
                    ? getsockname(listener, $0, &length) : -1
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard code == 0 else { throw SystemError(code: errno) }
        pthread_mutex_init(&lock, nil)
        let box = Unmanaged.passUnretained(self).toOpaque()
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Relay>.fromOpaque(context).takeUnretainedValue().run()
                return nil
            }, box)
    }

    deinit {
        locked { hasEnded = true }
        pthread_join(thread, nil)
        close(listener)
    }

    /// Whether nothing goes through.
    public var cut: Bool {
        get { locked { isCut } }
        set { locked { isCut = newValue } }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(&lock)
        defer { pthread_mutex_unlock(&lock) }
        return body()
    }

    private func run() {
        var pairs: [Int32: Int32] = [:]
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !locked({ hasEnded }) {
            guard !locked({ isCut }) else {
                usleep(20_000)
                continue
            }
            var waiting = ([listener] + pairs.keys).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&waiting, nfds_t(waiting.count), 20) > 0 else { continue }
            for end in waiting where end.revents != 0 {
                if end.fd == listener {
                    join(&pairs)
                } else if let other = pairs[end.fd] {
                    let count = read(end.fd, &buffer, buffer.count)
                    if count > 0, send(other, buffer, count, Int32(MSG_NOSIGNAL)) == count { continue }
                    for closed in [end.fd, other] {
                        close(closed)
                        pairs[closed] = nil
                    }
                }
            }
        }
        for end in pairs.keys { close(end) }
    }

    private func join(_ pairs: inout [Int32: Int32]) {
        let near = accept(listener, nil, nil)
        _ = fcntl(near, F_SETFD, FD_CLOEXEC)
        let far = socket(AF_INET, Self.kind, 0)
        var address = loopback(port: target)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard near >= 0, code == 0 else {
            for end in [near, far] where end >= 0 { close(end) }
            return
        }
        (pairs[near], pairs[far]) = (far, near)
    }
}
