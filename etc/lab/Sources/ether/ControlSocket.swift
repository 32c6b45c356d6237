import Glibc

/// A Unix socket that takes one order a connection, a line of words, and answers with lines.
struct ControlSocket: ~Copyable {
    let descriptor: Int32

    init(path: String) throws(SystemFault) {
        unlink(path)
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard Self.withAddress(path, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 16) == 0 else {
            throw .last(path)
        }
    }

    deinit { close(descriptor) }

    /// An order whose client waits for the answer.
    struct Request: ~Copyable {
        let words: [Substring]
        fileprivate let client: Int32

        /// Answers with lines.
        func answer(_ text: String) {
            let reply = Array((text + "\n").utf8)
            _ = send(client, reply, reply.count, Int32(MSG_NOSIGNAL))
        }

        deinit { close(client) }
    }

    /// Takes a waiting order. A client that sends none for a second is let go.
    func next() -> Request? {
        let client = accept(descriptor, nil, nil)
        guard client >= 0 else { return nil }
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard let line = Self.line(of: client) else {
            close(client)
            return nil
        }
        return Request(words: line.split(separator: " "), client: client)
    }

    /// Gives an order to the socket at `path`; the answer.
    static func tell(_ words: [String], at path: String) throws(SystemFault) -> String {
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(client) }
        guard withAddress(path, { connect(client, $0, $1) }) == 0 else { throw .last(path) }
        let order = Array((words.joined(separator: " ") + "\n").utf8)
        guard send(client, order, order.count, Int32(MSG_NOSIGNAL)) == order.count,
            let reply = line(of: client)
        else { throw .last("no answer of \(path)") }
        return reply
    }

    /// A line of at most 16 KiB without its end; nil where there is none.
    private static func line(of descriptor: Int32) -> String? {
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while text.count < 16_384 {
            let size = recv(descriptor, &chunk, chunk.count, 0)
            guard size > 0 else { return nil }
            text += chunk.prefix(size)
            if text.last == UInt8(ascii: "\n") { return String(decoding: text.dropLast(), as: UTF8.self) }
        }
        return nil
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = path.utf8.count < MemoryLayout.size(ofValue: address.sun_path)
        guard fits else { return -1 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
