internal import Glibc

/// A port in front of a broker's that answers chosen subscriptions itself, with a denial, as a broker's access list or
/// its limits do. All else passes through, packet by packet (MQTT 5 and 3.1.1 section 2.1).
public final class DenyingRelay: @unchecked Sendable {
    // `state` is touched under `lock` only; the sockets belong to the thread.
    private let listener: Int32
    private let target: UInt16
    private var lock = pthread_mutex_t()
    private var state = State()
    private var thread = pthread_t()
    /// Its port of 127.0.0.1.
    public let port: UInt16

    private struct State {
        var denied: (String) -> Bool = { _ in false }
        var denials: [String: Int] = [:]
        var hasEnded = false
    }

    /// One connection, with the received part of an incomplete packet.
    private struct Line {
        var near: Int32
        var far: Int32
        var up: [UInt8] = []
        var down: [UInt8] = []
        /// True if it uses MQTT 5; a SUBACK of 3.1.1 has no properties.
        var isVersion5 = true
    }

    /// Listens on a free port, and connects each connection with `target` of 127.0.0.1.
    public init(to target: UInt16) throws {
        self.target = target
        let socket = try ListeningSocket(Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue))
        (listener, port) = (socket.descriptor, socket.port)
        pthread_mutex_init(&lock, nil)
        let box = Unmanaged.passUnretained(self).toOpaque()
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<DenyingRelay>.fromOpaque(context).takeUnretainedValue().run()
                return nil
            }, box)
    }

    deinit {
        locked { $0.hasEnded = true }
        pthread_join(thread, nil)
        close(listener)
    }

    /// Denies from now on the filters for which `isDenied` is true.
    public func deny(_ isDenied: @escaping (String) -> Bool) { locked { $0.denied = isDenied } }

    /// The number of denials so far, by filter.
    public var denials: [String: Int] { locked { $0.denials } }

    private func locked<Value>(_ body: (inout State) -> Value) -> Value {
        pthread_mutex_lock(&lock)
        defer { pthread_mutex_unlock(&lock) }
        return body(&state)
    }

    private func run() {
        var lines: [Line] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !locked({ $0.hasEnded }) {
            let ends = [listener] + lines.flatMap { [$0.near, $0.far] }
            var waiting = ends.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&waiting, nfds_t(waiting.count), 20) > 0 else { continue }
            let ready = Set(waiting.filter { $0.revents != 0 }.map(\.fd))
            for index in lines.indices.reversed() {
                var isOpen = true
                if ready.contains(lines[index].near) {
                    let count = recv(lines[index].near, &buffer, buffer.count, 0)
                    if count > 0 { passUp(buffer[..<count], &lines[index]) } else { isOpen = false }
                }
                if isOpen, ready.contains(lines[index].far) {
                    let count = recv(lines[index].far, &buffer, buffer.count, 0)
                    if count > 0 { passDown(buffer[..<count], &lines[index]) } else { isOpen = false }
                }
                guard !isOpen else { continue }
                close(lines[index].near)
                close(lines[index].far)
                lines.remove(at: index)
            }
            if ready.contains(listener), let line = accepted() { lines.append(line) }
        }
        for line in lines {
            close(line.near)
            close(line.far)
        }
    }

    private func accepted() -> Line? {
        let near = accept(listener, nil, nil)
        _ = fcntl(near, F_SETFD, FD_CLOEXEC)
        let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = loopback(port: target)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard near >= 0, code == 0 else {
            for open in [near, far] where open >= 0 { close(open) }
            return nil
        }
        return Line(near: near, far: far)
    }

    private func passUp(_ bytes: ArraySlice<UInt8>, _ line: inout Line) {
        line.up += bytes
        while let packet = Self.takePacket(&line.up) {
            // A CONNECT's version follows its length and the name `MQTT`.
            if packet.bytes[0] == 0x10 { line.isVersion5 = packet.bytes[packet.body + 6] == 5 }
            if packet.bytes[0] == 0x82, let denial = denial(of: packet.bytes, packet.body, line.isVersion5) {
                write(denial, to: line.near)
            } else {
                write(packet.bytes, to: line.far)
            }
        }
    }

    private func passDown(_ bytes: ArraySlice<UInt8>, _ line: inout Line) {
        line.down += bytes
        while let packet = Self.takePacket(&line.down) { write(packet.bytes, to: line.near) }
    }

    /// The SUBACK for a SUBSCRIBE of one filter that is denied: 0x87, not authorized, or 3.1.1's 0x80.
    private func denial(of packet: [UInt8], _ body: Int, _ isVersion5: Bool) -> [UInt8]? {
        // Our client sends no properties: their length is one byte.
        let start = body + 2 + (isVersion5 ? 1 + Int(packet[body + 2]) : 0)
        let length = Int(packet[start]) << 8 | Int(packet[start + 1])
        let filter = String(decoding: packet[start + 2..<start + 2 + length], as: UTF8.self)
        let isDenied = locked { state in
            guard state.denied(filter) else { return false }
            state.denials[filter, default: 0] += 1
            return true
        }
        guard isDenied else { return nil }
        let id = packet[body..<body + 2]
        return isVersion5 ? [0x90, 4] + id + [0, 0x87] : [0x90, 3] + id + [0x80]
    }

    /// The first packet and the place of its variable header; nil until it is complete.
    private static func takePacket(_ bytes: inout [UInt8]) -> (bytes: [UInt8], body: Int)? {
        var (length, index, shift) = (0, 1, 0)
        while true {
            guard index < bytes.count else { return nil }
            length |= Int(bytes[index] & 0x7F) << shift
            index += 1
            if bytes[index - 1] & 0x80 == 0 { break }
            shift += 7
        }
        guard bytes.count >= index + length else { return nil }
        defer { bytes.removeFirst(index + length) }
        return (Array(bytes[..<(index + length)]), index)
    }

    private func write(_ bytes: [UInt8], to end: Int32) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(end, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}
