import Support
import Synchronization
import Testing

@testable import Web

/// The library behind a server, and what it is lent.
@Suite struct DaemonTests {
    @Test("Leave the socket to its owner where the server can't start")
    func keepsTheSocket() throws {
        let socket = try Web.ListeningSocket(host: "127.0.0.1", port: 0)
        let limits = HTTPLimits()
        let state = ServerState(TestHandler(), limits, try Mailbox())
        let certificate = ServerCertificate(chain: Array("no".utf8), key: Array("PEM".utf8))
        #expect(throws: WebError.self) { try Daemon(socket, limits, certificate, state) }
        #expect(throws: Never.self, "the port is open") { try RawClient(port: socket.port) }
    }

    @Test("Refuse a request whose body arrives as the server ends, so that no connection is suspended")
    func refusesAtItsEnd() throws {
        let handler = TestHandler()
        let limits = HTTPLimits()
        let state = ServerState(handler, limits, try Mailbox())
        let socket = try Web.ListeningSocket(host: "127.0.0.1", port: 0)
        let daemon = try Daemon(socket, limits, nil, state)
        let client = try RawClient(port: socket.port)
        var heard = ""
        func hears(_ words: String) -> Bool {
            waitUntil(3) {
                daemon.run()
                heard += client.receive(until: words, seconds: 0.05)
                return heard.contains(words)
            }
        }
        client.send(
            "POST /delayed HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        #expect(hears(" 100 "))
        state.resumeAll()
        client.send("hello")
        #expect(hears("is ending."))
        daemon.stop()
        #expect(handler.requests.withLock { $0.isEmpty })
        // The daemon does not retain it.
        withExtendedLifetime(state) {}
    }

    @Test("Close the port where the server is stopped")
    func closesThePort() throws {
        let server = try HTTPServer(host: "127.0.0.1", port: 0, handler: TestHandler())
        let socket = try #require(Self.listener(on: server.port))
        server.stop()
        // Another process may listen there by now: with another socket.
        #expect(Self.listener(on: server.port) != socket)
    }

    /// The inode of the socket that listens on a port of 127.0.0.1 (proc(5)); nil if there is none.
    private static func listener(on port: UInt16) -> Substring? {
        let rows = readFile("/proc/net/tcp")?.split(separator: "\n").dropFirst().map { $0.split(separator: " ") } ?? []
        return rows.first { row in
            let address = row[1].split(separator: ":")
            return row[3] == "0A" && address[0] == "0100007F" && UInt16(address[1], radix: 16) == port
        }?[9]
    }
}
