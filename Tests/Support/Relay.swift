internal import Glibc

/// A port before another port, whose line can be cut: then nothing goes through, and no end of it hears of that.
///
/// It can also leave connections half-open, and stand before a broker that speaks MQTT 3.1.1 alone.
public final class Relay: @unchecked Sendable {
    // No program that is started meanwhile may hold an end of it open.
    private static let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    private let listener: Int32
    private let target: UInt16
    private var lock = pthread_mutex_t()
    private var isCut = false
    private var hasEnded = false
    private var isToHalve = false
    private let isOld: Bool
    private var thread = pthread_t()
    /// Its port of 127.0.0.1.
    public let port: UInt16

    /// Listens on a free port, and connects each connection with `target` of 127.0.0.1.
    ///
    /// - Parameter refusingVersion5: whether it answers MQTT 5 as a broker does that only knows 3.1.1, and hangs up.
    public init(to target: UInt16, refusingVersion5: Bool = false) throws {
        self.target = target
        isOld = refusingVersion5
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

    /// Ends every connection towards its client and leaves it open towards the target, which hears nothing any more.
    /// Those that were left so before are closed.
    public func leaveHalfOpen() { locked { isToHalve = true } }

    private func locked<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(&lock)
        defer { pthread_mutex_unlock(&lock) }
        return body()
    }

    private func run() {
        var pairs: [Int32: Int32] = [:]
        // The ends towards the clients, and those of them that said nothing yet.
        var near: Set<Int32> = []
        var fresh: Set<Int32> = []
        var halves: [Int32] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !locked({ hasEnded }) {
            guard !locked({ isCut }) else {
                usleep(20_000)
                continue
            }
            if locked({
                defer { isToHalve = false }; return isToHalve
            }) {
                for end in halves { close(end) }
                halves = pairs.keys.filter { !near.contains($0) }
                for end in near { close(end) }
                (pairs, near, fresh) = ([:], [], [])
            }
            var waiting = ([listener] + pairs.keys).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&waiting, nfds_t(waiting.count), 20) > 0 else { continue }
            for end in waiting where end.revents != 0 {
                if end.fd == listener {
                    guard let end = join(&pairs) else { continue }
                    near.insert(end)
                    if isOld { fresh.insert(end) }
                } else if let other = pairs[end.fd] {
                    let count = read(end.fd, &buffer, buffer.count)
                    // A CONNECT: its header of two bytes, the name "MQTT" with its length, and then the version.
                    let isRefused = fresh.remove(end.fd) != nil && count > 8 && buffer[8] == 5
                    if isRefused {
                        let refusal: [UInt8] = [0x20, 2, 0, 1]
                        send(end.fd, refusal, refusal.count, Int32(MSG_NOSIGNAL))
                    } else if count > 0, send(other, buffer, count, Int32(MSG_NOSIGNAL)) == count {
                        continue
                    }
                    for closed in [end.fd, other] {
                        close(closed)
                        pairs[closed] = nil
                        near.remove(closed)
                        fresh.remove(closed)
                    }
                }
            }
        }
        for end in Array(pairs.keys) + halves { close(end) }
    }

    /// The end towards the client.
    private func join(_ pairs: inout [Int32: Int32]) -> Int32? {
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
            return nil
        }
        (pairs[near], pairs[far]) = (far, near)
        return near
    }
}
