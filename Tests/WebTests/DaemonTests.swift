import Support
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

    @Test("Close the port where the server is stopped")
    func closesThePort() throws {
        let server = try HTTPServer(host: "127.0.0.1", port: 0, handler: TestHandler())
        server.stop()
        #expect(throws: SystemError.self) { try RawClient(port: server.port) }
    }
}
