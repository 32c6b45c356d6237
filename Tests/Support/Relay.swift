internal import Glibc

/// A port in front of another port, whose line can be cut, in one direction too: then nothing passes, and neither end
/// is notified. It can also delay, break, and be left half-open.
public final class Relay: @unchecked Sendable {
    // No program that is started meanwhile may hold an end of it open.
    private static let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    private let listener: Int32
    private let target: UInt16
    private var lock = pthread_mutex_t()
    private var state = State()
    private var hasEnded = false
    private var thread = pthread_t()
    /// Its port of 127.0.0.1.
    public let port: UInt16

    private struct State {
        var isUpCut = false
        var isDownCut = false
        var delay = 0.0
        var isToBreak = false
        var isToBeHalfOpen = false
    }

    /// Bytes for the other end, with their due time in nanoseconds.
    private struct Piece {
        var due: Int64
        var to: Int32
        var bytes: [UInt8]
    }

    private let refusesVersion5: Bool
    private let losesAlerts: Bool

    /// Listens on a free port, and connects each connection with `target` of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - refusingVersion5: true to answer MQTT 5 like a broker that supports 3.1.1 alone.
    ///   - losingAlerts: true to close the connection in place of an alert of TLS that the target sends in clear.
    public init(to target: UInt16, refusingVersion5: Bool = false, losingAlerts: Bool = false) throws {
        self.target = target
        refusesVersion5 = refusingVersion5
        losesAlerts = losingAlerts
        let socket = try ListeningSocket(Self.kind)
        (listener, port) = (socket.descriptor, socket.port)
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

    /// True if nothing passes.
    public var cut: Bool {
        get { locked { state.isUpCut && state.isDownCut } }
        set { locked { (state.isUpCut, state.isDownCut) = (newValue, newValue) } }
    }

    /// True if nothing passes from the clients to the target.
    public var cutUp: Bool {
        get { locked { state.isUpCut } }
        set { locked { state.isUpCut = newValue } }
    }

    /// True if nothing passes from the target to the clients.
    public var cutDown: Bool {
        get { locked { state.isDownCut } }
        set { locked { state.isDownCut = newValue } }
    }

    /// Delay in seconds, in both directions.
    public var delay: Double {
        get { locked { state.delay } }
        set { locked { state.delay = newValue } }
    }

    /// Breaks all connections at both ends.
    public func breakAll() { locked { state.isToBreak = true } }

    /// Breaks all connections for the clients: the target is not notified, and those that were left so before are
    /// closed for it now.
    public func leaveHalfOpen() { locked { state.isToBeHalfOpen = true } }

    private func locked<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(&lock)
        defer { pthread_mutex_unlock(&lock) }
        return body()
    }

    private func run() {
        var pairs: [Int32: Int32] = [:]
        // Accepted connections; and ends whose other end is gone without notice.
        var near: Set<Int32> = []
        var abandoned: [Int32] = []
        var pieces: [Piece] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !locked({ hasEnded }) {
            let now = locked {
                defer { (state.isToBreak, state.isToBeHalfOpen) = (false, false) }
                return state
            }
            if now.isToBreak || now.isToBeHalfOpen {
                for end in abandoned { close(end) }
                abandoned = []
                for end in near {
                    if let far = pairs[end] {
                        if now.isToBreak { close(far) } else { abandoned.append(far) }
                    }
                    close(end)
                }
                (pairs, near, pieces) = ([:], [], [])
            }
            // One moment for both: a piece that becomes due between them would be removed unsent.
            let moment = Self.now
            for piece in pieces where piece.due <= moment && pairs[piece.to] != nil {
                _ = send(piece.to, piece.bytes, piece.bytes.count, Int32(MSG_NOSIGNAL))
            }
            pieces.removeAll { $0.due <= moment || pairs[$0.to] == nil }
            let open = pairs.keys.filter { near.contains($0) ? !now.isUpCut : !now.isDownCut }
            let listening = now.isUpCut ? [] : [listener]
            var waiting = (listening + open).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&waiting, nfds_t(waiting.count), pieces.isEmpty ? 20 : 5) > 0 else { continue }
            for end in waiting where end.revents != 0 {
                if end.fd == listener {
                    join(&pairs, &near)
                } else if let other = pairs[end.fd] {
                    let count = read(end.fd, &buffer, buffer.count)
                    if count > 0, isRefused(buffer, count) {
                        _ = send(end.fd, [0x20, 2, 0, 1], 4, Int32(MSG_NOSIGNAL))
                    } else if count > 0, losesAlerts, !near.contains(end.fd), buffer[0] == 21 {
                        // Lost with the connection (RFC 8446 section 5.1: content type 21).
                    } else if count > 0, now.delay > 0 || pieces.contains(where: { $0.to == other }) {
                        let due = max(Self.now + Int64(now.delay * 1e9), pieces.last { $0.to == other }?.due ?? 0)
                        pieces.append(Piece(due: due, to: other, bytes: Array(buffer[..<count])))
                        continue
                    } else if count > 0, send(other, buffer, count, Int32(MSG_NOSIGNAL)) == count {
                        continue
                    }
                    for closed in [end.fd, other] {
                        close(closed)
                        pairs[closed] = nil
                        near.remove(closed)
                    }
                }
            }
        }
        for end in pairs.keys + abandoned { close(end) }
    }

    /// True for a CONNECT of MQTT 5: its length takes one byte or two, then follow `MQTT` with its own, and the
    /// version.
    private func isRefused(_ buffer: [UInt8], _ count: Int) -> Bool {
        guard refusesVersion5, count > 9, buffer[0] == 0x10 else { return false }
        return [4, 5].contains { buffer[$0..<$0 + 4].elementsEqual("MQTT".utf8) && buffer[$0 + 4] == 5 }
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private func join(_ pairs: inout [Int32: Int32], _ near: inout Set<Int32>) {
        let end = accept(listener, nil, nil)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        let far = socket(AF_INET, Self.kind, 0)
        var address = loopback(port: target)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard end >= 0, code == 0 else {
            for open in [end, far] where open >= 0 { close(open) }
            return
        }
        (pairs[end], pairs[far]) = (far, end)
        near.insert(end)
    }
}
